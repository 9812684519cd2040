use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] { host host::square }

    pub graph NoRuns {
        dim n in 1..=1024;
        profile "profiles/no_runs.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph NoLaunches {
        dim n in 1..=1024;
        profile "profiles/no_launches.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph TwoPrograms {
        dim n in 1..=1024;
        profile "profiles/two_programs.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph TwoKernels {
        dim n in 1..=1024;
        profile "profiles/two_kernels.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph MedianOutside {
        dim n in 1..=1024;
        profile "profiles/median_outside.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph RangeOutside {
        dim n in 1..=1024;
        profile "profiles/range_outside.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph RangeOfFew {
        dim n in 1..=1024;
        profile "profiles/range_of_few.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph TooLong {
        dim n in 1..=1024;
        profile "profiles/too_long.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph NoOrigin {
        dim n in 1..=1024;
        profile "profiles/no_origin.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph OtherOrigin {
        dim n in 1..=1024;
        profile "profiles/other_origin.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph NoPeriod {
        dim n in 1..=1024;
        profile "profiles/no_period.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }

    pub graph OtherLaunches {
        dim n in 1..=1024;
        profile "profiles/other_launches.json";
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }
}

mod host {
    pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
}

fn main() {}
