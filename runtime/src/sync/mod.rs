//! Sleeping and waking between threads: a counter that can be waited for, and a queue on top.
//!
//! Under `--cfg loom` the same code runs on loom's atomics, with the futex emulated by a mutex and
//! a condition variable, so that every interleaving of a small case can be explored
//! (`tests/loom.rs`). The interpreter Miri gets the same emulation: it refuses the way in which
//! `atomic-wait` makes the system call.

mod futex;
mod inside;
mod queue;
mod signal;

pub use inside::Inside;
pub use queue::Queue;
pub use signal::Signal;

/// The primitives of this module: the standard library's, or loom's.
mod atomic {
    #[cfg(loom)]
    pub(super) use loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
    #[cfg(loom)]
    pub(super) use loom::sync::{Condvar, Mutex};
    #[cfg(not(loom))]
    pub(super) use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
    #[cfg(all(miri, not(loom)))]
    pub(super) use std::sync::{Condvar, Mutex};
}
