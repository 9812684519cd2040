//! A run allocates nothing, on no thread.

mod facade_support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use facade_support::*;
use gpu_graph_runtime::exec::Code;
use gpu_graph_runtime::graph::{Graph, IntoInput, LaneCore, RunError, host};

struct Counting;

static CALLS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is the system's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, SeqCst);
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        CALLS.fetch_add(1, SeqCst);
        // SAFETY: the caller's.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const RUNS: u32 = 200;
const N: usize = 256;

/// What `RUNS` calls of `run` allocate or free, after one on each of at most two lanes: a worker
/// that `load` started may begin its life, which allocates, as late as its first run.
fn count(mut run: impl FnMut(u32) -> Result<(), RunError>) -> u64 {
    run(0).unwrap();
    run(1).unwrap();
    let before = CALLS.load(SeqCst);
    for i in 1..=RUNS {
        run(i).unwrap();
    }
    CALLS.load(SeqCst) - before
}

fn once<I: IntoInput<u32>>(
    lane: &mut LaneCore<'_>,
    x: I,
    by: Option<u32>,
) -> Result<u32, RunError> {
    let mut setup = lane
        .begin()
        .check::<u32, _>(&x)?
        .gate()?
        .input::<u32, _>(x)?;
    if let Some(by) = by {
        setup = setup.scalar(by);
    }
    let run = setup.start()?;
    let y = run.output::<u32>(0)?;
    let mut copy = [0; N];
    y.copy_to(&mut copy)?;
    run.wait()?;
    assert!(run.is_finished());
    assert_eq!(y.as_slice(), Some(&copy[..]));
    Ok(copy[N - 1])
}

// Without the test harness, whose own thread would be counted.
fn main() {
    let device = host();
    let dims = [N as u64];
    let borrowed = [3u32; N];
    let shared: Arc<[u32]> = Arc::from(borrowed);

    let mut graph = Graph::load(&device, chain(1), &dims).unwrap();
    let [mut lane] = graph.lanes::<1>();
    let calls = count(|i| once(&mut lane, &borrowed, Some(i)).map(|y| assert_eq!(y, 4 * i)));
    assert_eq!(calls, 0, "one stream, borrowed input");
    let calls = count(|i| once(&mut lane, &shared, Some(i)).map(|y| assert_eq!(y, 4 * i)));
    assert_eq!(calls, 0, "one stream, shared input");
    // The vector itself is allocated here and freed by the lane.
    let calls = count(|i| once(&mut lane, vec![i; N], Some(2)).map(|y| assert_eq!(y, 2 * (i + 1))));
    assert_eq!(calls, 2 * u64::from(RUNS), "one stream, owned input");
    let calls = count(|_| {
        let wrong = lane.begin().check::<u32, _>(&&borrowed[1..]).unwrap_err();
        assert!(matches!(wrong, RunError::InputLength { .. }));
        Ok(())
    });
    assert_eq!(calls, 0, "refused");

    let code = Code {
        host: increment,
        in_place: Some(increment_in_place),
        cuda: None,
    };
    let mut graph = Graph::load(&device, in_place(code), &dims).unwrap();
    let [mut lane] = graph.lanes::<1>();
    let calls = count(|_| once(&mut lane, &borrowed, None).map(|y| assert_eq!(y, 5)));
    assert_eq!(calls, 0, "in place");

    let mut graph = Graph::load(&device, fork(1, increment), &dims).unwrap();
    let [mut lane] = graph.lanes::<1>();
    let calls = count(|_| once(&mut lane, &borrowed, None).map(|y| assert_eq!(y, 4)));
    assert_eq!(calls, 0, "two streams, borrowed input");
    let calls = count(|_| once(&mut lane, Arc::clone(&shared), None).map(|y| assert_eq!(y, 4)));
    assert_eq!(calls, 0, "two streams, shared input");

    let mut graph = Graph::load(&device, fork(2, increment), &dims).unwrap();
    let mut lanes = graph.lanes::<2>();
    let calls =
        count(|i| once(&mut lanes[i as usize % 2], &shared, None).map(|y| assert_eq!(y, 4)));
    assert_eq!(calls, 0, "pipelined");
    let calls = count(|i| {
        let lane = &mut lanes[i as usize % 2];
        lane.begin()
            .gate()?
            .input::<u32, _>(&borrowed)?
            .start()
            .map(drop)
    });
    assert_eq!(calls, 0, "pipelined, nobody looks at the results");
    println!("runs allocate nothing: 9 kinds of run, {RUNS} of each");
}
