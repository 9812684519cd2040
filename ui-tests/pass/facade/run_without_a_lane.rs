use gpu_graph::gpu_graph;

gpu_graph! {
    kernel gain(x: &[f32; n], by: f32) -> [f32; n] { host host::gain }

    pub graph G {
        dim n in 1..=1024;
        pipelined 2;
        input x: [f32; n];
        output y: [f32; n] = gain(&x, 2.0);
    }
}

mod host {
    pub fn gain(_x: &[f32], _by: f32, _out: &mut [f32], _: super::gain::Dims) {}
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut g = G::load(&gpu_graph::host(), g::Dims { n: 1 })?;
    let [mut lane, _other] = g.lanes();
    lane.run(g::Inputs { x: &[1.0] })?;
    Ok(())
}
