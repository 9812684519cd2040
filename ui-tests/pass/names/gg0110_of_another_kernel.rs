use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale_rows(x: &[f32; n], by: f32) -> [f32; n] {
        over [n],
        cuda r#"KERNEL(scale_rows) { INDEX(i); out(i) = x(i) * by; }"#,
        host host::rows,
    }
    kernel scale_cols(x: &[f32; n], by: f32) -> [f32; n] {
        over [n],
        cuda r#"KERNEL(scale_cols) { INDEX(i); out(i) = x(i) * by; }"#,
        host host::cols,
    }

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        let a: [f32; n] = scale_rows(&x, 2.0);
        output y: [f32; n] = scale_cols(&a, 3.0);
    }
}

mod host {
    pub fn rows(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale_rows::Dims) {}
    pub fn cols(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale_cols::Dims) {}
}

fn main() {}
