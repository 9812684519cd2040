use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }

    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }

    pub graph G {
        dim n in 1..=1024;
        input x: [f32; n];
        output wait_out: [f32; n] = scale(&x, 1.0);
        'scale: output a: [f32; n] = scale(&x, 1.0);
        output wait: [f32; n] = scale(&x, 2.0);
        scale(&x, 3.0);
        let scale_out: [f32; n] = scale(&x, 1.0);
        'scale: output b: [f32; n] = scale(&scale_out, 1.0);
        output scale_2: [f32; n] = scale(&scale_out, 1.0);
    }
}

mod host {
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale::Dims) {}
}

fn main() {}
