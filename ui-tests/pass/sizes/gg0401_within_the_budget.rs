use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] = x * x;

    pub graph G {
        dim n in 1..=1024;
        budget 16 KiB;
        input x: [f32; n];
        let a: [f32; n] = square(&x);
        output y: [f32; n] = square(&a);
    }
}

fn main() {}
