use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }
    callback fill() -> [f32; n] { host host::fill }

    pub graph G {
        dim n in 1..=1024;
        pipelined 3;
        staging s: [f32; n] = fill();
        let x: [f32; n] = upload(&s);
        output y: [f32; n] = scale(&x, 2.0);
    }
}

mod host {
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale::Dims) {}
    pub fn fill(_out: &mut [f32], _: super::fill::Dims) {}
}

fn main() {}
