//! Memory of the host driver: what is refused, what is kept, what faults.

use gpu_graph_runtime::driver::host::HostDriver;
use gpu_graph_runtime::driver::{Driver, DriverError, MemoryId, Protection, RangeId};

const UNIT: u64 = 64 << 10;

fn invalid<T: std::fmt::Debug>(answer: Result<T, DriverError>) {
    assert!(
        matches!(answer, Err(DriverError::Invalid { .. })),
        "{answer:?}"
    );
}

fn full<T: std::fmt::Debug>(answer: Result<T, DriverError>) {
    assert!(
        matches!(answer, Err(DriverError::OutOfMemory { .. })),
        "{answer:?}"
    );
}

fn mapped(driver: &HostDriver, range: RangeId, offset: u64, bytes: u64) -> MemoryId {
    let memory = driver.create_memory(bytes).expect("memory");
    driver.map(range, offset, memory).expect("a mapping");
    let to = Protection::ReadWrite;
    driver.set_access(range, offset, bytes, to).expect("access");
    memory
}

fn at(driver: &HostDriver, range: RangeId, offset: u64) -> *mut u64 {
    let base = driver.address(range).expect("an address").0;
    base.wrapping_add(offset as usize).cast()
}

#[test]
fn sizes_and_alignments_that_cannot_be_are_refused() {
    let driver = HostDriver::new();
    invalid(driver.reserve(0, 1));
    invalid(driver.reserve(1, 0));
    invalid(driver.reserve(1, 3));
    full(driver.reserve(u64::MAX, 1));
    full(driver.reserve(u64::MAX - UNIT, 1));
    full(driver.reserve(1 << 62, 1 << 62));
    full(driver.reserve(1, 1 << 63));
    invalid(driver.create_memory(0));
    invalid(driver.create_memory(UNIT + 1));
    full(driver.create_memory(u64::MAX / UNIT * UNIT));
    let stream = driver.create_stream().expect("a stream");
    invalid(driver.allocate(stream, 0));
    full(driver.allocate(stream, u64::MAX));
    full(driver.allocate(stream, 1 << 62));
}

#[test]
fn ids_that_are_not_there_are_refused() {
    let driver = HostDriver::new();
    let range = driver.reserve(UNIT, 1).expect("a range");
    let memory = driver.create_memory(UNIT).expect("memory");
    invalid(driver.map(RangeId(9_999), 0, memory));
    invalid(driver.map(range, 0, MemoryId(9_999)));
    invalid(driver.address(RangeId(9_999)));
    driver.destroy_memory(memory).expect("once");
    invalid(driver.destroy_memory(memory));
    invalid(driver.map(range, 0, memory));
    driver.unreserve(range).expect("once");
    invalid(driver.unreserve(range));
}

#[test]
fn parts_that_do_not_fit_are_refused_and_change_nothing() {
    let driver = HostDriver::new();
    let range = driver.reserve(4 * UNIT, 1).expect("a range");
    let memory = driver.create_memory(4 * UNIT).expect("memory");
    invalid(driver.map(range, UNIT, memory));
    invalid(driver.map(range, 1, memory));
    invalid(driver.map(range, u64::MAX / UNIT * UNIT, memory));
    invalid(driver.set_access(range, 0, UNIT, Protection::Read));
    driver.map(range, 0, memory).expect("a mapping");
    invalid(driver.map(range, 0, driver.create_memory(UNIT).expect("memory")));
    invalid(driver.set_access(range, 0, 5 * UNIT, Protection::Read));
    invalid(driver.unmap(range, 0, UNIT));
    invalid(driver.unreserve(range));
    driver.unmap(range, 0, 4 * UNIT).expect("an unmap");
    invalid(driver.unmap(range, 0, 4 * UNIT));
    driver.unreserve(range).expect("nothing is mapped");
}

#[test]
fn a_range_is_aligned_as_asked_and_zeroed() {
    let driver = HostDriver::new();
    for align in [1, 256, 1 << 16, 1 << 21] {
        let range = driver.reserve(UNIT, align).expect("a range");
        mapped(&driver, range, 0, UNIT);
        let start = at(&driver, range, 0);
        assert_eq!(start.addr() as u64 % align.max(256), 0);
        // SAFETY: mapped and accessible.
        assert_eq!(unsafe { start.read() }, 0);
    }
}

#[test]
#[cfg_attr(miri, ignore = "the heap of the interpreter is real")]
fn a_huge_arena_costs_nothing_until_it_is_touched() {
    let driver = HostDriver::new();
    let bytes = 1 << 40;
    let range = driver.reserve(bytes, 256).expect("a range");
    mapped(&driver, range, 0, bytes);
    let last = at(&driver, range, bytes - 8);
    // SAFETY: mapped and accessible.
    unsafe { last.write(5) };
    driver.unmap(range, 0, bytes).expect("an unmap");
    driver.unreserve(range).expect("an unreserve");
}

