use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }

    pub graph G {
        dim n in 1..=1024;
        scalar k: f32;
        input x: [f32; n];
        input gain: [f32; n];
        let a: [f32; n] = scale(&x, 0.5);
        let gx: [f32; n] = scale(&gain, k);
        output y: [f32; n] = scale(&a, 0.5);
        output z: [f32; n] = scale(&gx, 0.5);
    }
}

mod host {
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale::Dims) {}
}

fn main() {}
