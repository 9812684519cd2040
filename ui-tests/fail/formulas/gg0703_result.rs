use gpu_graph::gpu_graph;

gpu_graph! {
    kernel f(x: &[f32; n]) -> [u8; n] = x + 0.5f32;

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        output y: [u8; n] = f(&x);
    }
}

fn main() {}
