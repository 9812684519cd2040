use gpu_graph::gpu_graph;

gpu_graph! {
    kernel louder(x: &[i16; n]) -> [i16; n] = x * gain;

    pub graph G {
        dim n in 1..=1024;
        input x: [i16; n];
        output y: [i16; n] = louder(&x);
    }
}

fn main() {}
