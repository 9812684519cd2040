use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] = x * x, cost 3 us;

    pub graph G {
        dim n in 1..=1024;
        minimize 1 / us * critical_path;
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }
}

fn main() {}
