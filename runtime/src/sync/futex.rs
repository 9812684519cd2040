//! A word that threads sleep on.

use super::atomic::{AtomicU32, Ordering};
#[cfg(any(loom, miri))]
use super::atomic::{Condvar, Mutex};

/// A 32-bit word with the operations of a futex.
///
/// [`wait`](Self::wait) checks the word and falls asleep in one step with respect to
/// [`wake_all`](Self::wake_all): a change that is followed by a wake is never slept through.
#[derive(Debug)]
pub(super) struct Futex {
    word: AtomicU32,
    #[cfg(any(loom, miri))]
    bed: (Mutex<()>, Condvar),
}

impl Futex {
    pub(super) fn new(value: u32) -> Self {
        Self {
            word: AtomicU32::new(value),
            #[cfg(any(loom, miri))]
            bed: (Mutex::new(()), Condvar::new()),
        }
    }

    pub(super) fn fetch_add(&self, value: u32, order: Ordering) -> u32 {
        self.word.fetch_add(value, order)
    }

    pub(super) fn fetch_and(&self, value: u32, order: Ordering) -> u32 {
        self.word.fetch_and(value, order)
    }

    pub(super) fn fetch_or(&self, value: u32, order: Ordering) -> u32 {
        self.word.fetch_or(value, order)
    }

    /// Sleeps while the word is `value`; may also return without cause.
    #[cfg(not(any(loom, miri)))]
    pub(super) fn wait(&self, value: u32) {
        atomic_wait::wait(&self.word, value);
    }

    /// Wakes every sleeper.
    #[cfg(not(any(loom, miri)))]
    pub(super) fn wake_all(&self) {
        atomic_wait::wake_all(&self.word);
    }

    #[cfg(any(loom, miri))]
    pub(super) fn wait(&self, value: u32) {
        let guard = self.bed.0.lock().unwrap();
        if self.word.load(Ordering::Relaxed) == value {
            drop(self.bed.1.wait(guard).unwrap());
        }
    }

    #[cfg(any(loom, miri))]
    pub(super) fn wake_all(&self) {
        let _guard = self.bed.0.lock().unwrap();
        self.bed.1.notify_all();
    }
}
