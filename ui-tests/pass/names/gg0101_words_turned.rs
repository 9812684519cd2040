use gpu_graph::gpu_graph;

gpu_graph! {
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        resident input gain: [f32; n];
        output y: [f32; n] = add(&x, &gain);
    }
}

mod host {
    pub fn add(_x: &[f32], _y: &[f32], _out: &mut [f32], _: super::add::Dims) {}
}

fn main() {
    let mut graph = G::load(&gpu_graph::host(), g::Dims { n: 2 }).unwrap();
    graph.set_gain(&[1.0, 2.0]).unwrap();
}
