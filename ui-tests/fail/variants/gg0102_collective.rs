use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }
    collective all_reduce(x: &[f32; n]) -> [f32; n] { host host::all_reduce }

    pub graph G {
        dim n in 1..=1024;
        variant mode { prefill, decode }
        input x: [f32; n];
        let t: [f32; n];
        match mode {
            prefill => { t = scale(&x, 1.0); }
            decode => { t = scale(&x, 2.0); }
        }
        output y: [f32; n] = all_reduce(&t);
    }
}

mod host {
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale::Dims) {}
    pub fn all_reduce(_x: &[&[f32]], _out: &mut [f32], _: super::all_reduce::Dims) {}
}

fn main() {}
