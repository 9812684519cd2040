use gpu_graph::gpu_graph;

gpu_graph! {
    kernel square(x: &[f32; n]) -> [f32; n] { host host::square }

    pub graph G {
        dim n in 1..=1024;
        input x1: [f32; n] in domain d1;
        output y1: [f32; n] in domain d1 = square(&x1);
        input x2: [f32; n] in domain d2;
        output y2: [f32; n] in domain d2 = square(&x2);
        input x3: [f32; n] in domain d3;
        output y3: [f32; n] in domain d3 = square(&x3);
        input x4: [f32; n] in domain d4;
        output y4: [f32; n] in domain d4 = square(&x4);
        input x5: [f32; n] in domain d5;
        output y5: [f32; n] in domain d5 = square(&x5);
        input x6: [f32; n] in domain d6;
        output y6: [f32; n] in domain d6 = square(&x6);
        input x7: [f32; n] in domain d7;
        output y7: [f32; n] in domain d7 = square(&x7);
        input x8: [f32; n] in domain d8;
        output y8: [f32; n] in domain d8 = square(&x8);
        input x9: [f32; n] in domain d9;
        output y9: [f32; n] in domain d9 = square(&x9);
        input x10: [f32; n] in domain d10;
        output y10: [f32; n] in domain d10 = square(&x10);
        input x11: [f32; n] in domain d11;
        output y11: [f32; n] in domain d11 = square(&x11);
        input x12: [f32; n] in domain d12;
        output y12: [f32; n] in domain d12 = square(&x12);
        input x13: [f32; n] in domain d13;
        output y13: [f32; n] in domain d13 = square(&x13);
        input x14: [f32; n] in domain d14;
        output y14: [f32; n] in domain d14 = square(&x14);
        input x15: [f32; n] in domain d15;
        output y15: [f32; n] in domain d15 = square(&x15);
        input x16: [f32; n];
        output y16: [f32; n] = square(&x16);
    }
}

mod host {
    pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
}

fn main() {}
