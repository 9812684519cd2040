use gpu_graph::gpu_graph;

gpu_graph! {
    kernel f(x: &[f32; n], i: &[i32; n]) -> [f32; n] = x * i;

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        input i: [i32; n];
        output y: [f32; n] = f(&x, &i);
    }
}

fn main() {}
