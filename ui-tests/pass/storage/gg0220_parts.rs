use gpu_graph::gpu_graph;

gpu_graph! {
    kernel twice(x: &[f32; n]) -> [f32; n] = x + x;

    pub graph G {
        dim n in 2..=256;
        input a: [f32; n];
        let t: [f32; 2 * n];
        t[..n] = twice(&a);
        t[n..] = twice(&a);
        output y: [f32; 2 * n] = twice(&t);
    }
}

fn main() {}
