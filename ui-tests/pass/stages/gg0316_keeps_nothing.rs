use gpu_graph::gpu_graph;

gpu_graph! {
    opaque lib(x: &[f32; n]) -> [f32; n] { host host::lib, retains x }
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }
    kernel wait(x: &[f32; n]) -> [f32; n] { host host::wait }
    stage both(x: &[f32; n]) -> [f32; n] {
        let t: [f32; n] = lib(&x);
        scale(&t, 2.0)
    }

    pub graph G {
        dim n in 2..=1024;
        input x: [f32; n];
        let a: [f32; n] = scale(&x, 2.0);
        let b: [f32; n] = both(&a) retains a until 'wait;
        'wait: output y: [f32; n] = wait(&b);
    }
}

mod host {
    pub fn lib(_x: &[f32], _out: &mut [f32], _: super::lib::Dims) {}
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale::Dims) {}
    pub fn wait(_x: &[f32], _out: &mut [f32], _: super::wait::Dims) {}
}

fn main() {}
