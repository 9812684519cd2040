use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] = x * x;

    pub graph Squares {
        dim n in 1..=1024;
        input x: [f32; n];
        output y: [f32; 4];
        for i in 0..4 {
            y[i..i + 1] = square(&x[i..i + 1]);
        }
    }
}

fn main() {}
