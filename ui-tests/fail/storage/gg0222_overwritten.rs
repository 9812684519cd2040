use gpu_graph::gpu_graph;

gpu_graph! {
    kernel outer(a: &[f32; m], b: &[f32; n]) -> [f32; m, n] = a * b;
    kernel bump(x: &[f32; m, n]) -> [f32; m, n] = x + 1f32;
    kernel rows(x: &[f32; m, n]) -> [f32; m] = sum(x);
    kernel weigh(x: &[f32; m, n], by: &[f32; m]) -> [f32; m] = sum(x * by);
    kernel twice(x: &[f32; n]) -> [f32; n] = x + x;

    pub graph G {
        dim m in 2..=256;
        dim n in 2..=256;
        input a: [f32; m];
        input b: [f32; n];
        let s: [f32; n] = twice(&b);
        recompute let t: [f32; m, n] = outer(&a, &s);
        let p: [f32; m, n] = bump(&t);
        let v: [f32; m] = rows(&p);
        s = twice(&b);
        let q: [f32; m, n] = outer(&v, &s);
        let r: [f32; m] = rows(&q);
        'z: output y: [f32; m] = weigh(&t, &r);
        recompute t before 'z;
    }
}

fn main() {}
