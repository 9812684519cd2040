use gpu_graph::gpu_graph;

gpu_graph! {
    kernel f(x: &[f32; n], s: &[f32; 1]) -> [f32; n] = x / s;

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        input s: [f32; 1];
        output y: [f32; n] = f(&x, &s);
    }
}

fn main() {}
