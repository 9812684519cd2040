use gpu_graph::gpu_graph;

mod kernels {
    gpu_graph::gpu_graph! {
        pub kernel scale(x: &[f32; h, w], by: f32) -> [f32; h, w] { host super::host::scale }
        pub kernel library(x: &[f32; h, w]) -> [f32; h, w] { host super::host::library }
        pub callback notify(x: &[f32; h, w]) { host super::host::library_in }
        pub kernel add(x: &[f32; h, w], sum: &mut [f32; h, w]) { host super::host::add }
        pub kernel count(x: &[f32; h, w], seen: &mut [u32; h]) -> [u32; h] {
            zeroed seen,
            host super::host::count,
        }
    }
}

gpu_graph! {
    pub graph G {
        dim h in 1..=64;
        dim w in 1..=64;
        input x: [f32; h, w];
        let a: [f32; h, w] = kernels::scale::<h, w>(&x, 2.0f32);
        let b: [f32; h, w] = kernels::scale::<h, w>(&x, 2.0f32);
        let c: [f32; h, w] = kernels::scale::<h, w>(&x, 2.0f32);
        let d: [f32; h, w] = kernels::scale::<h, w>(&x, 2.0f32);
        let k: [f32; h, w] = kernels::library::<h, w>(&x);
        staging s: [f32; h, w] = download(&k);
        kernels::notify::<h, w>(&s);
        let e: [f32; h, w] = kernels::scale::<h, w>(&x, 2.0f32);
        kernels::add::<h, w>(&a, &mut b);
        kernels::add::<h, w>(&c, &mut d);
        workspace seen: [u32; h] zeroed;
        output counts: [u32; h] = kernels::count::<h, w>(&x, &mut seen);
        kernels::add::<h, w>(&d, &mut e);
        output y: [f32; h, w] = kernels::scale::<h, w>(&b, 1.0f32);
        output z: [f32; h, w] = kernels::scale::<h, w>(&e, 1.0f32);
    }
}

mod host {
    pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::kernels::scale::Dims) {}
    pub fn count(
        _x: &[f32],
        _seen: &mut [u32],
        _out: &mut [u32],
        _: super::kernels::count::Dims,
    ) {
    }
    pub fn library(_x: &[f32], _out: &mut [f32], _: super::kernels::library::Dims) {}
    pub fn library_in(_x: &[f32], _: super::kernels::notify::Dims) {}
    pub fn add(_x: &[f32], _sum: &mut [f32], _: super::kernels::add::Dims) {}
}

fn main() {}
