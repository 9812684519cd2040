use gpu_graph::gpu_graph;

gpu_graph! {
    opaque lib(x: &[f32; n]) -> [f32; n] { host host::lib, retains result }
    kernel wait(x: &[f32; n]) -> [f32; n] { host host::wait }
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }

    pub graph G {
        dim n in 2..=1024;
        input x: [f32; n];
        let a: [f32; n] = lib(&x) retains a until 'wait;
        let b: [f32; n] = add(&a, &x);
        'wait: let c: [f32; n] = wait(&x);
        output y: [f32; n] = add(&b, &c);
    }
}

mod host {
    pub fn lib(_x: &[f32], _out: &mut [f32], _: super::lib::Dims) {}
    pub fn wait(_x: &[f32], _out: &mut [f32], _: super::wait::Dims) {}
    pub fn add(_x: &[f32], _y: &[f32], _out: &mut [f32], _: super::add::Dims) {}
}

fn main() {}
