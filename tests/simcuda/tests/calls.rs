//! What calls answer, as the driver would.

#![cfg(target_os = "linux")]

mod gpu;

use std::ffi::{CStr, CString, c_void};
use std::ptr::{null, null_mut};

use cudarc::driver::sys::*;
use gpu::{Gpu, Packed, allocate, launch, ok, status};
use simcuda::client::{Kernel, Shim};

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

fn read(at: *mut c_void, len: usize) -> Vec<f32> {
    // SAFETY: as above.
    unsafe { std::slice::from_raw_parts(at.cast(), len) }.to_vec()
}

#[test]
fn cudarc_finds_the_shim_where_it_looks_for_the_driver() {
    let _shim = Shim::start(0);
    // SAFETY: the library it finds is the shim, which was opened before.
    assert!(unsafe { is_culib_present() });
    cudarc::driver::result::init().expect("a driver");
    assert_eq!(cudarc::driver::result::device::get_count(), Ok(2));
    let name = cudarc::driver::result::device::get_name(1);
    assert_eq!(name.as_deref(), Ok("Simulated GPU 1"));
    let error = cudarc::driver::DriverError(CUDA_ERROR_INVALID_VALUE);
    assert_eq!(error.error_name(), Ok(c"CUDA_ERROR_INVALID_VALUE"));
}

#[test]
fn work_of_a_stream_runs_in_order_and_arrives() {
    for seed in 0..gpu::seeds(20) {
        let shim = Shim::start(seed);
        gpu::register(&shim);
        let gpu = Gpu::new(0);
        let (s, pool, module) = (gpu.stream(), gpu.pool(), gpu.module());
        let (input, output) = (gpu.pinned(BYTES), gpu.pinned(BYTES));
        write(input, &[1.0, 2.0, 3.0]);
        let (x, y) = (allocate(pool, BYTES, s), allocate(pool, BYTES, s));
        ok!(cuMemsetD8Async(x, 0, BYTES, s));
        ok!(cuMemcpyAsync(x, host(input), 12, s));
        launch(
            gpu::function(module, "scale"),
            s,
            Packed::scale(x, 3.0, y, 64),
        );
        ok!(cuMemcpyAsync(host(output), y, BYTES, s));
        ok!(cuStreamSynchronize(s));
        assert_eq!(read(output, 4), [3.0, 6.0, 9.0, 0.0]);
        assert_eq!(shim.reports(), [""; 0]);
    }
}

#[test]
fn a_wait_for_what_was_never_recorded_waits_for_nothing() {
    let shim = Shim::start(0);
    let gpu = Gpu::new(0);
    let (s, event) = (gpu.stream(), gpu.event());
    ok!(cuStreamWaitEvent(s, event, 0));
    ok!(cuEventQuery(event));
    ok!(cuStreamSynchronize(s));
    assert_eq!(shim.reports(), [""; 0]);
}

#[test]
fn an_event_is_ready_once_what_it_stands_for_is() {
    let _shim = Shim::start(3);
    let gpu = Gpu::new(0);
    let (s, event, arena) = (gpu.stream(), gpu.event(), gpu.arena(BYTES));
    for _ in 0..20 {
        ok!(cuMemsetD8Async(arena.at, 1, BYTES, s));
    }
    ok!(cuEventRecord(event, s));
    assert_eq!(status!(cuEventQuery(event)), CUDA_ERROR_NOT_READY);
    assert_eq!(status!(cuStreamQuery(s)), CUDA_ERROR_NOT_READY);
    ok!(cuEventSynchronize(event));
    ok!(cuEventQuery(event));
    ok!(cuStreamQuery(s));
}

#[test]
fn times_lie_between_timed_events_alone() {
    let shim = Shim::start(0);
    let gpu = Gpu::new(0);
    let (s, arena) = (gpu.stream(), gpu.arena(BYTES));
    let (mut from, mut to, mut ms) = (null_mut(), null_mut(), -1.0);
    ok!(cuEventCreate(&mut from, 0));
    ok!(cuEventCreate(&mut to, 0));
    let mut between = |from, to| (status!(cuEventElapsedTime_v2(&mut ms, from, to)), ms);
    ok!(cuEventRecord(from, s));
    assert_eq!(between(from, to).0, CUDA_ERROR_INVALID_HANDLE);
    ok!(cuMemsetD8Async(arena.at, 1, BYTES, s));
    ok!(cuEventRecord(to, s));
    assert_eq!(between(from, to).0, CUDA_ERROR_NOT_READY);
    ok!(cuStreamSynchronize(s));
    let (status, ms) = between(from, to);
    assert_eq!(status, CUDA_SUCCESS);
    // The record, behind the fill.
    assert_eq!(ms, 0.002);
    let untimed = gpu.event();
    ok!(cuEventRecord(untimed, s));
    ok!(cuStreamSynchronize(s));
    assert_eq!(between(from, untimed).0, CUDA_ERROR_INVALID_HANDLE);
    let (status, ms) = between(to, from);
    assert_eq!((status, ms), (CUDA_SUCCESS, -0.002));
    let asked = [
        "elapsed: the time to an event that was never recorded",
        "elapsed: the time to an event that is not complete",
        "elapsed: the time to an event that keeps none",
        "elapsed: the time to an event that came first",
    ];
    assert_eq!(shim.reports(), asked);
}

