use gpu_graph::gpu_graph;

gpu_graph! {
    kernel twice(x: &[f32; rows, cols]) -> [f32; lines, cols] = x + x;

    pub graph G {
        dim h in 1..=1024;
        dim w in 1..=1024;
        input x: [f32; h, w];
        output y: [f32; h, w] = twice(&x);
    }
}

fn main() {}
