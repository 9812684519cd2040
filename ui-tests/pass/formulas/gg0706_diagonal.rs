use gpu_graph::gpu_graph;

gpu_graph! {
    kernel f(x: &[f32; n, m]) -> [f32; n] = sum(x);

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n, n];
        output y: [f32; n] = f(&x);
    }
}

fn main() {}
