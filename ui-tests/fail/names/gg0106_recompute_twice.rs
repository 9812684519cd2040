use gpu_graph::gpu_graph;

gpu_graph! {
    kernel outer(a: &[f32; m], b: &[f32; n]) -> [f32; m, n] = a * b;
    kernel bump(x: &[f32; m, n]) -> [f32; m, n] = x + 1f32;
    kernel rows(x: &[f32; m, n]) -> [f32; m] = sum(x);
    kernel weigh(x: &[f32; m, n], by: &[f32; m]) -> [f32; m] = sum(x * by);

    pub graph G {
        dim m in 2..=256;
        dim n in 2..=256;
        input a: [f32; m];
        input b: [f32; n];
        recompute let t: [f32; m, n] = outer(&a, &b);
        'first: let p: [f32; m, n] = bump(&t);
        let v: [f32; m] = rows(&p);
        'z: output y: [f32; m] = weigh(&t, &v);
        recompute t before 'z;
        recompute t before 'z;
    }
}

fn main() {}
