use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n, 4]) -> [f32; n, 4] { over [n, 4], cuda r#"KERNEL(square) { INDEX(i, j); out(i, j) = x(i, j); }"#, host host::square }
}

mod host {
    pub fn square(_: &[f32], _: &mut [f32], _: super::square::Dims) {}
}

fn main() {}
