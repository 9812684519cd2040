//! H34: `scratch` takes the storage of `t`, which is over before the loop; `inv` is live in all of it.

use gpu_graph::gpu_graph;

gpu_graph! {
    kernel add_to(x: &mut [f32; n], y: &[f32; n]) { host host::add_to }
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }

    pub graph G {
        dim n in 2..=1024;
        input x: [f32; n];
        let t: [f32; n] = scale(&x, 1.0);
        let inv: [f32; n] = scale(&t, 2.0);
        output sum: [f32; n] = scale(&x, 0.0);
        for i in 0..3 {
            let used: [f32; n] = add(&inv, &sum);
            let scratch: [f32; n] = scale(&used, 0.5);
            alias scratch with t;
            add_to(&mut sum, &scratch);
        }
    }
}

mod host {
    pub fn add_to(_x: &mut [f32], _y: &[f32], _: super::add_to::Dims) {}
    pub fn add(_x: &[f32], _y: &[f32], _out: &mut [f32], _: super::add::Dims) {}
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale::Dims) {}
}

fn main() {}
