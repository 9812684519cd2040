use gpu_graph::gpu_graph;

gpu_graph! {
    kernel tile(x: &[f32; a, b, c, d]) -> [f32; a, b, c, d] { over [b, c, d] block [1, 8, 32], host host::tile }

    pub graph G {
        dim n in 1..=64;
        input x: [f32; n, n, n, n];
        output y: [f32; n, n, n, n] = tile(&x);
    }
}

mod host {
    pub fn tile(_x: &[f32], _out: &mut [f32], _: super::tile::Dims) {}
}

fn main() {}
