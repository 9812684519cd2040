//! Graphs on the CUDA driver, which the shim serves: those of the suite for a GPU, one of two inouts, and
//! two that no GPU can run.

#![allow(dead_code, reason = "each test uses what it needs")]

#[path = "../../../gpu/tests/suite/graphs.rs"]
mod graphs;

use gpu_graph::__private::{DeclaredGraph, Image};
use gpu_graph::{Device, cuda};
use simcuda::client::Shim;

pub use graphs::*;

pub mod kernels {
    pub fn all_reduce(x: &[&[u32]], out: &mut [u32], _: super::all_reduce::Dims) {
        out.copy_from_slice(x[0]);
    }
    pub fn count(sum: &mut [u32], x: &[u32], _: super::count::Dims) {
        let all = sum.iter_mut().zip(x);
        all.for_each(|(sum, x)| *sum = sum.wrapping_add(*x));
    }
    pub fn host_only(x: &[u32], out: &mut [u32], _: super::host_only::Dims) {
        out.copy_from_slice(x);
    }
}

gpu_graph::gpu_graph! {
    collective all_reduce(x: &[u32; n]) -> [u32; n] { host kernels::all_reduce }
    kernel host_only(x: &[u32; n]) -> [u32; n] { host kernels::host_only }
    kernel add(x: &[u32; n], y: &[u32; n]) -> [u32; n] = x + y;
    kernel count(sum: &mut [u32; n], x: &[u32; n]) {
        over [n],
        cuda r#"KERNEL(count) { INDEX(i); sum(i) += x(i); }"#,
        host kernels::count,
    }

    /// Two sums that go on from run to run.
    pub graph Sums {
        dim n in 1..=1_000_000;
        inout once: [u32; n];
        inout again: [u32; n];
        input x: [u32; n];
        count(&mut once, &x);
        count(&mut again, &once);
        output y: [u32; n] = add(&once, &again);
    }
    /// Ranks that meet.
    pub graph Meets {
        dim n in 1..=64;
        input x: [u32; n];
        output y: [u32; n] = all_reduce(&x);
    }
    /// A kernel for the host alone.
    pub graph OnHost {
        dim n in 1..=64;
        input x: [u32; n];
        output y: [u32; n] = host_only(&x);
    }
}

/// How many elements the kernels are known for.
pub const SIZES: [usize; 6] = [4, 17, 50, 64, 128, 333];

/// The devices of the shim, on which nothing has happened but that they know the kernels.
pub fn shim(seed: u64) -> Shim {
    let shim = Shim::start(seed);
    shim.compile_nothing();
    register(&shim);
    shim
}

/// Begins anew on the same devices.
pub fn restart(shim: &Shim, seed: u64) {
    shim.restart(seed);
    register(shim);
}

fn register(shim: &Shim) {
    let images: [&Image; 7] = [
        &OnStreams::IMAGE,
        &AsGraph::IMAGE,
        &KeptOnStreams::IMAGE,
        &KeptAsGraph::IMAGE,
        &LanesOnStreams::IMAGE,
        &LanesAsGraph::IMAGE,
        &Sums::IMAGE,
    ];
    let dims = SIZES.map(|n| [n as u64]);
    let at = |image| dims.iter().map(move |dims| (image, &dims[..]));
    let all: Vec<_> = images.into_iter().flat_map(at).collect();
    shim.register_graphs(&all);
}

/// The first device.
pub fn device() -> Device {
    cuda(0).unwrap_or_else(|missing| panic!("{missing}"))
}

/// Lets all that is under way end, and the last handle of the device go. What is left then is looked
/// after by whoever opens the device next.
pub fn close(shim: &Shim, device: Device, seed: u64) {
    assert_eq!(shim.reports(), [""; 0], "seed {seed}");
    drop(device);
    settle(shim, seed);
}

/// As [`close`], of a device that nobody has.
pub fn settle(shim: &Shim, seed: u64) {
    look_after(shim);
    assert_eq!(shim.reports(), [""; 0], "seed {seed}");
    assert_eq!(shim.leaks(), [""; 0], "seed {seed}");
}

/// Opens a device that nobody has until nothing is left of it, or often enough.
pub fn look_after(shim: &Shim) {
    for _ in 0..64 {
        if shim.leaks().is_empty() {
            break;
        }
        let _ = cuda(0);
    }
}

/// Seeds that are walked.
const SEEDS: u64 = 40;

/// How a graph is issued that is there in both forms.
#[derive(Clone, Copy)]
pub enum Form {
    OnStreams,
    AsGraph,
}

/// Does something on a device on which nothing has happened, for each seed.
pub fn each_seed(mut what: impl FnMut(&Shim, &Device, u64)) {
    let shim = shim(0);
    for seed in 0..SEEDS {
        alone(&shim, seed, |device| what(&shim, device, seed));
    }
}

/// Does something on a device on which nothing has happened, for each seed and in both forms.
pub fn each_form(mut what: impl FnMut(&Device, Form)) {
    let shim = shim(0);
    for seed in 0..SEEDS {
        for form in [Form::OnStreams, Form::AsGraph] {
            alone(&shim, seed, |device| what(device, form));
        }
    }
}

/// Begins anew, and leaves nothing.
fn alone(shim: &Shim, seed: u64, what: impl FnOnce(&Device)) {
    restart(shim, seed);
    let device = device();
    what(&device);
    close(shim, device, seed);
}

/// What `OnStreams` and `AsGraph` make of `x`.
pub fn diamond(x: &[u32], by: u32) -> Vec<u32> {
    let one = |x: &u32| {
        x.wrapping_mul(3)
            .wrapping_add(x.wrapping_mul(by).wrapping_mul(by))
    };
    x.iter().map(one).collect()
}
