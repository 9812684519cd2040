use gpu_graph::gpu_graph;

gpu_graph! {
    kernel many(x: &[f32; n], p0: u64, p1: u64, p2: u64, p3: u64, p4: u64, p5: u64, p6: u64, p7: u64) -> [f32; n] { host host::many }

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        output y: [f32; n] = many(&x, 0, 0, 0, 0, 0, 0, 0, 0);
    }
}

mod host {
    #[allow(clippy::too_many_arguments)]
    pub fn many(_x: &[f32], _: u64, _: u64, _: u64, _: u64, _: u64, _: u64, _: u64, _: u64, _out: &mut [f32], _: super::many::Dims) {}
}

fn main() {}
