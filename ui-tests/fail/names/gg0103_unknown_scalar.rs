use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] = x * by;

    pub graph Scaled {
        dim n in 1..=1024;
        const TIMES: usize = 2;
        scalar factor: f32;
        input x: [f32; n];
        let a: [f32; TIMES * n];
        a[..n] = scale(&x, factor);
        a[n..] = scale(&x, weight);
        output y: [f32; TIMES * n] = scale(&a, factor);
    }
}

fn main() {}
