//! Failures that are asked for, faults of kernels and hosts, and what is left at the end.

#![cfg(target_os = "linux")]

mod gpu;

use std::ffi::c_void;
use std::ptr::null_mut;

use cudarc::driver::sys::*;
use gpu::{Gpu, Packed, allocate, launch, ok, status};
use simcuda::abi::Effect;
use simcuda::client::{Kernel, Param, Shim};

use CUresult::*;

const BYTES: usize = 256;

fn host(at: *mut c_void) -> CUdeviceptr {
    at.expose_provenance() as CUdeviceptr
}

fn write(at: *mut c_void, values: &[f32]) {
    // SAFETY: callers have pinned memory of that many elements that nothing of the device uses.
    unsafe {
        at.cast::<f32>()
            .copy_from_nonoverlapping(values.as_ptr(), values.len())
    };
}

#[test]
fn memory_beyond_what_a_device_has_is_refused_and_no_more() {
    let shim = Shim::start(0);
    let gpu = Gpu::new(0);
    let (s, pool) = (gpu.stream(), gpu.pool());
    shim.capacity(4 * gpu.unit() as u64);
    let arena = gpu.arena(3 * gpu.unit());
    let mut at = 0;
    let bytes = 2 * gpu.unit();
    let refused = status!(cuMemAllocFromPoolAsync(&mut at, bytes, pool, s));
    assert_eq!(refused, CUDA_ERROR_OUT_OF_MEMORY);
    let mut memory = 0;
    let refused = status!(cuMemCreate(&mut memory, bytes, &gpu.prop(), 0));
    assert_eq!(refused, CUDA_ERROR_OUT_OF_MEMORY);
    arena.free();
    ok!(cuMemAllocFromPoolAsync(&mut at, bytes, pool, s));
}

#[test]
fn a_kernel_that_uses_what_is_not_there_loses_its_context_for_good() {
    let shim = Shim::start(0);
    gpu::register(&shim);
    let gpu = Gpu::new(0);
    let (s, arena) = (gpu.stream(), gpu.arena(BYTES));
    let scale = gpu::function(gpu.module(), "scale");
    let mut outside = [0f32; 64];
    let pageable = host(outside.as_mut_ptr().cast());
    // Memory of the host that the driver does not know is not there for a kernel.
    ok!(cuMemsetD8Async(arena.at, 0, BYTES, s));
    launch(scale, s, Packed::scale(arena.at, 1.0, pageable, 64));
    assert_eq!(status!(cuStreamSynchronize(s)), CUDA_ERROR_ILLEGAL_ADDRESS);
    assert_eq!(
        status!(cuMemsetD8Async(arena.at, 0, BYTES, s)),
        CUDA_ERROR_ILLEGAL_ADDRESS
    );
    let mut made = null_mut();
    assert_eq!(
        status!(cuStreamCreate(&mut made, 1)),
        CUDA_ERROR_ILLEGAL_ADDRESS
    );
    let reports = shim.reports();
    assert!(
        reports[0].starts_with("released: `scale`, call "),
        "{reports:?}"
    );
    // The other device goes on.
    let other = Gpu::new(1);
    let (t, arena) = (other.stream(), other.arena(BYTES));
    ok!(cuMemsetD8Async(arena.at, 0, BYTES, t));
    ok!(cuStreamSynchronize(t));
}

#[test]
fn a_failure_comes_at_the_call_that_was_asked_for_and_does_nothing() {
    let shim = Shim::start(0);
    let gpu = Gpu::new(0);
    shim.fail("cuStreamCreate", 2, CUDA_ERROR_OUT_OF_MEMORY as u32);
    let first = gpu.stream();
    let mut second = null_mut();
    assert_eq!(
        status!(cuStreamCreate(&mut second, 1)),
        CUDA_ERROR_OUT_OF_MEMORY
    );
    ok!(cuStreamCreate(&mut second, 1));
    ok!(cuStreamDestroy_v2(first));
    assert_eq!(shim.leaks(), ["1 x a context's retention", "1 x a stream"]);
    let log = shim.calls();
    assert_eq!(log[5], "cuStreamCreate = 2", "{log:?}");
    // A status that is for ever loses the context.
    shim.fail("cuStreamQuery", 1, CUDA_ERROR_LAUNCH_FAILED as u32);
    assert_eq!(status!(cuStreamQuery(second)), CUDA_ERROR_LAUNCH_FAILED);
    assert_eq!(
        status!(cuStreamSynchronize(second)),
        CUDA_ERROR_LAUNCH_FAILED
    );
}

