use gpu_graph::gpu_graph;

gpu_graph! {
    kernel total(x: &[f32; n]) -> [f32; m] = sum(x);

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        output y: [f32; 1] = total(&x);
    }
}

fn main() {}
