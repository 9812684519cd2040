use gpu_graph::gpu_graph;

gpu_graph! {
    kernel double(x: &[f32; n]) -> [f32; n] = x * 2f32;

    pub graph G {
        dim h in 1..=1024;
        dim w in 1..=1024;
        input x: [f32; h, w];
        output y: [f32; h * w] = double(&x as [f32; h * w]);
    }
}

fn main() {}
