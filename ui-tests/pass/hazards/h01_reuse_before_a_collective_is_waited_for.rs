//! H01: `t1` takes the storage of `a` once the collective that reads it was waited for, on
//! another stream.

use gpu_graph::gpu_graph;

gpu_graph! {
    opaque lib(x: &[f32; n]) -> [f32; n] { host host::lib }
    kernel wait(x: &[f32; n]) -> [f32; n] { host host::wait }
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }

    pub graph G {
        dim n in 2..=1024;
        streams 3;
        input x: [f32; n];
        let a: [f32; n] = scale(&x, 2.0);
        'reduce: let b: [f32; n] = lib(&a) retains a until 'wait;
        'wait: let c: [f32; n] = wait(&b);
        'q: let t1: [f32; n] = scale(&x, 3.0);
        order 'wait -> 'q;
        alias t1 with a;
        output y: [f32; n] = add(&c, &t1);
    }
}

mod host {
    pub fn lib(_x: &[f32], _out: &mut [f32], _: super::lib::Dims) {}
    pub fn wait(_x: &[f32], _out: &mut [f32], _: super::wait::Dims) {}
    pub fn add(_x: &[f32], _y: &[f32], _out: &mut [f32], _: super::add::Dims) {}
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale::Dims) {}
}

fn main() {}
