use gpu_graph::gpu_graph;

gpu_graph! {
    kernel f(x: &[f32; n], y: &[f32; m]) -> [f32; n] = x * y;

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        input w: [f32; 3];
        output y: [f32; n] = f(&x, &w);
    }
}

fn main() {}
