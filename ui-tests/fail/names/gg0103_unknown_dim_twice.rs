use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] = x * x;

    pub graph G {
        dim size in 1..=1024;
        input x: [f32; sise];
        output y: [f32; sise] = square(&x);
    }
}

fn main() {}
