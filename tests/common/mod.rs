//! Devices to run graphs on.

use std::sync::Arc;

use gpu_graph::Device;
use gpu_graph::driver::sim::SimDriver;

/// Schedules of the simulated device to try.
const SEEDS: u64 = if cfg!(miri) { 2 } else { 24 };

/// Runs `test` on the host, and on the simulated device under many schedules, where it also fails on
/// what that device reports: accesses that nothing orders, reads of what nobody wrote.
pub fn on_each_device(test: impl Fn(&Device)) {
    test(&gpu_graph::host());
    for seed in 0..SEEDS {
        let driver = Arc::new(SimDriver::new(seed));
        test(&Device::with(driver.clone()));
        driver.drain();
        let reports = driver.reports();
        assert!(reports.is_empty(), "seed {seed}: {reports:?}");
    }
}

#[allow(dead_code, reason = "not every test needs them")]
/// Numbers that look random and are not.
pub fn noise(len: usize, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as f32 / 256.0 - 128.0
    };
    (0..len).map(|_| next()).collect()
}
