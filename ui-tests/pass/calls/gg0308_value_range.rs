use gpu_graph::gpu_graph;

gpu_graph! {
    kernel shift(x: &[u8; n], by: u8) -> [u8; n] { host host::shift }

    pub graph G {
        dim n in 1..=1024;
        input x: [u8; n];
        output y: [u8; n] = shift(&x, 255);
    }
}

mod host {
    pub fn shift(_x: &[u8], _by: u8, _out: &mut [u8], _: super::shift::Dims) {}
}

fn main() {}
