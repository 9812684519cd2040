use gpu_graph::gpu_graph;

gpu_graph! {
    kernel double(x: &[f32; n]) -> [f32; n] = x * 2f32;
    kernel rows(x: &[f32; h, w]) -> [f32; h, w] = x + 1f32;

    pub graph G {
        dim h in 2..=1024;
        dim w in 1..=1024;
        input x: [f32; h, w];
        output y: [f32; h, w];
        view flat = &y as [f32; h * w];
        flat = double(&x[..] as [f32; h * w]);
        output z: [f32; h, 2 * w];
        view tall = &z as [f32; 2 * h, w];
        tall[..h] = rows(&x);
        tall[h..] = rows(&x);
    }
}

fn main() {}
