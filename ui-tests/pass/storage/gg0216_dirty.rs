use gpu_graph::gpu_graph;

gpu_graph! {
    kernel mark(x: &[u8; n], seen: &mut [u32; m]) -> [u8; n] { host host::mark }
    kernel count(x: &[u8; n], seen: &mut [u32; m]) -> [u32; m] { zeroed seen, host host::count }

    pub graph G {
        dim n in 1..=1024;
        input x: [u8; n];
        workspace seen: [u32; 256] zeroed;
        let marked: [u8; n] = mark(&x, &mut seen);
        output counts: [u32; 256] = count(&marked, &mut seen);
    }
}

mod host {
    pub fn mark(_x: &[u8], _seen: &mut [u32], _out: &mut [u8], _: super::mark::Dims) {}
    pub fn count(_x: &[u8], _seen: &mut [u32], _out: &mut [u32], _: super::count::Dims) {}
}

fn main() {}
