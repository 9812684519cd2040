use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] { host host::square }
    kernel join(x: &[f32; a], y: &[f32; b]) -> [f32; 1] { host host::join }

    pub graph G {
        dim n in 1..=262_144;
        budget 3073 KiB;
        input x: [f32; 262_145];
        let a: [f32; n] = square(&x[..n]);
        let b: [f32; 262_145 - n] = square(&x[n..]);
        output y: [f32; 1] = join(&a, &b);
    }
}

mod host {
    pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
    pub fn join(_x: &[f32], _y: &[f32], _out: &mut [f32], _: super::join::Dims) {}
}

fn main() {}
