use gpu_graph::gpu_graph;

gpu_graph! {
    collective all_reduce(x: &[f32; n]) -> [f32; n] { host host::all_reduce }

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        output y: [f32; n] = all_reduce(&x);
    }
}

mod host {
    pub fn all_reduce(_x: &[&[f32]], _out: &mut [f32], _: super::all_reduce::Dims) {}
}

fn main() {}
