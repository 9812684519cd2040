use gpu_graph::gpu_graph;

gpu_graph! {
    kernel load(x: &[f32; n]) -> [f32; n] { host host::load, cost 10 us }
    kernel compute(x: &[f32; n]) -> [f32; n] { host host::compute, cost 10 us }

    pub graph Tiles {
        dim n in 2..=1024;
        input x: [f32; n];
        let tile_a: [f32; n] = load(&x);
        'c0: output first: [f32; n] = compute(&tile_a);
        'l1: let tile_b: [f32; n] = load(&x);
        output second: [f32; n] = compute(&tile_b);
        alias tile_b with tile_a;
    }
}

mod host {
    pub fn load(_x: &[f32], _out: &mut [f32], _: super::load::Dims) {}
    pub fn compute(_x: &[f32], _out: &mut [f32], _: super::compute::Dims) {}
}

fn main() {}
