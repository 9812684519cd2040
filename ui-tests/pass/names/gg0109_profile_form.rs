use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] { host host::square }

    pub graph AnotherVersion {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph MissingField {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph UnknownField {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph FieldTwice {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph NoNumber {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph NoDigest {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph NoKernel {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }
}

mod host {
    pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
}

fn main() {}
