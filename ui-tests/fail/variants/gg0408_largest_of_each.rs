use gpu_graph::gpu_graph;

gpu_graph! {
    kernel copy(x: &[f32; n]) -> [f32; n] { host host::copy }
    kernel spread(x: &[f32; n]) -> [f32; m] { host host::spread }
    callback fill(x: &[f32; n]) -> [f32; m] { host host::spread }

    pub graph G {
        budget 900 KiB;
        variant of { device, host }
        input x: [f32; 64];
        output y: [f32; 64];
        match of {
            device => {
                let big: [f32; 100_000] = spread(&x);
                let more: [f32; 100_000] = copy(&big);
                y = copy(&more[..64]);
            }
            host => {
                staging s: [f32; 64] = download(&x);
                staging big: [f32; 200_000] = fill(&s);
                let u: [f32; 64] = upload(&big[..64]);
                y = copy(&u);
            }
        }
    }
}

mod host {
    pub fn copy<D>(x: &[f32], out: &mut [f32], _: D) {
        out.copy_from_slice(x);
    }
    pub fn spread<D>(x: &[f32], out: &mut [f32], _: D) {
        out.fill(x[0]);
    }
}

fn main() {}
