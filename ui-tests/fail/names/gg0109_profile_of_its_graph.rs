use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] { host host::square }

    pub graph NoDim {
        dim n in 1..=1024;
        profile "profiles/no_dim.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph TwoDims {
        dim n in 1..=1024;
        profile "profiles/two_dims.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph MissingDim {
        dim n in 1..=1024;
        profile "profiles/missing_dim.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph LargeDim {
        dim n in 1..=1024;
        profile "profiles/large_dim.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph NoVariant {
        dim n in 1..=1024;
        profile "profiles/no_variant.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph NothingMeasured {
        dim n in 1..=1024;
        profile "profiles/nothing_measured.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph OtherKernel {
        dim n in 1..=1024;
        profile "profiles/other_kernel.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph OtherDims {
        dim n in 1..=1024;
        profile "profiles/other_dims.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph ALaunch {
        dim n in 1..=1024;
        profile "profiles/a_launch.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph MoreTasks {
        dim n in 1..=1024;
        profile "profiles/more_tasks.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph NotLaunched {
        dim n in 1..=1024;
        profile "profiles/not_launched.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }
}

mod host {
    pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
}

fn main() {}
