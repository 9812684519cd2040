//! A run of many launches allocates nothing, and its calls end where they should.
#![cfg(target_os = "linux")]

#[path = "../benches/chain/mod.rs"]
mod chain;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use chain::{LEN, Many, many};

/// Counts what this thread allocates. The library has an allocator of its own.
struct Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is the system's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
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

#[test]
fn a_run_of_many_launches_allocates_nothing() {
    simcuda::client::open("libnullcuda.so");
    let device = gpu_graph::cuda(0).expect("every function is there");
    assert_eq!(device.info().name, "cuda 0: nothing");
    let mut graph = Many::load(&device, many::Dims {}).expect("it loads");
    graph.set_x(&[1.0; LEN]).expect("set");
    let before = CALLS.get();
    drop(std::hint::black_box(vec![0u8; 10]));
    assert_eq!(CALLS.get() - before, 1, "allocations are counted");
    let before = CALLS.get();
    for _ in 0..100 {
        graph
            .run(many::Inputs {})
            .expect("it runs")
            .wait()
            .expect("it ends");
    }
    assert_eq!(CALLS.get() - before, 0);
}
