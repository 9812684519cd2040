use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; h, w]) -> [f32; h, w] = x * x;

    pub graph G {
        dim h in 1..=1024;
        dim w in 1..=1024;
        input x: [f32; h, w];
        output y: [f32; w, h] = square(&x);
    }
}

fn main() {}
