use gpu_graph::gpu_graph;

gpu_graph! {
    kernel f(x: &[u32; n]) -> [u32; n] = -x;

    pub graph G {
        dim n in 1..=1024;
        input x: [u32; n];
        output y: [u32; n] = f(&x);
    }
}

fn main() {}
