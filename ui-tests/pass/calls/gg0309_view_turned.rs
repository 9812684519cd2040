use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] = x * x;

    pub graph G {
        dim n in 3..=1024;
        input c: [f32; n];
        output y: [f32; 2] = square(&c[1..3]);
    }
}

fn main() {}
