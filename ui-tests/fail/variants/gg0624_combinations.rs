use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }

    pub graph G {
        dim n in 1..=1024;
        variant a { a0, a1, a2, a3, a4 }
        variant b { b0, b1, b2, b3 }
        input x: [f32; n];
        let t: [f32; n];
        match a { a0 => { t = scale(&x, 1.0); } _ => { t = scale(&x, 2.0); } }
        output y: [f32; n];
        match b { b0 => { y = scale(&t, 1.0); } _ => { y = scale(&t, 2.0); } }
    }
}

mod host {
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale::Dims) {}
}

fn main() {}
