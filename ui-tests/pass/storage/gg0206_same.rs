use gpu_graph::gpu_graph;

gpu_graph! {
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] = x + y;

    pub graph G {
        dim n in 1..=1024;
        input a: [f32; n];
        input b: [f32; n];
        let c: [f32; n] = add(&b, &a);
        output y: [f32; n] = add(&a, &c);
    }
}

fn main() {}
