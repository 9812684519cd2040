use gpu_graph::gpu_graph;

gpu_graph! {
    kernel count(x: &[u32; n]) -> [u32; n] { host host::count }

    pub graph G {
        dim n in 1..=1024;
        input x: [u32; n];
        output y: [u32; n] = count(&x);
    }
}

mod host {
    pub fn count(_x: &[u32], _out: &mut [u32], _: super::count::Dims) {}
}

fn main() {}
