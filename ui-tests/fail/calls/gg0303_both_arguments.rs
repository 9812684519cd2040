use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] = x * by;

    pub graph G {
        dim n in 1..=1024;
        scalar gain: f32;
        input image: [f32; n];
        output y: [f32; n] = scale(image, &gain);
    }
}

fn main() {}
