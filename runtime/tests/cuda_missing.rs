//! On a machine without an NVIDIA driver a GPU is a typed error that says so, and never a panic.
#![cfg(feature = "cuda")]

use gpu_graph_runtime::driver::cuda::{CudaError, SYMBOLS};
use gpu_graph_runtime::graph::cuda;

#[test]
fn a_machine_without_a_driver_says_which_library_is_missing() {
    // SAFETY: to load a library runs its initialisers, which NVIDIA answers for.
    let present = unsafe { cudarc::driver::sys::is_culib_present() };
    let found = cuda(0).map(|device| device.info().clone());
    if !present {
        assert_eq!(found, Err(CudaError::Library));
        let said = CudaError::Library.to_string();
        assert!(
            said.starts_with("no CUDA driver library was found"),
            "{said}"
        );
    } else {
        // There is a library: whatever it lacks, it is not itself.
        assert_ne!(found, Err(CudaError::Library));
        println!("skipped: there is a driver, which answers {found:?}");
    }
}

#[test]
fn no_symbol_is_of_capture_of_the_legacy_stream_or_of_a_wait_for_a_device() {
    for symbol in SYMBOLS {
        let refused = ["Capture", "MemAllocNode", "MemFreeNode", "CtxSynchronize"];
        assert!(
            refused.iter().all(|part| !symbol.contains(part)),
            "{symbol}"
        );
        // Both make whoever calls them wait for the device, or act on the legacy stream.
        let exact = [
            "cuMemAlloc_v2",
            "cuMemFree_v2",
            "cuMemcpy",
            "cuMemcpyHtoD_v2",
            "cuMemsetD8_v2",
        ];
        assert!(!exact.contains(symbol), "{symbol}");
    }
    assert!(SYMBOLS.contains(&"cuGraphLaunch") && SYMBOLS.contains(&"cuMemFreeAsync"));
}
