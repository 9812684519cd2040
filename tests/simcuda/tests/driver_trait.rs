//! The CUDA driver by direct calls of its trait: two devices, their pools, reserved memory.
#![cfg(target_os = "linux")]

mod driver;

use driver::*;
use gpu_graph::driver::cuda::CudaDriver;
use gpu_graph::driver::{Address, Driver, DriverError, Protection, RangeId};
use simcuda::client::Shim;

const SEEDS: u64 = 100;
const BYTES: u64 = 4096;

fn open(ordinal: u32) -> CudaDriver {
    CudaDriver::open(ordinal).unwrap_or_else(|missing| panic!("{missing}"))
}

fn at(driver: &CudaDriver, range: RangeId) -> Address {
    driver.address(range).unwrap()
}

/// Reports of the wrong variant for every seed, none of the right one.
fn every_seed(case: impl Fn(&Shim, bool)) {
    let shim = shim(0);
    for seed in 0..SEEDS {
        for fault in [true, false] {
            restart(&shim, seed);
            case(&shim, fault);
            let reports = shim.reports();
            let found =
                |line: &String| line.starts_with("race: ") || line.starts_with("released: ");
            assert_eq!(reports.iter().any(found), fault, "seed {seed}: {reports:?}");
            look_after(&shim);
        }
    }
}

#[test]
fn h05_what_a_peer_still_writes_is_neither_reused_nor_trimmed() {
    every_seed(|shim, fault| {
        let (near, far) = (open(0), open(1));
        let (s, t) = (near.create_stream().unwrap(), far.create_stream().unwrap());
        let source = near.allocate(s, BYTES).unwrap();
        let target = far.allocate(t, BYTES).unwrap();
        let (made, copied) = (far.create_event().unwrap(), near.create_event().unwrap());
        far.record(made, t).unwrap();
        near.wait(s, made).unwrap();
        // SAFETY: both ranges are there until they are freed behind the copy, but for the fault.
        unsafe {
            near.fill(s, at(&near, source), 1, BYTES).unwrap();
            near.copy(s, at(&far, target), at(&near, source), BYTES)
                .unwrap();
        }
        near.record(copied, s).unwrap();
        if !fault {
            far.wait(t, copied).unwrap();
        }
        far.free(t, target).unwrap();
        // Freed in order or not, nothing is known to be over: nothing is given back.
        assert_eq!(far.trim(), Ok(0));
        near.free(s, source).unwrap();
        if !fault {
            shim.reports();
            far.synchronize(copied).unwrap();
            near.synchronize(copied).unwrap();
            assert!(far.trim().unwrap() >= BYTES);
        }
        near.destroy_event(copied).unwrap();
        far.destroy_event(made).unwrap();
        near.destroy_stream(s).unwrap();
        far.destroy_stream(t).unwrap();
    });
}

#[test]
fn m04_a_trim_is_of_its_own_device_whichever_is_current() {
    let shim = shim(0);
    for seed in 0..SEEDS {
        restart(&shim, seed);
        let (near, far) = (open(0), open(1));
        let t = far.create_stream().unwrap();
        let block = far.allocate(t, BYTES).unwrap();
        // SAFETY: the block is there until it is freed behind the fill.
        unsafe { far.fill(t, at(&far, block), 1, BYTES).unwrap() };
        far.free(t, block).unwrap();
        // The other device is current now.
        let s = near.create_stream().unwrap();
        assert_eq!(far.trim(), Ok(0), "seed {seed}");
        assert_eq!(shim.reports(), [""; 0], "seed {seed}");
        let event = far.create_event().unwrap();
        far.record(event, t).unwrap();
        near.destroy_stream(s).unwrap();
        far.synchronize(event).unwrap();
        near.create_event()
            .and_then(|e| near.destroy_event(e))
            .unwrap();
        assert!(far.trim().unwrap() >= BYTES, "seed {seed}");
        far.destroy_event(event).unwrap();
        far.destroy_stream(t).unwrap();
        drop((near, far));
        for _ in 0..64 {
            let _ = (gpu_graph::cuda(0), gpu_graph::cuda(1));
        }
        settle(&shim, seed);
    }
}

