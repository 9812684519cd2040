use gpu_graph::gpu_graph;

gpu_graph! {
    kernel f(x: &[f16; n], y: &[f32; n]) -> [f32; n] = x as f32 * y;

    pub graph G {
        dim n in 1..=1024;
        input x: [f16; n];
        input y: [f32; n];
        output z: [f32; n] = f(&x, &y);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut g = G::load(&gpu_graph::host(), g::Dims { n: 1 })?;
    let run = g.run(g::Inputs { x: &[gpu_graph::f16::from_f32(1.5)], y: &[3.0] })?;
    assert_eq!(run.z()?.to_vec()?, [4.5]);
    Ok(())
}
