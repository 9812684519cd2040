use gpu_graph::gpu_graph;

gpu_graph! {
    kernel f(x: &[f32; n], count: u64) -> [f32; 1] = sum(x) / (count as f32);

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        output y: [f32; 1] = f(&x, n);
    }
}

fn main() {}
