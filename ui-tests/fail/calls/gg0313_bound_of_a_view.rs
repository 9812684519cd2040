use gpu_graph::gpu_graph;

gpu_graph! {
    kernel double(x: &[f32; n]) -> [f32; n] = x * 2f32;

    pub graph G {
        dim n in 64..=1024;
        dim parts in 2..=8;
        input x: [f32; n];
        output y: [f32; n];
        y[..n / parts] = double(&x[..n / parts]);
        y[n / parts..] = double(&x[n / parts..]);
    }
}

fn main() {}
