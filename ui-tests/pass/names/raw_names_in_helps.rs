use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }

    pub graph G {
        dim r#move in 2..=1024;
        scalar r#ref: f32;
        input r#type: [f32; r#move];
        let r#loop: [f32; r#move] = scale(&r#type, r#ref);
        let a: [f32; r#move] = scale(&r#type, r#ref);
        let b: [f32; r#move] = scale(&r#type, r#ref);
        output y: [f32; r#move] = scale(&r#type, 2.0);
        output r#yield: [f32; r#move] = scale(&r#loop, r#ref);
        output z: [f32; r#move] = scale(&a, r#ref);
        output v: [f32; r#move] = scale(&b, r#ref);
    }
}

mod host {
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale::Dims) {}
}

fn main() {}
