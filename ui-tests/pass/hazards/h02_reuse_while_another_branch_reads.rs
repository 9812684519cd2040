use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] { host host::square }
    kernel negate(x: &[f32; n]) -> [f32; n] { host host::negate }
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        let a: [f32; n] = square(&x);
        'b: let b: [f32; n] = negate(&a);
        'c: let c: [f32; n] = square(&a);
        'd: let d: [f32; n] = negate(&b);
        order 'c -> 'd;
        alias d with a;
        let e: [f32; n] = add(&b, &c);
        output y: [f32; n] = add(&e, &d);
    }
}

mod host {
    pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
    pub fn negate(_x: &[f32], _out: &mut [f32], _: super::negate::Dims) {}
    pub fn add(_x: &[f32], _y: &[f32], _out: &mut [f32], _: super::add::Dims) {}
}

fn main() {}
