use gpu_graph::gpu_graph;

gpu_graph! {
    kernel f(x: &[u8; n]) -> [u8; n] = if x & 1u8 { x } else { 0u8 };

    pub graph G {
        dim n in 1..=1024;
        input x: [u8; n];
        output y: [u8; n] = f(&x);
    }
}

fn main() {}
