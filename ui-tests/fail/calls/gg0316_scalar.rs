use gpu_graph::gpu_graph;

gpu_graph! {
    opaque lib(x: &[f32; n], by: f32) -> [f32; n] { host host::lib, retains by }

    pub graph G {
        dim n in 2..=1024;
        input x: [f32; n];
        output y: [f32; n] = lib(&x, 2.0);
    }
}

mod host {
    pub fn lib(_x: &[f32], _by: f32, _out: &mut [f32], _: super::lib::Dims) {}
}

fn main() {}
