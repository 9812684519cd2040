use gpu_graph::gpu_graph;

gpu_graph! {
    kernel double(x: &[f32; n]) -> [f32; n] = x * 2f32;

    pub graph G {
        dim n in 64..=1024;
        input x: [f32; n];
        output y: [f32; n];
        y[..n / 8 * 3] = double(&x[..n / 8 * 3]);
        y[n / 8 * 3..] = double(&x[n / 8 * 3..]);
    }
}

fn main() {}
