use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] { host host::square }

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        output y: [f32; n] = square(&x);
    }
}

mod host {
    pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut g = G::load(&gpu_graph::host(), g::Dims { n: 2 })?;
    let first = g.run(g::Inputs { x: &[1.0, 2.0] })?;
    let y = first.y()?.to_vec()?;
    g.run(g::Inputs { x: &[3.0, 4.0] })?;
    println!("{y:?}");
    Ok(())
}