#[test]
fn a_kernel_can_be_made_to_fail_while_it_runs() {
    let shim = Shim::start(0);
    gpu::register(&shim);
    let gpu = Gpu::new(0);
    let (s, arena) = (gpu.stream(), gpu.arena(2 * BYTES));
    let scale = gpu::function(gpu.module(), "scale");
    shim.fail("scale", 2, CUDA_ERROR_ILLEGAL_INSTRUCTION as u32);
    ok!(cuMemsetD8Async(arena.at, 0, BYTES, s));
    let args = || Packed::scale(arena.at, 1.0, arena.at + BYTES as u64, 64);
    launch(scale, s, args());
    ok!(cuStreamSynchronize(s));
    launch(scale, s, args());
    assert_eq!(
        status!(cuStreamSynchronize(s)),
        CUDA_ERROR_ILLEGAL_INSTRUCTION
    );
}

#[test]
fn an_output_that_a_kernel_leaves_is_reported() {
    let shim = Shim::start(0);
    gpu::register(&shim);
    let half = Kernel::new(
        "add",
        &[Param::Pointer, Param::Value(8)],
        |args| Some(vec![Effect::overwrite(0, 4 * args.bits[1])]),
        // SAFETY: it is within the effect.
        |args| unsafe { args.slice::<u32>(0, args.bits[1] as usize / 2) }.fill(7),
    );
    shim.register(half);
    let gpu = Gpu::new(0);
    let (s, arena) = (gpu.stream(), gpu.arena(BYTES));
    let add = gpu::function(gpu.module(), "add");
    let mut args = Packed::new(&[arena.at, 16]);
    let params = args.params();
    ok!(cuLaunchKernel(
        add,
        1,
        1,
        1,
        32,
        1,
        1,
        0,
        s,
        params,
        null_mut()
    ));
    let reports = shim.reports();
    assert_eq!(reports.len(), 1, "{reports:?}");
    assert!(
        reports[0].starts_with("unfilled: `add`, call "),
        "{reports:?}"
    );
    assert!(
        reports[0].ends_with("leaves byte 32 of an output"),
        "{reports:?}"
    );
}

#[test]
fn a_launch_that_is_too_small_for_its_kernel_is_reported() {
    let shim = Shim::start(0);
    gpu::register(&shim);
    let gpu = Gpu::new(0);
    let (s, arena) = (gpu.stream(), gpu.arena(2 * BYTES));
    let scale = gpu::function(gpu.module(), "scale");
    ok!(cuMemsetD8Async(arena.at, 0, BYTES, s));
    let mut args = Packed::scale(arena.at, 1.0, arena.at + BYTES as u64, 64);
    let params = args.params();
    ok!(cuLaunchKernel(
        scale,
        1,
        1,
        1,
        32,
        1,
        1,
        0,
        s,
        params,
        null_mut()
    ));
    let reports = shim.reports();
    assert!(
        reports.iter().any(|r| r.starts_with("geometry: `scale`")),
        "{reports:?}"
    );
}

#[test]
fn what_the_host_writes_under_a_queued_copy_is_reported_unasked() {
    let shim = Shim::start(0);
    let gpu = Gpu::new(0);
    let (s, arena, input) = (gpu.stream(), gpu.arena(BYTES), gpu.pinned(BYTES));
    write(input, &[1.0; 64]);
    ok!(cuMemcpyAsync(arena.at, host(input), BYTES, s));
    write(input, &[2.0; 64]);
    ok!(cuStreamSynchronize(s));
    let reports = shim.reports();
    assert!(
        reports.iter().any(|r| r.starts_with("changed: ")),
        "{reports:?}"
    );
}

#[test]
fn what_is_alive_at_the_end_is_known_by_its_kind() {
    let shim = Shim::start(0);
    gpu::register(&shim);
    let gpu = Gpu::new(0);
    let (s, pool) = (gpu.stream(), gpu.pool());
    let _ = (
        gpu.event(),
        gpu.module(),
        gpu.arena(BYTES),
        gpu.pinned(BYTES),
    );
    let _ = allocate(pool, BYTES, s);
    let mut graph = null_mut();
    ok!(cuGraphCreate(&mut graph, 0));
    let mut exec = null_mut();
    ok!(cuGraphInstantiateWithFlags(&mut exec, graph, 0));
    assert_eq!(
        shim.leaks(),
        [
            "1 x a context's retention",
            "1 x a stream",
            "1 x an event",
            "1 x a module",
            "1 x a graph",
            "1 x an executable graph",
            "1 x a pool",
            "1 x memory of a pool",
            "1 x a range of addresses",
            "1 x memory",
            "1 x a mapping",
            "1 x pinned memory",
        ]
    );
}
