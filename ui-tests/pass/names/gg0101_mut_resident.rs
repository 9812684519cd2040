use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale(x: &mut [f32; n], w: &[f32; n]) { host host::scale }
    kernel square(x: &[f32; n]) -> [f32; n] { host host::square }

    pub graph G {
        dim n in 1..=1024;
        resident input w: [f32; n];
        input mut x: [f32; n];
        scale(&mut x, &w);
        output y: [f32; n] = square(&x);
    }
}

mod host {
    pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
    pub fn scale(_x: &mut [f32], _w: &[f32], _: super::scale::Dims) {}
}

fn main() {}
