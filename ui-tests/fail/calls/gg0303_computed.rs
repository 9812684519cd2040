use gpu_graph::gpu_graph;

gpu_graph! {
    kernel gain(x: &[f32; n], by: f32) -> [f32; n] { host host::gain }

    pub graph G {
        dim n in 1..=1024;
        scalar by: f32;
        input x: [f32; n];
        output y: [f32; n] = gain(&x, by * 2.0);
    }
    pub graph H {
        dim n in 1..=1024;
        scalar by: f32;
        input x: [f32; n];
        let a: [f32; n] = gain(&x, by * 2);
        output y: [f32; n] = gain(&a, -by);
    }
}

mod host {
    pub fn gain(_x: &[f32], _by: f32, _out: &mut [f32], _: super::gain::Dims) {}
}

fn main() {}
