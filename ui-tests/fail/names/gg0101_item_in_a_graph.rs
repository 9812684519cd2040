use gpu_graph::gpu_graph;

gpu_graph! {
    pub graph Squares {
        dim n in 1..=1024;
        kernel square(x: &[f32; n]) -> [f32; n] = x * x;
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }
}

fn main() {}
