use gpu_graph::gpu_graph;

mod kernels {
    gpu_graph::gpu_graph! {
        pub kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host super::host::scale }
    }
}

gpu_graph! {
    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        output y: [f32; n] = kernels::scale::<n>(&x, 2.0f32);
    }
}

mod host {
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::kernels::scale::Dims) {}
}

fn main() {}
