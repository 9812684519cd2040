//! The suite for a real GPU, over the simulated ones: that it is known to work before it meets one.
#![cfg(target_os = "linux")]

#[path = "../../gpu/tests/suite/mod.rs"]
mod suite;

use gpu_graph::__private::Image;
use gpu_graph::{Device, cuda};
use simcuda::client::Shim;
use suite::Gpu;

impl Gpu for Shim {
    fn device(&self, graphs: &[(&Image, &[u64])]) -> Device {
        self.compile_nothing();
        self.register_graphs(graphs);
        self.capacity(1 << 30);
        cuda(0).expect("the shim is a device")
    }
}

/// How many seeds: one, or as many as `GPU_GRAPH_CASES` says.
fn seeds() -> u64 {
    let told = std::env::var("GPU_GRAPH_CASES").ok();
    told.and_then(|n| n.parse().ok()).unwrap_or(1)
}

#[test]
fn every_test_of_the_suite_that_needs_no_compiler_passes_over_the_shim() {
    let shim = Shim::start(0);
    for (name, test) in suite::TESTS {
        for seed in 0..seeds() {
            eprintln!("{name}, seed {seed}");
            shim.restart(seed);
            test(&shim);
            assert_eq!(shim.reports(), [""; 0], "{name}, seed {seed}");
            // What was under way is looked after by whoever opens the device next.
            for _ in 0..64 {
                if shim.leaks().is_empty() {
                    break;
                }
                let _ = cuda(0);
            }
            assert_eq!(shim.leaks(), [""; 0], "{name}, seed {seed}");
        }
    }
}
