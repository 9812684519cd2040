use gpu_graph::gpu_graph;

gpu_graph! {
    kernel inc(x: &[f32; n], by: f32) -> [f32; n] = x + by;

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        let a: [f32; n] = double(&x);
        output y: [f32; n] = inc(&a, 1.0);
    }

    kernel double(x: &[f32; n]) -> [f32; n] = x + x;
}

fn main() {}