#[test]
fn calls_want_a_context_that_is_there() {
    let _shim = Shim::start(0);
    let gpu = Gpu::new(0);
    let stream = gpu.stream();
    ok!(cuCtxSetCurrent(null_mut()));
    let (mut made, mut event) = (null_mut(), null_mut());
    assert_eq!(
        status!(cuStreamCreate(&mut made, 1)),
        CUDA_ERROR_INVALID_CONTEXT
    );
    assert_eq!(
        status!(cuEventCreate(&mut event, 2)),
        CUDA_ERROR_INVALID_CONTEXT
    );
    gpu.enter();
    ok!(cuDevicePrimaryCtxRelease_v2(0));
    assert_eq!(
        status!(cuStreamCreate(&mut made, 1)),
        CUDA_ERROR_CONTEXT_IS_DESTROYED
    );
    // Its streams went with it.
    assert_eq!(
        status!(cuStreamSynchronize(stream)),
        CUDA_ERROR_INVALID_HANDLE
    );
    assert_eq!(
        status!(cuCtxSetCurrent(gpu.context)),
        CUDA_ERROR_INVALID_CONTEXT
    );
}

#[test]
fn the_current_context_is_a_thread_s_own() {
    let _shim = Shim::start(0);
    let gpu = Gpu::new(0);
    let mut here = null_mut();
    ok!(cuCtxGetCurrent(&mut here));
    assert_eq!(here, gpu.context);
    let elsewhere = std::thread::spawn(|| {
        let mut there = null_mut();
        ok!(cuCtxGetCurrent(&mut there));
        there.is_null()
    });
    assert!(elsewhere.join().expect("a thread"));
}

#[test]
fn a_launch_wants_function_stream_and_current_context_to_be_one() {
    let shim = Shim::start(0);
    gpu::register(&shim);
    let (near, far) = (Gpu::new(0), Gpu::new(1));
    let scale = gpu::function(near.module(), "scale");
    let (s, t, event) = (near.stream(), far.stream(), near.event());
    let arena = near.arena(2 * BYTES);
    let mut args = Packed::scale(arena.at, 1.0, arena.at + BYTES as u64, 64);
    let mut launch = |stream, threads| {
        let params = args.params();
        status!(cuLaunchKernel(
            scale,
            2,
            1,
            1,
            threads,
            1,
            1,
            0,
            stream,
            params,
            null_mut()
        ))
    };
    near.enter();
    assert_eq!(launch(t, 32), CUDA_ERROR_INVALID_HANDLE);
    far.enter();
    assert_eq!(launch(s, 32), CUDA_ERROR_INVALID_HANDLE);
    near.enter();
    ok!(cuMemsetD8Async(arena.at, 0, BYTES, s));
    assert_eq!(launch(s, 32), CUDA_SUCCESS);
    assert_eq!(launch(s, 0), CUDA_ERROR_INVALID_VALUE);
    assert_eq!(launch(s, 2048), CUDA_ERROR_INVALID_VALUE);
    // An event is recorded in its own context, and waited for in any.
    assert_eq!(status!(cuEventRecord(event, t)), CUDA_ERROR_INVALID_HANDLE);
    ok!(cuEventRecord(event, s));
    ok!(cuStreamWaitEvent(t, event, 0));
    // A fill on a stream of another context is taken.
    far.enter();
    ok!(cuMemsetD8Async(arena.at, 0, BYTES, s));
    ok!(cuStreamSynchronize(t));
    assert_eq!(shim.reports(), [""; 0]);
}

