use gpu_graph::gpu_graph;

gpu_graph! {
    // A buffer that is cached by device and shape, and not by stream.
    kernel pack(x: &[f32; n], staged: &mut [u8; m]) -> [f32; n] { host host::pack }

    pub graph G {
        dim n in 1..=1024;
        streams 2;
        input x: [f32; n];
        input y: [f32; n];
        workspace staged: bytes(4 * n);
        'left: output a: [f32; n] = pack(&x, &mut staged);
        'right: output b: [f32; n] = pack(&y, &mut staged);
        order 'left -> 'right;
    }
}

mod host {
    pub fn pack(_x: &[f32], _staged: &mut [u8], _out: &mut [f32], _: super::pack::Dims) {}
}

fn main() {}