#[test]
fn reserved_memory_is_mapped_reached_unmapped_and_given_back() {
    let shim = shim(1);
    let driver = open(0);
    let unit = driver.info().granularity;
    let stream = driver.create_stream().unwrap();
    let range = driver.reserve(2 * unit, unit).unwrap();
    let memory = driver.create_memory(unit).unwrap();
    driver.map(range, unit, memory).unwrap();
    driver
        .set_access(range, unit, unit, Protection::ReadWrite)
        .unwrap();
    let host = driver.pin(BYTES).unwrap();
    let there = Address(at(&driver, range).0.wrapping_add(unit as usize));
    let here = at(&driver, host);
    assert!(here.0.addr().is_multiple_of(256));
    // SAFETY: what is pinned is there, zeroed, and nobody writes it yet.
    let zeroed = unsafe { std::slice::from_raw_parts(here.0, BYTES as usize) };
    assert!(zeroed.iter().all(|&byte| byte == 0));
    let event = driver.create_event().unwrap();
    assert_eq!(driver.query(event), Ok(true), "never recorded");
    // SAFETY: both ranges are there until the event has completed.
    unsafe {
        driver.fill(stream, there, 7, BYTES).unwrap();
        driver.copy(stream, here, there, BYTES).unwrap();
    }
    driver.record(event, stream).unwrap();
    driver.synchronize(event).unwrap();
    assert_eq!(driver.query(event), Ok(true));
    // SAFETY: the copy is over.
    let copied = unsafe { std::slice::from_raw_parts(here.0, BYTES as usize) };
    assert!(copied.iter().all(|&byte| byte == 7));
    driver.unmap(range, unit, unit).unwrap();
    driver.destroy_memory(memory).unwrap();
    driver.unreserve(range).unwrap();
    driver.unpin(host).unwrap();
    driver.destroy_event(event).unwrap();
    driver.destroy_stream(stream).unwrap();
    drop(driver);
    settle(&shim, 1);
}

#[test]
fn what_is_not_there_or_not_whole_is_refused_before_the_driver_is_asked() {
    let shim = shim(1);
    let driver = open(0);
    let unit = driver.info().granularity;
    let range = driver.reserve(unit, 1).unwrap();
    let memory = driver.create_memory(unit).unwrap();
    let stream = driver.create_stream().unwrap();
    shim.forget_calls();
    let invalid = |result: Result<(), DriverError>| {
        assert!(
            matches!(result, Err(DriverError::Invalid { .. })),
            "{result:?}"
        );
    };
    invalid(driver.map(range, unit, memory));
    invalid(driver.set_access(range, 0, unit, Protection::ReadWrite));
    driver.map(range, 0, memory).unwrap();
    invalid(driver.map(range, 0, memory));
    invalid(driver.unmap(range, 0, unit / 2));
    invalid(driver.unreserve(range));
    invalid(driver.free(stream, range));
    invalid(driver.unpin(range));
    invalid(driver.create_memory(unit + 1).map(drop));
    invalid(driver.reserve(0, 1).map(drop));
    invalid(driver.reserve(unit, 3).map(drop));
    invalid(driver.allocate(stream, 0).map(drop));
    invalid(driver.pin(0).map(drop));
    let refused = shim
        .calls()
        .into_iter()
        .filter(|call| call.contains("status"));
    assert_eq!(refused.count(), 0);
    driver.unmap(range, 0, unit).unwrap();
    driver.destroy_memory(memory).unwrap();
    invalid(driver.destroy_memory(memory));
    driver.unreserve(range).unwrap();
    invalid(driver.unreserve(range));
    driver.destroy_stream(stream).unwrap();
    invalid(driver.destroy_stream(stream));
    drop(driver);
    settle(&shim, 1);
}

#[test]
fn an_ordinal_that_is_not_there_a_missing_pool_and_an_old_driver_are_typed_errors() {
    let shim = shim(1);
    let said = gpu_graph::cuda(2).err().unwrap().to_string();
    assert_eq!(said, "there is no CUDA device 2: the driver has 2");
    for (call, status, want) in [
        (
            "cuDeviceGetCount",
            3,
            "cuDeviceGetCount: CUDA_ERROR_NOT_INITIALIZED (3)",
        ),
        (
            "cuDevicePrimaryCtxRetain",
            101,
            "cuDevicePrimaryCtxRetain: CUDA_ERROR_INVALID_DEVICE (101)",
        ),
        (
            "cuMemPoolCreate",
            2,
            "cuMemPoolCreate: CUDA_ERROR_OUT_OF_MEMORY (2)",
        ),
        (
            "cuMemPoolSetAttribute",
            801,
            "cuMemPoolSetAttribute: CUDA_ERROR_NOT_SUPPORTED (801)",
        ),
    ] {
        restart(&shim, 1);
        shim.fail(call, 1, status);
        assert_eq!(gpu_graph::cuda(0).err().unwrap().to_string(), want);
        assert!(gpu_graph::cuda(0).is_ok(), "the next try after {call}");
        settle(&shim, 1);
    }
}
