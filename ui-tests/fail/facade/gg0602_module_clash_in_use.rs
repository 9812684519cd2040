use gpu_graph::gpu_graph;

gpu_graph! {
    kernel copy(x: &[f32; n]) -> [f32; n] { host host::copy }

    pub graph Copy {
        dim h in 1..=1024;
        input x: [f32; h];
        output y: [f32; h] = copy(&x);
    }
}

mod host {
    pub fn copy(x: &[f32], out: &mut [f32], dims: super::copy::Dims) {
        assert_eq!(dims.n, x.len());
        out.copy_from_slice(x);
    }
}

fn main() {
    let mut graph = Copy::load(&gpu_graph::host(), copy::Dims { h: 2 }).unwrap();
    let run = graph.run(copy::Inputs { x: &[1.0, 2.0] }).unwrap();
    assert_eq!(run.y().unwrap().to_vec().unwrap(), [1.0, 2.0]);
}
