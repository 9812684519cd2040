use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] { host host::square }
    kernel square(x: &[f32; n]) -> [f32; n] { host host::negate }
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        let gx: [f32; n] = square(&x);
        let gy: [f32; n] = negate(&x);
        output y: [f32; n] = add(&gx, &gy);
    }
}

mod host {
    pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
    pub fn negate(_x: &[f32], _out: &mut [f32], _: super::negate::Dims) {}
    pub fn add(_x: &[f32], _y: &[f32], _out: &mut [f32], _: super::add::Dims) {}
}

fn main() {}
