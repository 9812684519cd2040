use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] { host host::square }
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }
    kernel gain(x: &[f32; n], by: f32) -> [f32; n] { host host::gain }

    pub graph G {
        dim n in 1..=1024;
        dim m in 1..=64;
        pipelined 1;
        input x: [f32; n];
        input z: [f32; m];
        let a: [f32; n] = square(&x);
        let b: [f32; n] = square(&x);
        let c: [f32; n] = gain(&b, 1e6);
        output y: [f32; n] = add(&a, &c);
        output w: [f32; m] = square(&z);
    }
}

mod host {
    pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
    pub fn add(_x: &[f32], _y: &[f32], _out: &mut [f32], _: super::add::Dims) {}
    pub fn gain(_x: &[f32], _by: f32, _out: &mut [f32], _: super::gain::Dims) {}
}

fn main() {}
