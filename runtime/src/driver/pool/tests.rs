use std::cell::Cell;
use std::rc::Rc;

use super::*;

impl Complete for Rc<Cell<bool>> {
    fn is_complete(&self) -> bool {
        self.get()
    }
}

type Done = Rc<Cell<bool>>;

/// A segment at an address of that number.
#[derive(Debug, PartialEq)]
struct At(u64);

impl Place for At {
    fn base(&self) -> *mut u8 {
        std::ptr::without_provenance_mut(self.0 as usize)
    }
}

fn pool() -> Pool<At, Done> {
    Pool::default()
}

fn grow(base: u64) -> impl FnOnce(u64) -> Result<At, DriverError> {
    move |_| Ok(At(base))
}

fn never(bytes: u64) -> Result<At, DriverError> {
    Err(DriverError::OutOfMemory {
        call: "grow",
        requested: bytes,
    })
}

fn pending(stream: u64) -> (Done, Pending<Done>) {
    let done = Done::default();
    (Rc::clone(&done), Pending { stream, done })
}

#[test]
fn m05_a_merged_extent_waits_for_both_completions() {
    let mut pool = pool();
    let half = SEGMENT / 2;
    pool.allocate(1, 1, half, grow(SEGMENT)).unwrap();
    pool.allocate(2, 2, half, never).unwrap();
    let (a, on_a) = pending(1);
    let (b, on_b) = pending(2);
    pool.free(1, on_a).unwrap();
    pool.free(2, on_b).unwrap();
    for (first, second) in [(&a, &b), (&b, &a)] {
        first.set(true);
        second.set(false);
        assert!(pool.allocate(3, 3, SEGMENT, never).is_err());
        assert!(pool.trim(0).is_empty());
    }
    a.set(true);
    b.set(true);
    assert_eq!(
        pool.allocate(3, 3, SEGMENT, never).unwrap().address,
        At(SEGMENT).base()
    );
}

#[test]
fn m06_neighbours_freed_on_different_streams_coalesce() {
    let mut pool = pool();
    for id in 0..4 {
        pool.allocate(id, id, SEGMENT / 4, grow(SEGMENT)).unwrap();
    }
    for id in [2, 0, 3, 1] {
        let (done, pending) = pending(id);
        done.set(true);
        pool.free(id, pending).unwrap();
    }
    assert_eq!(
        pool.allocate(9, 9, SEGMENT, never).unwrap().address,
        At(SEGMENT).base()
    );
}

#[test]
fn m07_only_the_very_stream_reuses_before_completion() {
    let mut pool = pool();
    pool.allocate(1, 1, SEGMENT, grow(SEGMENT)).unwrap();
    let (_done, on_1) = pending(1);
    pool.free(1, on_1).unwrap();
    assert!(pool.allocate(2, 2, 256, never).is_err());
    assert!(pool.allocate(2, 1, 256, never).is_ok());
    // The rest of what was split still waits.
    assert!(pool.allocate(3, 2, 256, never).is_err());
}

#[test]
fn m04_trim_keeps_what_work_may_touch() {
    let mut pool = pool();
    pool.allocate(1, 1, 300, grow(SEGMENT)).unwrap();
    assert!(pool.trim(0).is_empty());
    let (done, on_1) = pending(1);
    pool.free(1, on_1).unwrap();
    assert!(pool.trim(0).is_empty());
    done.set(true);
    let idle = pool.trim(0);
    assert_eq!((idle.len(), idle[0].bytes), (1, SEGMENT));
    assert_eq!(idle[0].place, At(SEGMENT));
}

#[test]
fn wrong_ids_and_sizes_are_refused() {
    let mut pool = pool();
    assert!(matches!(
        pool.allocate(1, 1, 0, never),
        Err(DriverError::Invalid { .. })
    ));
    assert!(matches!(
        pool.allocate(1, 1, u64::MAX, never),
        Err(DriverError::OutOfMemory { .. })
    ));
    assert!(matches!(
        pool.free(1, pending(1).1),
        Err(DriverError::Invalid { .. })
    ));
}
