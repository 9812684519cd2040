//! Streams that are given one operation at a time, and the pool: on the host and simulated.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use common::graph::Graph;
use common::kernels::{self, PANIC};
use common::load::Arena;
use gpu_graph_runtime::driver::host::HostDriver;
use gpu_graph_runtime::driver::sim::SimDriver;
use gpu_graph_runtime::driver::{Address, Driver, DriverError, EventId, RangeId, StreamId};
use gpu_graph_runtime::exec::{Args, Code, Executable, Image, Storage, Tables};
use gpu_graph_runtime::table::{Class, Form, Mode, Slot};

fn both() -> Vec<Arc<dyn Driver>> {
    vec![Arc::new(HostDriver::new()), Arc::new(SimDriver::new(3))]
}

fn at(driver: &Arc<dyn Driver>, range: RangeId) -> Address {
    driver.address(range).expect("an address")
}

fn done(driver: &Arc<dyn Driver>, stream: StreamId) -> Result<(), DriverError> {
    let event = driver.create_event().expect("an event");
    driver.record(event, stream).expect("a record");
    let answer = driver.synchronize(event);
    assert_eq!(driver.query(event), Ok(true));
    driver.destroy_event(event).expect("an event");
    answer
}

#[test]
fn a_stream_keeps_its_order_beyond_the_length_of_its_queue() {
    for driver in both() {
        let stream = driver.create_stream().expect("a stream");
        let block = driver.allocate(stream, 4096).expect("a block");
        let to = at(&driver, block);
        let count: u64 = if cfg!(miri) { 40 } else { 5_000 };
        for i in 0..count {
            // SAFETY: the block is that long, and used on this stream only.
            unsafe { driver.fill(stream, to, i as u8, 64 + i % 64) }.expect("a fill");
        }
        let mut out = [0u8; 64];
        // SAFETY: as above; `out` is read after the wait.
        unsafe { driver.copy(stream, Address(out.as_mut_ptr()), to, 64) }.expect("a copy");
        assert_eq!(done(&driver, stream), Ok(()));
        assert_eq!(out, [(count - 1) as u8; 64]);
        driver.free(stream, block).expect("a free");
        assert!(matches!(
            driver.free(stream, block),
            Err(DriverError::Invalid { .. })
        ));
    }
}

#[test]
fn h28_recording_an_event_again_takes_nothing_from_those_who_wait_for_it() {
    for driver in both() {
        let streams: Vec<StreamId> = (0..3)
            .map(|_| driver.create_stream().expect("a stream"))
            .collect();
        let [a, b, c] = streams[..] else {
            unreachable!()
        };
        let bytes = if cfg!(miri) { 1 << 10 } else { 8 << 20 };
        let block = driver.allocate(a, bytes).expect("a block");
        let start = at(&driver, block);
        let event = driver.create_event().expect("an event");
        // SAFETY: `b` and `c` come after `a` by the event; each touches a byte of its own there.
        unsafe {
            driver.fill(a, start, 1, bytes).expect("a fill");
            driver.record(event, a).expect("a record");
            driver.wait(c, event).expect("a wait");
            // The same event, recorded where nothing precedes it.
            driver.record(event, b).expect("a record");
            let last = Address(start.0.wrapping_add(bytes as usize - 1));
            driver.copy(c, start, last, 1).expect("a copy");
        }
        assert_eq!(done(&driver, c), Ok(()));
        let mut first = 0u8;
        // SAFETY: as above.
        unsafe { driver.copy(c, Address(&raw mut first), start, 1) }.expect("a copy");
        assert_eq!(done(&driver, c), Ok(()));
        assert_eq!(first, 1);
    }
}

#[test]
fn an_event_is_complete_until_it_is_recorded_and_ids_are_checked() {
    for driver in both() {
        let (stream, event) = (
            driver.create_stream().expect("a stream"),
            driver.create_event().expect("an event"),
        );
        assert_eq!(driver.query(event), Ok(true));
        assert_eq!(driver.synchronize(event), Ok(()));
        assert_eq!(driver.wait(stream, event), Ok(()));
        let bad =
            |r: Result<(), DriverError>| assert!(matches!(r, Err(DriverError::Invalid { .. })));
        bad(driver.record(EventId(9_999), stream));
        bad(driver.record(event, StreamId(9_999)));
        bad(driver.wait(stream, EventId(9_999)));
        bad(driver.synchronize(EventId(9_999)));
        bad(driver.allocate(StreamId(9_999), 1).map(drop));
        driver.destroy_stream(stream).expect("once");
        bad(driver.destroy_stream(stream));
        driver.destroy_event(event).expect("once");
        bad(driver.destroy_event(event));
    }
}

