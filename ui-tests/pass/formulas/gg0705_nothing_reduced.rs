use gpu_graph::gpu_graph;

gpu_graph! {
    kernel total(x: &[f32; n]) -> [f32; 1] = sum(x);
    kernel f(x: &[f32; n], s: &[f32; 1]) -> [f32; n] = x / s;

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        let s: [f32; 1] = total(&x);
        output y: [f32; n] = f(&x, &s);
    }
}

fn main() {}
