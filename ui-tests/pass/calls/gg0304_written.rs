use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f16; n]) -> [f16; n] = x * x;
    kernel double(x: &[f32; n]) -> [f32; n] = x + x;
    kernel convert(x: &[f16; n]) -> [f32; n] = x as f32;

    pub graph G {
        dim n in 1..=1024;
        input x: [f16; n];
        let a: [f16; n] = square(&x);
        let wide: [f32; n] = convert(&a);
        output y: [f32; n] = double(&wide);
    }
}

fn main() {}