/// A task that panics where parameter 0 is 0, and one that does not.
fn tasks(driver: &Arc<dyn Driver>) -> Arc<Executable> {
    let mut graph = Graph {
        ring: 1,
        streams: 1,
        arena: 512,
        ..Graph::default()
    };
    for kernel in [PANIC, 0] {
        let a = graph.resource(Class::Output, 4);
        let touches = vec![graph.all(a, Mode::Overwrite)];
        graph.task(kernel, 5, touches);
    }
    graph.slots = vec![
        Slot {
            offset: 0,
            bytes: 256,
        },
        Slot {
            offset: 256,
            bytes: 256,
        },
    ];
    let tables = Arc::new(Tables::resolve(graph.image(), &[]).expect("tables"));
    let arena = Arc::new(Arena::new(driver, 512));
    let (start, unified) = (arena.start(), driver.info().unified);
    // SAFETY: the arena is as long and kept; the tasks are apart.
    Arc::new(unsafe { Executable::new(tables, 0, Storage::arena(start), unified, arena) })
}

#[test]
fn a_panic_fails_its_stream_and_those_that_wait_for_it() {
    for driver in both() {
        let exec = tasks(&driver);
        let (a, b, c) = (
            driver.create_stream().expect("a stream"),
            driver.create_stream().expect("a stream"),
            driver.create_stream().expect("a stream"),
        );
        let event = driver.create_event().expect("an event");
        // SAFETY: the two tasks touch different memory, the second on streams that take turns.
        unsafe {
            driver.launch(a, &exec, 0, Form::Apart).expect("a launch");
            driver.record(event, a).expect("a record");
            driver.wait(b, event).expect("a wait");
            driver.launch(b, &exec, 1, Form::Apart).expect("a launch");
        }
        let failed = |r: Result<(), DriverError>| {
            assert!(
                matches!(r, Err(DriverError::Panicked { task: 0, .. })),
                "{r:?}"
            );
        };
        failed(done(&driver, b));
        failed(driver.synchronize(event));
        failed(done(&driver, a));
        // SAFETY: as above; `b` has ended, and skipped it.
        unsafe { driver.launch(c, &exec, 1, Form::Apart) }.expect("a launch");
        assert_eq!(done(&driver, c), Ok(()));
        let mut out = [0u64; 4];
        let to = Address(out.as_mut_ptr().cast());
        // SAFETY: as above.
        unsafe { driver.copy(c, to, Address(exec.base(1)), 32) }.expect("a copy");
        assert_eq!(done(&driver, c), Ok(()));
        assert_eq!(out[2], kernels::element(5, 0, 2, &[]));
        // SAFETY: refused.
        let none = unsafe { driver.launch(c, &exec, 2, Form::Apart) };
        assert!(matches!(none, Err(DriverError::Invalid { .. })));
    }
}

static OPEN: AtomicBool = AtomicBool::new(false);

fn held(args: &mut Args<'_>) {
    while !OPEN.load(Ordering::Acquire) {
        std::thread::yield_now();
    }
    args.write::<u64>().fill(9);
}

static HELD: [Code; 8] = [Code {
    host: held,
    in_place: None,
    cuda: None,
}; 8];

#[test]
fn issuing_and_destroying_wait_for_nothing_and_the_work_goes_on() {
    let driver: Arc<dyn Driver> = Arc::new(HostDriver::new());
    let exec = tasks(&driver);
    let image = Image {
        code: &HELD,
        ..*exec.image()
    };
    let tables = Arc::new(Tables::resolve(image, &[]).expect("tables"));
    let start = exec.base(0);
    // SAFETY: the arena is kept by `exec`; nothing else runs on it.
    let exec = Arc::new(unsafe { Executable::new(tables, 0, Storage::arena(start), true, exec) });
    let stream = driver.create_stream().expect("a stream");
    let event = driver.create_event().expect("an event");
    // SAFETY: one task.
    unsafe { driver.launch(stream, &exec, 0, Form::Apart) }.expect("a launch");
    driver.record(event, stream).expect("a record");
    let block = driver.allocate(stream, 64).expect("a block");
    driver.free(stream, block).expect("a free");
    driver.destroy_stream(stream).expect("a stream");
    assert_eq!(driver.query(event), Ok(false));
    // M04: storage that queued work may touch is not returned.
    assert_eq!(driver.trim(), Ok(0));
    OPEN.store(true, Ordering::Release);
    assert_eq!(driver.synchronize(event), Ok(()));
    // SAFETY: the task is over.
    assert_eq!(unsafe { exec.base(0).cast::<u64>().read() }, 9);
}

#[test]
fn storage_freed_on_one_stream_is_reused_there_and_elsewhere_once_complete() {
    for driver in both() {
        let (a, b) = (
            driver.create_stream().expect("a stream"),
            driver.create_stream().expect("a stream"),
        );
        let block = driver.allocate(a, 1000).expect("a block");
        let first = at(&driver, block);
        driver.free(a, block).expect("a free");
        let again = driver.allocate(a, 1000).expect("a block");
        assert_eq!(at(&driver, again), first);
        driver.free(a, again).expect("a free");
        assert_eq!(done(&driver, a), Ok(()));
        let other = driver.allocate(b, 1000).expect("a block");
        assert_eq!(at(&driver, other), first);
        driver.free(b, other).expect("a free");
        assert_eq!(done(&driver, b), Ok(()));
        assert!(driver.trim().expect("a trim") > 0);
        assert_eq!(driver.trim(), Ok(0));
    }
}
