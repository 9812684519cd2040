//! Small kernels, one behind the other, on one stream.

use gpu_graph::gpu_graph;

fn add_on_host(sum: &mut [f32], x: &[f32], _: add::Dims) {
    sum.iter_mut().zip(x).for_each(|(sum, x)| *sum += x);
}

gpu_graph! {
    /// Launches of `Many` beyond the one of `One`.
    pub const MORE: usize = 100;
    /// Elements that a launch adds.
    pub const LEN: usize = 32;

    kernel add(sum: &mut [f32; n], x: &[f32; n]) {
        over [n] block [32],
        cuda "benches/chain/add.ptx",
        host add_on_host,
    }

    /// One launch.
    pub graph One {
        streams 1;
        resident input x: [f32; LEN];
        inout sum: [f32; LEN];
        add(&mut sum, &x);
    }
    /// So many more.
    pub graph Many {
        streams 1;
        resident input x: [f32; LEN];
        inout sum: [f32; LEN];
        add(&mut sum, &x);
        for i in 0..MORE {
            add(&mut sum, &x);
        }
    }
}
