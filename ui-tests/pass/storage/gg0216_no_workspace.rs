use gpu_graph::gpu_graph;

gpu_graph! {
    kernel histogram(x: &[u8; n]) -> [u32; 256] { host host::histogram }
    kernel count(x: &[u8; n], seen: &mut [u32; m]) -> [u32; m] { zeroed seen, host host::count }

    pub graph G {
        dim n in 1..=1024;
        input x: [u8; n];
        workspace seen: [u32; 256] zeroed;
        output counts: [u32; 256] = count(&x, &mut seen);
    }
}

mod host {
    pub fn histogram(_x: &[u8], _out: &mut [u32], _: super::histogram::Dims) {}
    pub fn count(_x: &[u8], _seen: &mut [u32], _out: &mut [u32], _: super::count::Dims) {}
}

fn main() {}
