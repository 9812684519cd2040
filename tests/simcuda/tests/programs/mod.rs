//! The graphs of the examples, as they are and as graphs of the device's own, and a device to run
//! them on.

#![allow(dead_code, reason = "each test uses what it needs")]
#![allow(
    clippy::duplicate_mod,
    reason = "host functions name the graph that stands beside them"
)]

pub mod edges;
pub mod edges_as_graph;
pub mod run;
pub mod story;
pub mod story_as_graph;

use gpu_graph::__private::DeclaredGraph;
use gpu_graph::{Device, cuda};
use simcuda::client::Shim;

/// The device, on which the kernels of a graph are known at these dims.
pub fn device<G: DeclaredGraph>(shim: &Shim, dims: &[u64]) -> Device {
    shim.compile_nothing();
    shim.register_graphs(&[(&G::IMAGE, dims)]);
    cuda(0).expect("the shim is a device")
}

/// Nothing is wrong, and once the device has come to rest and gone, nothing is left.
pub fn assert_clean(shim: &Shim, device: Device, seed: u64) {
    assert_eq!(shim.reports(), [""; 0], "seed {seed}");
    drop(device);
    assert_eq!(shim.leaks(), [""; 0], "seed {seed}");
}

/// How many seeds a test tries: as many as it says, or as `GPU_GRAPH_CASES` does.
pub fn seeds(usual: u64) -> u64 {
    let told = std::env::var("GPU_GRAPH_CASES").ok();
    told.and_then(|n| n.parse().ok()).unwrap_or(usual)
}
