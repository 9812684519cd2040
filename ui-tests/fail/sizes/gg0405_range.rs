use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] = x * x;
    kernel add(x: &mut [f32; n], by: f32) = x + by;

    pub graph G {
        dim n in 0..=1024;
        input x: [f32; n];
        let a: [f32; n] = square(&x);
        for l in 0..2 {
            add(&mut a, 1.0);
        }
        let b: [f32; n] = square(&a);
        output y: [f32; n] = square(&b);
    }
}

fn main() {}
