use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] = x * x;
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] = x + y;

    pub graph G {
        dim n in 1..=1024;
        pipelined 2;
        budget 28 KiB;
        resident input w: [f32; n];
        input x: [f32; n];
        let a: [f32; n] = add(&x, &w);
        staging s: [f32; n] = download(&a);
        let b: [f32; n] = upload(&s);
        output y: [f32; n] = square(&b);
    }
}

fn main() {}
