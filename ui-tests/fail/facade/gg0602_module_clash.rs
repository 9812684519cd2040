use gpu_graph::gpu_graph;

gpu_graph! {
    kernel g(x: &[f32; n]) -> [f32; n] { host host::g }

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        output y: [f32; n] = g(&x);
    }
}

mod host {
    pub fn g(_x: &[f32], _out: &mut [f32], _: super::g::Dims) {}
}

fn main() {}
