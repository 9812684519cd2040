use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] {
        over [n],
        cuda r#"KERNEL(square) { INDEX(i); out(i) = x(i) * x(i); }"#,
        host host::square,
        in place x host host::square_in_place,
    }

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        let once: [f32; n] = square(&x);
        output y: [f32; n] = square(&once);
    }
}

mod host {
    pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
    pub fn square_in_place(_x: &mut [f32], _: super::square::Dims) {}
}

fn main() {}
