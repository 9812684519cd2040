use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n, m]) -> [f32; n, m] = x * x;

    pub graph G {
        dim n in 1..;
        dim m in 1..=65536;
        budget 16 KiB;
        input x: [f32; n, m];
        let a: [f32; n, m] = square(&x);
        output y: [f32; n, m] = square(&a);
    }
}

fn main() {}
