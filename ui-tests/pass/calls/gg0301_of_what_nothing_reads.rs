use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] { host host::square }
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        let a: [f32; n] = square(&x);
        let b: [f32; n] = square(&a);
        output y: [f32; n] = add(&a, &b);
    }
}

mod host {
    pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
    pub fn add(_x: &[f32], _y: &[f32], _out: &mut [f32], _: super::add::Dims) {}
}

fn main() {}
