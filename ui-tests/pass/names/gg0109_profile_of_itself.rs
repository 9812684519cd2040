use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] { host host::square }

    pub graph NoRuns {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph NoLaunches {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph TwoPrograms {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph TwoKernels {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph MedianOutside {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph RangeOutside {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph RangeOfFew {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph TooLong {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph NoOrigin {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph OtherOrigin {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph NoPeriod {
        dim n in 1..=1024;
        profile "profiles/right.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph OtherLaunches {
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
