//! H35: a chain of updates from what each run copies.

use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] {
        host host::scale,
        in place x host host::scale_in_place,
    }
    kernel total(x: &[f32; n]) -> [f32; 1] { host host::total }

    pub graph G {
        dim n in 1..=1024;
        input mut x: [f32; n];
        let y: [f32; n] = scale(&x, 3.0);
        alias y with x;
        output sums: [f32; 3];
        for l in 0..3 {
            sums[l..l + 1] = total(&y);
        }
        output z: [f32; n] = scale(&y, 5.0);
    }
}

mod host {
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale::Dims) {}
    pub fn scale_in_place(_x: &mut [f32], _by: f32, _: super::scale::Dims) {}
    pub fn total(_x: &[f32], _out: &mut [f32], _: super::total::Dims) {}
}

fn main() {
    let why = G::RECORD.explain("x", "y").unwrap().to_string();
    assert!(why.contains("share bytes 0..4096, as demanded"), "{why}");
}
