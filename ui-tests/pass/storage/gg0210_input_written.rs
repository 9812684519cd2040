use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale(x: &mut [f32; n], by: f32) { host host::scale }
    kernel square(x: &[f32; n]) -> [f32; n] { host host::square }

    pub graph G {
        dim n in 1..=1024;
        input mut x: [f32; n];
        scale(&mut x, 2.0);
        output y: [f32; n] = square(&x);
    }
}

mod host {
    pub fn scale(_x: &mut [f32], _by: f32, _: super::scale::Dims) {}
    pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
}

fn main() {}
