use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }

    pub graph G {
        dim n in 1..=1024;
        variant side { left, right }
        input x: [f32; n];
        let a: [f32; n];
        let b: [f32; n];
        let from_left: [f32; n];
        let from_right: [f32; n];
        match side {
            left => {
                a = scale(&x, 2.0);
                from_left = scale(&a, 3.0);
                from_right = scale(&x, 1.0);
            }
            right => {
                from_left = scale(&x, 1.0);
                b = scale(&x, 4.0);
                from_right = scale(&b, 5.0);
            }
        }
        alias b with a;
        output y: [f32; n] = add(&from_left, &from_right);
    }
}

mod host {
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::scale::Dims) {}
    pub fn add(_x: &[f32], _y: &[f32], _out: &mut [f32], _: super::add::Dims) {}
}

fn main() {}
