use gpu_graph::gpu_graph;

gpu_graph! {
    kernel scale(x: &[i32; n], by: i32) -> [i32; n] = x * by;

    pub graph G {
        dim n in 1..=1024;
        input x: [i32; n];
        output y: [i32; n] = scale(&x, 2);
    }
}

fn main() {}
