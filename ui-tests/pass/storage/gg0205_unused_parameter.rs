use gpu_graph::gpu_graph;

gpu_graph! {
    kernel f(x: &[f32; n], by: f32) -> [f32; n] = by * x;

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        output y: [f32; n] = f(&x, 2.0);
    }
}

fn main() {}
