//! Interleavings of small cases of the event, token and queue code.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p gpu-graph-runtime --test loom --release`
//!
//! The futex is emulated by a mutex and a condition variable. The slots of the queue are too: what
//! is explored is the sleeping and waking around them. Without the flag this file is empty.
#![cfg(loom)]

use gpu_graph_runtime::sync::{Queue, Signal};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// All interleavings with up to three preemptions, which is where such faults are found.
fn explore(case: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(case);
}

/// A cell that loom watches for races.
struct Cell(UnsafeCell<u64>);

// SAFETY: loom reports every unordered access.
unsafe impl Sync for Cell {}
// SAFETY: as above.
unsafe impl Send for Cell {}

impl Cell {
    fn new() -> Self {
        Self(UnsafeCell::new(0))
    }

    fn put(&self, value: u64) {
        // SAFETY: loom reports a race.
        self.0.with_mut(|at| unsafe { *at = value });
    }

    fn take(&self) -> u64 {
        // SAFETY: loom reports a race.
        self.0.with(|at| unsafe { *at })
    }
}

#[test]
fn a_waiter_is_woken_and_sees_what_came_before() {
    explore(|| {
        let shared = Arc::new((Signal::new(0), Cell::new()));
        let other = Arc::clone(&shared);
        let recorder = thread::spawn(move || {
            other.1.put(7);
            other.0.set(1);
        });
        shared.0.wait(1);
        assert_eq!(shared.1.take(), 7);
        recorder.join().unwrap();
    });
}

#[test]
fn two_waiters_for_different_generations_are_both_woken() {
    explore(|| {
        let signal = Arc::new(Signal::new(0));
        let waiters: Vec<_> = (1..=2)
            .map(|generation| {
                let signal = Arc::clone(&signal);
                thread::spawn(move || signal.wait(generation))
            })
            .collect();
        signal.set(1);
        signal.set(2);
        for waiter in waiters {
            waiter.join().unwrap();
        }
    });
}

#[test]
fn advances_of_two_threads_add_up_and_wake() {
    explore(|| {
        let signal = Arc::new(Signal::new(0));
        let other = Arc::clone(&signal);
        let adder = thread::spawn(move || other.advance());
        let other = Arc::clone(&signal);
        let waiter = thread::spawn(move || other.wait(2));
        signal.advance();
        adder.join().unwrap();
        waiter.join().unwrap();
    });
}

/// The life of a worker as the executable's is: tokens in, events out, then closed.
#[test]
fn a_worker_takes_each_token_once_and_ends_when_closed() {
    const CLOSED: u64 = 1 << 63;
    explore(|| {
        let shared = Arc::new((Signal::new(0), Signal::new(0), Cell::new()));
        let own = Arc::clone(&shared);
        let worker = thread::spawn(move || {
            let (token, event, cell) = &*own;
            let mut done = 0;
            loop {
                token.wait(done + 1);
                if token.get() == CLOSED | done {
                    return done;
                }
                done += 1;
                cell.put(done);
                event.set(done);
            }
        });
        let (token, event, cell) = &*shared;
        token.set(1);
        event.wait(1);
        assert_eq!(cell.take(), 1);
        token.set(2);
        // Dropped in flight: the second run still ends.
        token.set(CLOSED | 2);
        assert_eq!(worker.join().unwrap(), 2);
        assert!(event.reached(2));
    });
}

#[test]
fn events_order_two_streams_both_ways() {
    explore(|| {
        let shared = Arc::new((Signal::new(0), Signal::new(0), Cell::new()));
        let own = Arc::clone(&shared);
        let stream = thread::spawn(move || {
            own.0.wait(1);
            own.2.put(own.2.take() + 1);
            own.1.set(1);
        });
        shared.2.put(1);
        shared.0.set(1);
        shared.1.wait(1);
        assert_eq!(shared.2.take(), 2);
        stream.join().unwrap();
    });
}

#[test]
fn a_full_queue_lets_its_producer_wait_and_keeps_the_order() {
    explore(|| {
        let queue = Arc::new(Queue::new(1));
        let own = Arc::clone(&queue);
        let consumer = thread::spawn(move || {
            let mut taken = 0;
            let mut all = Vec::new();
            while let Some(item) = own.pop(&mut taken) {
                all.push(item);
            }
            all
        });
        queue.push(1);
        queue.push(2);
        queue.close();
        assert_eq!(consumer.join().unwrap(), [1, 2]);
    });
}

#[test]
fn two_producers_and_a_sleeping_consumer_lose_nothing() {
    explore(|| {
        let queue = Arc::new(Queue::new(2));
        let other = Arc::clone(&queue);
        let producer = thread::spawn(move || other.push(1));
        let own = Arc::clone(&queue);
        let consumer = thread::spawn(move || {
            let mut taken = 0;
            let first = own.pop(&mut taken).unwrap();
            first + own.pop(&mut taken).unwrap()
        });
        queue.push(2);
        producer.join().unwrap();
        assert_eq!(consumer.join().unwrap(), 3);
    });
}