#[test]
fn handles_that_stand_for_nothing_are_refused() {
    let _shim = Shim::start(0);
    let gpu = Gpu::new(0);
    let (s, event) = (gpu.stream(), gpu.event());
    ok!(cuStreamDestroy_v2(s));
    assert_eq!(status!(cuStreamDestroy_v2(s)), CUDA_ERROR_INVALID_HANDLE);
    assert_eq!(status!(cuEventRecord(event, s)), CUDA_ERROR_INVALID_HANDLE);
    ok!(cuEventDestroy_v2(event));
    assert_eq!(status!(cuEventQuery(event)), CUDA_ERROR_INVALID_HANDLE);
    let arena = gpu.arena(BYTES);
    assert_eq!(
        status!(cuMemAddressFree(arena.at, arena.bytes)),
        CUDA_ERROR_INVALID_VALUE
    );
    assert_eq!(status!(cuMemUnmap(arena.at, 1)), CUDA_ERROR_INVALID_VALUE);
    arena.free();
    assert_eq!(
        status!(cuMemRelease(arena.memory)),
        CUDA_ERROR_INVALID_VALUE
    );
    assert_eq!(status!(cuMemFreeHost(null_mut())), CUDA_ERROR_INVALID_VALUE);
    assert_eq!(
        status!(cuGraphLaunch(null_mut(), null_mut())),
        CUDA_ERROR_INVALID_VALUE
    );
    assert_eq!(
        status!(cuStreamCreate(null_mut(), 1)),
        CUDA_ERROR_INVALID_VALUE
    );
    let mut device = 0;
    assert_eq!(
        status!(cuDeviceGet(&mut device, 2)),
        CUDA_ERROR_INVALID_DEVICE
    );
}

#[test]
fn a_module_has_what_its_text_names_and_a_test_registered() {
    let shim = Shim::start(0);
    gpu::register(&shim);
    let gpu = Gpu::new(0);
    let module = gpu.module();
    let get = |name: &CStr| {
        let mut function = null_mut();
        status!(cuModuleGetFunction(&mut function, module, name.as_ptr()))
    };
    assert_eq!(get(c"scale"), CUDA_SUCCESS);
    assert_eq!(get(c"scal"), CUDA_ERROR_NOT_FOUND);
    shim.register(Kernel::new("other", &[], |_| Some(Vec::new()), |_| {}));
    assert_eq!(get(c"other"), CUDA_ERROR_NOT_FOUND);
    let mut module = null_mut();
    let empty = CString::default();
    let loaded = status!(cuModuleLoadData(&mut module, empty.as_ptr().cast()));
    assert_eq!(loaded, CUDA_ERROR_INVALID_IMAGE);
    let loaded = status!(cuModuleLoadData(&mut module, null()));
    assert_eq!(loaded, CUDA_ERROR_INVALID_VALUE);
}

#[test]
fn arguments_in_one_block_are_those_behind_pointers() {
    let shim = Shim::start(0);
    gpu::register(&shim);
    let gpu = Gpu::new(0);
    let (s, arena, output) = (gpu.stream(), gpu.arena(2 * BYTES), gpu.pinned(BYTES));
    let scale = gpu::function(gpu.module(), "scale");
    let to = arena.at + BYTES as u64;
    ok!(cuMemsetD32Async(arena.at, 2f32.to_bits(), 64, s));
    let mut block = Vec::new();
    block.extend(arena.at.to_le_bytes());
    block.extend(5f32.to_le_bytes());
    block.extend([0; 4]);
    block.extend(to.to_le_bytes());
    block.extend(64u64.to_le_bytes());
    let mut len = block.len();
    let word = |n: usize| std::ptr::without_provenance_mut::<c_void>(n);
    let (at, size) = (
        block.as_mut_ptr().cast::<c_void>(),
        (&raw mut len).cast::<c_void>(),
    );
    let mut extra = [word(1), at, word(2), size, word(0)];
    let mut launch = || {
        let extra = extra.as_mut_ptr();
        status!(cuLaunchKernel(
            scale,
            2,
            1,
            1,
            32,
            1,
            1,
            0,
            s,
            null_mut(),
            extra
        ))
    };
    assert_eq!(launch(), CUDA_SUCCESS);
    // SAFETY: nobody else uses it between two launches.
    unsafe { size.cast::<usize>().write(block.len() - 1) };
    assert_eq!(launch(), CUDA_ERROR_INVALID_VALUE);
    ok!(cuMemcpyAsync(host(output), to, BYTES, s));
    ok!(cuStreamSynchronize(s));
    assert_eq!(read(output, 64), [10.0; 64]);
}

#[test]
fn a_function_of_the_host_runs_in_its_place_and_must_not_call_back() {
    unsafe extern "C" fn note(data: *mut c_void) {
        let refused = status!(cuStreamSynchronize(null_mut()));
        // SAFETY: the test hands over a place for it, which it reads when this is over.
        unsafe { data.cast::<CUresult>().write(refused) };
    }
    let shim = Shim::start(0);
    let gpu = Gpu::new(0);
    let s = gpu.stream();
    let mut answer = CUDA_SUCCESS;
    ok!(cuLaunchHostFunc(s, Some(note), (&raw mut answer).cast()));
    ok!(cuStreamSynchronize(s));
    assert_eq!(answer, CUDA_ERROR_NOT_PERMITTED);
    assert_eq!(shim.reports(), [""; 0]);
}
