use gpu_graph::gpu_graph;

gpu_graph! {
    kernel double(x: &[f32; n]) -> [f32; n] = x * 2f32;

    pub graph G {
        dim h in 2..=1024;
        dim w in 1..=1024;
        input x: [f32; h, w];
        output y: [f32; h * w] = double(&x);
        output z: [f32; h / 2 * w] = double(&x[..h / 2]);
    }
}

fn main() {}
