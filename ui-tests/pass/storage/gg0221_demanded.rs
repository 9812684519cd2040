use gpu_graph::gpu_graph;

gpu_graph! {
    kernel twice(x: &[f32; n]) -> [f32; n] = x + x;
    kernel raise(x: &mut [f32; n], by: &[f32; n]) = x + by;

    pub graph G {
        dim n in 2..=256;
        input a: [f32; n];
        let t: [f32; n] = twice(&a);
        let u: [f32; n] = twice(&t);
        raise(&mut t, &u);
        output y: [f32; n] = twice(&t);
    }
}

fn main() {}
