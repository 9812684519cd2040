use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] { host host::square }
    kernel relu(x: &[f32; n]) -> [f32; n] {
        host host::relu,
        in place x host host::relu_in_place,
    }
    kernel negate(x: &[f32; n]) -> [f32; n] { host host::negate }
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        let a: [f32; n] = square(&x);
        'update: let b: [f32; n] = relu(&a);
        'other: let c: [f32; n] = negate(&a);
        alias b with a;
        output y: [f32; n] = add(&b, &c);
    }
}

mod host {
    pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
    pub fn relu(_x: &[f32], _out: &mut [f32], _: super::relu::Dims) {}
    pub fn relu_in_place(_x: &mut [f32], _: super::relu::Dims) {}
    pub fn negate(_x: &[f32], _out: &mut [f32], _: super::negate::Dims) {}
    pub fn add(_x: &[f32], _y: &[f32], _out: &mut [f32], _: super::add::Dims) {}
}

fn main() {}
