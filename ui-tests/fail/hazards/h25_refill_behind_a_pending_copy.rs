//! H25: `v` would be filled in the storage that the copy of `k` may still read.

use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }
    callback fill() -> [f32; n] { host host::fill }

    pub graph G {
        dim n in 1..=1024;
        'fill_k: staging k: [f32; n] = fill();
        'copy_k: let a: [f32; n] = upload(&k);
        'fill_v: staging v: [f32; n] = fill();
        let b: [f32; n] = upload(&v);
        alias v with k;
        let c: [f32; n] = scale(&a, 2.0);
        output y: [f32; n] = add(&b, &c);
    }
}

mod host {
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale::Dims) {}
    pub fn add(_x: &[f32], _y: &[f32], _out: &mut [f32], _: super::add::Dims) {}
    pub fn fill(_out: &mut [f32], _: super::fill::Dims) {}
}

fn main() {}
