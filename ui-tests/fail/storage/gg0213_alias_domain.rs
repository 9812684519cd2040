use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] { host host::square }

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n] in domain red;
        input y: [f32; n] in domain blue;
        let a: [f32; n] in domain red = square(&x);
        output b: [f32; n] in domain red = square(&a);
        let c: [f32; n] in domain blue = square(&y);
        alias c with a;
        output d: [f32; n] in domain blue = square(&c);
    }
}

mod host {
    pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
}

fn main() {}
