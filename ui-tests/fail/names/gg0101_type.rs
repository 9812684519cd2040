use gpu_graph::gpu_graph;

gpu_graph! {
    kernel gain(x: &[f32; n], by: f32) -> [f32; n] { host host::gain }

    pub graph G {
        dim n in 1..=1024;
        dim m: 1..=64;
        scalar by: usize;
        input x [f32; n];
        input w: [m; f32];
        output y: [f32, n] = gain(&x, by);
        output z: [f32; m] = gain(&w, by);
    }
}

mod host {
    pub fn gain(_x: &[f32], _by: f32, _out: &mut [f32], _: super::gain::Dims) {}
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut g = G::load(&gpu_graph::host(), g::Dims { n: 1, m: 2 })?;
    let (x, w) = (&[1.0], &[1.0, 2.0]);
    let run = g.run(g::Inputs { x, w, by: 2.0 })?;
    assert_eq!(run.y()?.to_vec()?, [0.0]);
    run.z()?;
    Ok(())
}
