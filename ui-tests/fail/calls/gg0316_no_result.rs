use gpu_graph::gpu_graph;

gpu_graph! {
    opaque lib(x: &mut [f32; n]) { host host::lib, retains result }
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }

    pub graph G {
        dim n in 2..=1024;
        input x: [f32; n];
        let a: [f32; n] = scale(&x, 2.0);
        lib(&mut a);
        output y: [f32; n] = scale(&a, 2.0);
    }
}

mod host {
    pub fn lib(_x: &mut [f32], _: super::lib::Dims) {}
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale::Dims) {}
}

fn main() {}
