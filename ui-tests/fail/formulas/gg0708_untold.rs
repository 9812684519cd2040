use gpu_graph::gpu_graph;

gpu_graph! {
    kernel blur(src: &[f32; h, w]) -> [f32; hh, w] {
        over [h, w] block [8, 32],
        cuda r#"
            KERNEL(blur) {
                INDEX(y, x);
                out(y, x) = (src(y, x > 0 ? x - 1 : 0) + src(y, x)) / 2.0f;
            }
        "#,
        host host::blur,
    }

    pub graph G {
        dim h in 1..=1024;
        dim w in 1..=1024;
        input x: [f32; h, w];
        output y: [f32; h, w] = blur(&x);
    }
}

mod host {
    pub fn blur(src: &[f32], out: &mut [f32], d: super::blur::Dims) {
        for (out, src) in out.chunks_mut(d.w).zip(src.chunks(d.w)) {
            for (x, out) in out.iter_mut().enumerate() {
                *out = (src[x.saturating_sub(1)] + src[x]) / 2.0;
            }
        }
    }
}

fn main() {}
