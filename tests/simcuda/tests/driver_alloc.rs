//! A run on the CUDA driver allocates nothing, whether op by op or as a graph.
#![cfg(target_os = "linux")]

mod driver;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use driver::*;
use simcuda::client::at_work;

/// Counts what this thread allocates, but by the kernels of a test and what the shim asks of them. The shim is
/// a library of its own, with an allocator of its own.
struct Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is the system's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + u64::from(!at_work()));
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

macro_rules! count {
    ($graph:ident, $module:ident, $x:expr, $timed:expr) => {{
        let device = device();
        let mut graph = $graph::load(&device, $module::Dims { n: $x.len() }).unwrap();
        graph.profile($timed).unwrap();
        let mut run = |by: u32| {
            let run = graph.run($module::Inputs { x: $x, by }).unwrap();
            run.wait().unwrap();
        };
        run(1);
        let before = CALLS.get();
        (0..100).for_each(&mut run);
        CALLS.get() - before
    }};
}

#[test]
fn a_run_allocates_nothing() {
    let shim = shim(1);
    let x = [3u32; 64];
    let before = CALLS.get();
    drop(std::hint::black_box(vec![0u8; 10]));
    assert_eq!(CALLS.get() - before, 1, "allocations are counted");
    for timed in [false, true] {
        assert_eq!(
            count!(OnStreams, on_streams, &x, timed),
            0,
            "op by op, {timed}"
        );
        assert_eq!(
            count!(AsGraph, as_graph, &x, timed),
            0,
            "as a graph, {timed}"
        );
    }
    settle(&shim, 1);
}
