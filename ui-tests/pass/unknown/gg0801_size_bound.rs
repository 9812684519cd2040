use gpu_graph::gpu_graph;

gpu_graph! {
    kernel sort(x: &[f32; n], room: &mut [u8; m]) -> [f32; n] { host host::sort }

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        workspace room: bytes(8 * n);
        output y: [f32; n] = sort(&x, &mut room);
    }
}

mod host {
    pub fn sort(_x: &[f32], _room: &mut [u8], _out: &mut [f32], _: super::sort::Dims) {}
}

fn main() {}
