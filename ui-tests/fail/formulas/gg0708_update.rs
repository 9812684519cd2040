use gpu_graph::gpu_graph;

gpu_graph! {
    kernel rows(y: &mut [f32; n], x: &[f32; h, w]) = sum(x);

    pub graph G {
        dim h in 1..=1024;
        dim w in 1..=1024;
        input x: [f32; h, w];
        inout y: [f32; h];
        rows(&mut y, &x);
    }
}

fn main() {}
