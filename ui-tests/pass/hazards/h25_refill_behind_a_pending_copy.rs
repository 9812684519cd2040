//! H25: one storage for both, refilled once the copy of the first content is over; and one resource
//! that is refilled, which is ordered behind the copy by itself.

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
        v = fill();
        let d: [f32; n] = upload(&v);
        alias v with k;
        order 'copy_k -> 'fill_v;
        let c: [f32; n] = scale(&a, 2.0);
        let e: [f32; n] = add(&c, &d);
        output y: [f32; n] = add(&b, &e);
    }
}

mod host {
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale::Dims) {}
    pub fn add(_x: &[f32], _y: &[f32], _out: &mut [f32], _: super::add::Dims) {}
    pub fn fill(_out: &mut [f32], _: super::fill::Dims) {}
}

fn main() {}
