use gpu_graph::gpu_graph;

gpu_graph! {
    kernel outer(a: &[f32; m], b: &[f32; n]) -> [f32; m, n] = a * b;
    kernel bump(x: &[f32; m, n]) -> [f32; m, n] = x + 1f32;
    kernel rows(x: &[f32; m, n]) -> [f32; m] = sum(x);
    kernel weigh(x: &[f32; m, n], by: &[f32; m]) -> [f32; m] = sum(x * by);
    kernel twice(x: &[f32; n]) -> [f32; n] = x + x;
    kernel columns(x: &[f32; m, n], by: &[f32; m]) -> [f32; n] = sum(x * by);

    pub graph G {
        dim m in 2..=256;
        dim n in 2..=256;
        input a: [f32; m];
        input b: [f32; n];
        let s: [f32; n] = twice(&b);
        recompute let t: [f32; m, n] = outer(&a, &s);
        let p: [f32; m, n] = bump(&t);
        let v: [f32; m] = rows(&p);
        let g: [f32; n] = columns(&p, &v);
        'z: output y: [f32; m] = weigh(&t, &v);
        output x: [f32; n] = twice(&g);
        recompute t before 'z;
    }
}

fn main() {}
