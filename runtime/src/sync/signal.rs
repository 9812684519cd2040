//! A counter that only grows and can be waited for.

use super::atomic::{AtomicU64, Ordering};
use super::futex::Futex;

/// How often a waiter looks before it sleeps: some microseconds, about what a sleep costs. More
/// would take the core from the thread that is waited for, where cores are few.
#[cfg(not(any(loom, miri)))]
const SPINS: u32 = 100;
#[cfg(any(loom, miri))]
const SPINS: u32 = 0;

/// A counter that only grows and can be waited for: an event's generation, a stream's token.
///
/// Setting it costs a store and an addition, and a system call only where somebody sleeps. It has
/// a cache line of its own, so that streams do not slow each other down.
///
/// What a thread did before it set a value is visible to whoever saw that value reached.
#[derive(Debug)]
#[repr(align(64))]
pub struct Signal {
    value: AtomicU64,
    /// Twice the number of sets so far, plus 1 where somebody may sleep. Both sides change it by
    /// read-modify-write only: of a setter and a waiter one comes second, and that one sees what the
    /// other wrote. A setter that comes second wakes; a waiter that comes second sees the value and
    /// does not sleep. The count keeps a waiter awake that looked before a set and would sleep after
    /// it, whatever other waiters have done to the lowest bit since.
    asleep: Futex,
}

impl Signal {
    /// At `value`.
    pub fn new(value: u64) -> Self {
        Self {
            value: AtomicU64::new(value),
            asleep: Futex::new(0),
        }
    }

    /// The value now.
    pub fn get(&self) -> u64 {
        self.value.load(Ordering::Acquire)
    }

    /// Whether `value` has been reached.
    pub fn reached(&self, value: u64) -> bool {
        self.get() >= value
    }

    /// Raises it to `value`. One thread at a time sets a signal.
    pub fn set(&self, value: u64) {
        self.value.store(value, Ordering::Release);
        self.wake();
    }

    /// Raises it by one; any number of threads may.
    pub fn advance(&self) {
        self.value.fetch_add(1, Ordering::AcqRel);
        self.wake();
    }

    fn wake(&self) {
        if self.asleep.fetch_add(2, Ordering::AcqRel) & 1 != 0 {
            self.wake_sleepers();
        }
    }

    #[cold]
    fn wake_sleepers(&self) {
        // Whoever clears the bit wakes afterwards, so the bit of a waiter that came in between is
        // not lost.
        self.asleep.fetch_and(!1, Ordering::AcqRel);
        self.asleep.wake_all();
    }

    /// Returns once `value` has been reached: looks for a moment, then sleeps.
    pub fn wait(&self, value: u64) {
        for _ in 0..SPINS {
            if self.reached(value) {
                return;
            }
            std::hint::spin_loop();
        }
        while !self.reached(value) {
            let seen = self.asleep.fetch_or(1, Ordering::AcqRel) | 1;
            if self.reached(value) {
                return;
            }
            self.asleep.wait(seen);
        }
    }
}