#[test]
fn content_outlives_a_mapping_as_long_as_its_memory() {
    let driver = HostDriver::new();
    let (a, b) = (
        driver.reserve(UNIT, 1).expect("a range"),
        driver.reserve(UNIT, 1).expect("a range"),
    );
    let memory = mapped(&driver, a, 0, UNIT);
    // SAFETY: mapped and accessible.
    unsafe { at(&driver, a, 8).write(77) };
    driver.unmap(a, 0, UNIT).expect("an unmap");
    driver.map(b, 0, memory).expect("a mapping");
    driver
        .set_access(b, 0, UNIT, Protection::Read)
        .expect("access");
    // SAFETY: as above.
    assert_eq!(unsafe { at(&driver, b, 8).read() }, 77);
    // New memory at the old place is new.
    mapped(&driver, a, 0, UNIT);
    // SAFETY: as above.
    assert_eq!(unsafe { at(&driver, a, 8).read() }, 0);
    driver
        .destroy_memory(memory)
        .expect("destroyed while mapped");
    // SAFETY: it goes once it is mapped nowhere.
    assert_eq!(unsafe { at(&driver, b, 8).read() }, 77);
}

#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(miri, ignore = "there are no files to map")]
fn one_memory_shows_at_every_place_it_is_mapped_at() {
    let driver = HostDriver::new();
    let range = driver.reserve(8 * UNIT, 1).expect("a range");
    let memory = mapped(&driver, range, 2 * UNIT, UNIT);
    driver
        .map(range, 5 * UNIT, memory)
        .expect("a second mapping");
    let to = Protection::ReadWrite;
    driver
        .set_access(range, 5 * UNIT, UNIT, to)
        .expect("access");
    // SAFETY: both are mapped and accessible.
    unsafe {
        at(&driver, range, 2 * UNIT + 16).write(123);
        assert_eq!(at(&driver, range, 5 * UNIT + 16).read(), 123);
    }
    // Stitched: two memories side by side are one part for access and unmap.
    mapped(&driver, range, 3 * UNIT, UNIT);
    driver
        .set_access(range, 2 * UNIT, 2 * UNIT, Protection::Read)
        .expect("both");
    driver.unmap(range, 2 * UNIT, 2 * UNIT).expect("both");
    // SAFETY: the other mapping is still there.
    assert_eq!(unsafe { at(&driver, range, 5 * UNIT + 16).read() }, 123);
    // What fills its range is private to it.
    let whole = driver.reserve(UNIT, 1).expect("a range");
    let own = mapped(&driver, whole, 0, UNIT);
    let again = driver.map(range, 0, own);
    assert_eq!(again, Err(DriverError::Unsupported { call: "map" }));
}

/// Runs one of the cases below in a process of its own and says which signal ended it.
#[cfg(target_os = "linux")]
fn signal_of(case: &str) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    let child = std::process::Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "faulting_case", "--nocapture"])
        .env("GPU_GRAPH_FAULT", case)
        .output()
        .expect("a process");
    child.status.signal()
}

#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(miri, ignore = "there are no processes")]
fn a_use_without_access_faults() {
    const SIGSEGV: i32 = 11;
    for case in [
        "reserved",
        "mapped",
        "unmapped",
        "parked",
        "shared",
        "read-only",
        "trimmed",
    ] {
        assert_eq!(signal_of(case), Some(SIGSEGV), "{case}");
    }
    assert_eq!(signal_of("none"), None);
}

/// Not a test by itself: ends by a fault where it is told to.
#[test]
fn faulting_case() {
    let Ok(case) = std::env::var("GPU_GRAPH_FAULT") else {
        return;
    };
    let driver = HostDriver::new();
    let range = driver.reserve(4 * UNIT, 1).expect("a range");
    let start = at(&driver, range, 0);
    let whole = 4 * UNIT;
    match case.as_str() {
        "reserved" => {}
        "mapped" => {
            let memory = driver.create_memory(whole).expect("memory");
            driver.map(range, 0, memory).expect("a mapping");
        }
        "unmapped" => {
            let memory = mapped(&driver, range, 0, whole);
            driver.destroy_memory(memory).expect("destroyed");
            driver.unmap(range, 0, whole).expect("an unmap");
        }
        "parked" => {
            mapped(&driver, range, 0, whole);
            driver.unmap(range, 0, whole).expect("an unmap");
        }
        "shared" => {
            mapped(&driver, range, 0, UNIT);
            driver.unmap(range, 0, UNIT).expect("an unmap");
        }
        "read-only" => {
            mapped(&driver, range, 0, whole);
            let to = Protection::Read;
            driver.set_access(range, 0, whole, to).expect("access");
        }
        "trimmed" => {
            let stream = driver.create_stream().expect("a stream");
            let event = driver.create_event().expect("an event");
            let block = driver.allocate(stream, 64).expect("a block");
            let start = driver.address(block).expect("an address").0;
            driver.free(stream, block).expect("a free");
            driver.record(event, stream).expect("a record");
            driver.synchronize(event).expect("the end");
            assert_eq!(driver.trim(), Ok(2 << 20));
            // SAFETY: faults.
            unsafe { start.write_volatile(1) };
        }
        _ => return,
    }
    // SAFETY: faults, which is what this is about.
    unsafe { start.write_volatile(1) };
}
