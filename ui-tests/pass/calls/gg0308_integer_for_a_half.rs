use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale(x: &[f16; n], by: f16) -> [f16; n] = x * by;

    pub graph G {
        dim n in 1..=1024;
        input x: [f16; n];
        output y: [f16; n] = scale(&x, 6.5504e4);
    }
}

fn main() {}
