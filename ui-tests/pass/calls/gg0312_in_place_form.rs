use gpu_graph::gpu_graph;

gpu_graph! {
    kernel widen(x: &[f32; n]) -> [f64; n] { host host::widen }

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        output y: [f64; n] = widen(&x);
    }
}

mod host {
    pub fn widen(_x: &[f32], _out: &mut [f64], _: super::widen::Dims) {}
}

fn main() {}
