use gpu_graph::gpu_graph;

gpu_graph! {
    kernel f(a: &[f32; m, k], b: &[f32; k, n]) -> [f32; m, n] = a * b;

    pub graph G {
        dim m in 1..=64;
        dim n in 1..=64;
        dim k in 1..=64;
        input a: [f32; m, k];
        input b: [f32; k, n];
        output y: [f32; m, n] = f(&a, &b);
    }
}

fn main() {}
