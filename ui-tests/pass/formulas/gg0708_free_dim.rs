use gpu_graph::gpu_graph;

gpu_graph! {
    kernel rows(x: &[f32; h, w]) -> [f32; h] = sum(x);

    pub graph G {
        dim h in 1..=1024;
        dim w in 1..=1024;
        input x: [f32; h, w];
        output y: [f32; h] = rows(&x);
    }
}

fn main() {}
