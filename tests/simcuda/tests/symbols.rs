//! The shim and the CUDA driver of the runtime belong together.

#![cfg(target_os = "linux")]

use std::collections::BTreeSet;

use gpu_graph::driver::cuda::SYMBOLS;
use simcuda::client::Shim;

#[test]
fn the_shim_has_every_function_that_the_driver_calls() {
    let all: BTreeSet<String> = Shim::start(0).symbols().into_iter().collect();
    let missing: Vec<&&str> = SYMBOLS.iter().filter(|s| !all.contains(**s)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_driver_has_no_function_that_captures_allocates_in_graphs_or_waits_for_all() {
    let refused = |name: &&&str| {
        let parts = [
            "Capture",
            "MemAllocNode",
            "MemFreeNode",
            "CtxSynchronize",
            "cuMemAlloc_v2",
        ];
        parts.iter().any(|part| name.contains(part)) || **name == "cuMemFree_v2"
    };
    assert_eq!(SYMBOLS.iter().find(refused), None);
}
