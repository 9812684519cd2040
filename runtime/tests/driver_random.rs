//! Random programs on the host driver: whatever the streams, delays and storage, the result is that
//! of one task after another, bit for bit.
//!
//! Under Miri: `MIRIFLAGS="-Zmiri-ignore-leaks -Zmiri-disable-isolation" cargo +nightly miri test
//! -p gpu-graph-runtime --test driver_random`, as for the other tests of the drivers. Tables are
//! leaked to be static, so leaks are not counted; what sleeps is emulated, and memory is the heap.
//!
//! `GPU_GRAPH_CASES=10000 cargo test -p gpu-graph-runtime --test driver_random --release` runs more.

mod common;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use common::load::{Loaded, inputs};
use common::{kernels, random};
use gpu_graph_runtime::driver::Driver;
use gpu_graph_runtime::driver::host::HostDriver;

fn cases() -> u64 {
    let default = if cfg!(miri) { 3 } else { 400 };
    std::env::var("GPU_GRAPH_CASES").map_or(default, |n| n.parse().expect("a number of cases"))
}

#[test]
fn random_programs_equal_sequential_execution() {
    kernels::DELAYS.store(!cfg!(miri), Ordering::Relaxed);
    let driver: Arc<dyn Driver> = Arc::new(HostDriver::new());
    for seed in 0..cases() {
        // One, two and three streams come first.
        let streams = 1 + (seed % 8) as u8;
        let ring = 1 + (seed / 8 % 2) as u32;
        let tasks = if cfg!(miri) {
            12
        } else {
            10 + (seed % 50) as usize
        };
        let graph = random::graph(seed, streams, tasks, ring);
        let loaded = Loaded::new(&driver, &graph);
        for run in 0..if cfg!(miri) { 2 } else { 4 } {
            let (instance, generation) = (run % ring, u64::from(run / ring) + 1);
            let inputs = inputs(&graph, seed ^ u64::from(run));
            let param = u64::from(run) + 1;
            loaded
                .start(instance, generation, &inputs, param)
                .expect("a start");
            loaded.finish(instance, generation).expect("a result");
            assert!(
                loaded.check(instance, &inputs, param),
                "seed {seed}, run {run}: the result differs from sequential execution"
            );
        }
    }
}

#[test]
fn instances_in_flight_at_once_do_not_disturb_each_other() {
    kernels::DELAYS.store(!cfg!(miri), Ordering::Relaxed);
    let driver: Arc<dyn Driver> = Arc::new(HostDriver::new());
    for seed in 0..cases().div_ceil(4) {
        let graph = random::graph(seed, 3, if cfg!(miri) { 10 } else { 30 }, 3);
        let loaded = Loaded::new(&driver, &graph);
        for generation in 1..4 {
            let all: Vec<_> = (0..3)
                .map(|i| inputs(&graph, seed + generation * 3 + i))
                .collect();
            std::thread::scope(|scope| {
                for (instance, inputs) in (0..).zip(&all) {
                    let loaded = &loaded;
                    scope.spawn(move || {
                        let param = seed + u64::from(instance);
                        loaded
                            .start(instance, generation, inputs, param)
                            .expect("a start");
                    });
                }
            });
            for (instance, inputs) in (0..).zip(&all) {
                loaded.finish(instance, generation).expect("a result");
                assert!(loaded.check(instance, inputs, seed + u64::from(instance)));
            }
        }
    }
}
