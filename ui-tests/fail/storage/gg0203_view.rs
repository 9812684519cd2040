//! A view is used after its owner's storage is given to another resource.

use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }
    kernel wait(x: &[f32; n]) -> [f32; n] { host host::wait }

    pub graph G {
        dim n in 2..=1024;
        input x: [f32; n];
        let a: [f32; n] = scale(&x, 2.0);
        view first = &a[..n / 2];
        let b: [f32; n] = wait(&a);
        let c: [f32; n] = scale(&b, 2.0);
        alias c with a;
        output z: [f32; n / 2] = scale(&first, 2.0);
        output y: [f32; n] = add(&b, &c);
    }
}

mod host {
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale::Dims) {}
    pub fn add(_x: &[f32], _y: &[f32], _out: &mut [f32], _: super::add::Dims) {}
    pub fn wait(_x: &[f32], _out: &mut [f32], _: super::wait::Dims) {}
}

fn main() {}
