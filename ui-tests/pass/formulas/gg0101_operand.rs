use gpu_graph::gpu_graph;

gpu_graph! {
    kernel louder(x: &[f32; n], gain: f32) -> [f32; n] = x * gain;
    kernel softer(x: &[f32; n], gain: f32) -> [f32; n] = x / gain;

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        let a: [f32; n] = louder(&x, 2.0);
        output y: [f32; n] = softer(&a, 2.0);
    }
}

fn main() {}
