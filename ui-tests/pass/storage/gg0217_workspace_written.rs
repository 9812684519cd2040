use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] { host host::square }
    kernel sort(x: &[f32; n], room: &mut [f32; n]) -> [f32; n] { host host::sort }

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        let room: [f32; n];
        room = square(&x);
        output y: [f32; n] = sort(&x, &mut room);
    }
}

mod host {
    pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
    pub fn sort(_x: &[f32], _room: &mut [f32], _out: &mut [f32], _: super::sort::Dims) {}
}

fn main() {}
