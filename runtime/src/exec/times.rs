//! When the tasks of a run begin and end, where that is asked for.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// What all times are counted from, so that those of two lanes can be compared.
static ORIGIN: OnceLock<Instant> = OnceLock::new();

/// Nanoseconds after that instant.
fn now(origin: Instant) -> u64 {
    u64::try_from(origin.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Nanoseconds after the instant that all times are counted from.
#[cfg(feature = "cuda")]
pub(crate) fn instant() -> u64 {
    now(*ORIGIN.get_or_init(Instant::now))
}

/// Times of the last run, in nanoseconds after one instant, the same for all runs.
pub(super) struct Times {
    on: AtomicBool,
    origin: Instant,
    tasks: Box<[[AtomicU64; 2]]>,
}

impl Times {
    pub(super) fn new(tasks: usize) -> Self {
        let never = || [AtomicU64::new(0), AtomicU64::new(0)];
        Self {
            on: AtomicBool::new(false),
            origin: *ORIGIN.get_or_init(Instant::now),
            tasks: (0..tasks).map(|_| never()).collect(),
        }
    }

    /// Whether tasks are timed from the next one on.
    pub(super) fn set(&self, on: bool) {
        self.on.store(on, Ordering::Relaxed);
    }

    pub(super) fn on(&self) -> bool {
        self.on.load(Ordering::Relaxed)
    }

    /// Does `work`, which is `task`, and keeps when it began and ended.
    pub(super) fn around(&self, task: u32, work: impl FnOnce()) {
        let [begin, end] = &self.tasks[task as usize];
        begin.store(self.now(), Ordering::Relaxed);
        work();
        // Whoever sees that the run has ended sees this: the end is signalled behind it.
        end.store(self.now(), Ordering::Relaxed);
    }

    fn now(&self) -> u64 {
        now(self.origin)
    }

    /// Begin and end of each task; `None` where nothing has called any.
    pub(super) fn read(&self) -> Option<Vec<(u64, u64)>> {
        let read = |[begin, end]: &[AtomicU64; 2]| {
            (begin.load(Ordering::Relaxed), end.load(Ordering::Relaxed))
        };
        let read: Vec<_> = self.tasks.iter().map(read).collect();
        read.iter().any(|&(_, end)| end > 0).then_some(read)
    }
}
