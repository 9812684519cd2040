//! Graphs of whole numbers, on streams and as graphs of the device's own, and one of floats.

use gpu_graph::gpu_graph;

mod host {
    use super::{bump, scale, twice};

    pub fn scale(x: &[u32], by: u32, out: &mut [u32], _: scale::Dims) {
        let scaled = x.iter().map(|x| x.wrapping_mul(by));
        out.iter_mut().zip(scaled).for_each(|(o, x)| *o = x);
    }
    pub fn scale_in_place(x: &mut [u32], by: u32, _: scale::Dims) {
        x.iter_mut().for_each(|x| *x = x.wrapping_mul(by));
    }
    pub fn bump(sum: &mut [u32], x: &[u32], _: bump::Dims) {
        let all = sum.iter_mut().zip(x);
        all.for_each(|(sum, x)| *sum = sum.wrapping_add(*x));
    }
    pub fn twice(x: &mut [u32], _: twice::Dims) {
        assert!(x.first() != Some(&super::TOO_MUCH), "too much");
        x.iter_mut().for_each(|x| *x = x.wrapping_mul(2));
    }
}

/// What the callback does not take.
pub const TOO_MUCH: u32 = 1_000_000;

gpu_graph! {
    kernel scale(x: &[u32; n], by: u32) -> [u32; n] {
        over [n] block [128],
        cuda r#"
            KERNEL(scale) { INDEX(i); out(i) = x(i) * by; }
            KERNEL(scale_in_place) { INDEX(i); x(i) *= by; }
        "#,
        host host::scale,
        in place x host host::scale_in_place,
    }
    kernel add(x: &[u32; n], y: &[u32; n]) -> [u32; n] = x + y;
    kernel bump(sum: &mut [u32; n], x: &[u32; n]) {
        over [n],
        cuda r#"KERNEL(bump) { INDEX(i); sum(i) += x(i); }"#,
        host host::bump,
    }
    kernel mix(x: &[f32; n], y: &[f32; n], by: f32) -> [f32; n] = x * by + y / (1.0f32 + x * x);
    callback twice(x: &mut [u32; n]) { host host::twice }

    /// A diamond on two streams.
    pub graph OnStreams {
        dim n in 1..=1_000_000;
        streams 2;
        input x: [u32; n];
        scalar by: u32;
        let a: [u32; n] = scale(&x, by);
        let b: [u32; n] = scale(&x, 3);
        let c: [u32; n] = scale(&a, by);
        output y: [u32; n] = add(&b, &c);
    }
    /// The same as a graph.
    pub graph AsGraph {
        dim n in 1..=1_000_000;
        streams 2;
        issue graph;
        input x: [u32; n];
        scalar by: u32;
        let a: [u32; n] = scale(&x, by);
        let b: [u32; n] = scale(&x, 3);
        let c: [u32; n] = scale(&a, by);
        output y: [u32; n] = add(&b, &c);
    }

    /// What runs leave, what is set between them, and a callback on staging.
    pub graph KeptOnStreams {
        dim n in 1..=1_000_000;
        streams 3;
        resident input w: [u32; n];
        inout sum: [u32; n];
        input x: [u32; n];
        let wx: [u32; n] = add(&w, &x);
        staging s: [u32; n] = download(&wx);
        twice(&mut s);
        let d: [u32; n] = upload(&s);
        bump(&mut sum, &d);
        output y: [u32; n] = add(&sum, &x);
    }
    /// The same as a graph.
    pub graph KeptAsGraph {
        dim n in 1..=1_000_000;
        streams 3;
        issue graph;
        resident input w: [u32; n];
        inout sum: [u32; n];
        input x: [u32; n];
        let wx: [u32; n] = add(&w, &x);
        staging s: [u32; n] = download(&wx);
        twice(&mut s);
        let d: [u32; n] = upload(&s);
        bump(&mut sum, &d);
        output y: [u32; n] = add(&sum, &x);
    }

    /// Two runs at once.
    pub graph LanesOnStreams {
        dim n in 1..=1_000_000;
        streams 2;
        pipelined 2;
        input x: [u32; n];
        scalar by: u32;
        let a: [u32; n] = scale(&x, by);
        let b: [u32; n] = scale(&x, 3);
        output y: [u32; n] = add(&a, &b);
    }
    /// The same as graphs.
    pub graph LanesAsGraph {
        dim n in 1..=1_000_000;
        streams 2;
        pipelined 2;
        issue graph;
        input x: [u32; n];
        scalar by: u32;
        let a: [u32; n] = scale(&x, by);
        let b: [u32; n] = scale(&x, 3);
        output y: [u32; n] = add(&a, &b);
    }

    /// Each run begins with a copy of its input of its own, which tasks update.
    pub graph OwnOnStreams {
        dim n in 1..=1_000_000;
        streams 2;
        input mut x: [u32; n];
        input w: [u32; n];
        bump(&mut x, &w);
        let a: [u32; n] = scale(&x, 3);
        output y: [u32; n] = scale(&a, 5);
        alias y with x;
    }
    /// The same as a graph.
    pub graph OwnAsGraph {
        dim n in 1..=1_000_000;
        streams 2;
        issue graph;
        input mut x: [u32; n];
        input w: [u32; n];
        bump(&mut x, &w);
        let a: [u32; n] = scale(&x, 3);
        output y: [u32; n] = scale(&a, 5);
        alias y with x;
    }
    /// More than any device has.
    pub graph Vast {
        dim n in 1..=549_755_813_632;
        resident input x: [u32; n];
        inout sum: [u32; n];
        bump(&mut sum, &x);
    }

    /// Floats, which a device may round elsewhere.
    pub graph Floats {
        dim n in 1..=1_000_000;
        tolerance z: 1e-5;
        input x: [f32; n];
        input y: [f32; n];
        scalar by: f32;
        output z: [f32; n] = mix(&x, &y, by);
    }
}

/// Numbers that tell their places, and apart from those of another `from`.
pub fn numbers(n: usize, from: u32) -> Vec<u32> {
    (0..n as u32)
        .map(|i| i.wrapping_mul(7919) % 9973 + from)
        .collect()
}
