use gpu_graph::gpu_graph;

gpu_graph! {
    kernel f(x: &[f16; n], y: &[f32; n]) -> [f32; n] = x * y;

    pub graph G {
        dim n in 1..=1024;
        input x: [f16; n];
        input y: [f32; n];
        output z: [f32; n] = f(&x, &y);
    }
}

fn main() {}
