use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] = x * x;

    pub graph G {
        dim n in 1..=64;
        input x: [f32; n];
        output y: [f32; n] = square(&x);
        tolerance y: 1e400;
    }
}

fn main() {}
