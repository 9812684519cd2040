use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] = x * x;

    pub graph Squares {
        dim n in 1..=1024;
        staging s: [f32; n];
        let t: [f32; n] = upload(&s);
        output y: [f32; n] = square(&t);
    }
}

fn main() {}
