//! What is gone for its owner while work on the device may still use it.
//!
//! Dropping a graph makes no call of the driver and waits for nothing: all that its runs may still
//! use comes here, and goes once the streams say that they are idle. They are asked when something
//! is loaded, allocated or trimmed, and when the last handle of the device goes; never in a callback.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::objects::{Event, Stream};

/// When something is over.
#[derive(Debug)]
pub(super) enum Over {
    /// When all of these are idle.
    Streams(Vec<Arc<Stream>>),
    /// When this has completed.
    Event(Event),
}

impl Over {
    fn is_over(&self) -> bool {
        match self {
            Self::Streams(streams) => streams.iter().all(|stream| stream.idle()),
            Self::Event(event) => event.over(),
        }
    }
}

/// What work may still use.
struct Entry {
    over: Over,
    /// Goes before what says that it may.
    what: Box<dyn Send>,
}

/// All of it.
#[derive(Default)]
pub(super) struct Retired {
    entries: Mutex<Vec<Entry>>,
    /// How many, so that asking costs nothing where there is nothing.
    count: AtomicUsize,
}

impl Retired {
    /// Keeps `what` until it is over.
    pub(super) fn push(&self, over: Over, what: Box<dyn Send>) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.push(Entry { over, what });
        self.count.store(entries.len(), Ordering::Release);
    }

    /// Lets go of what is over. Waits for nothing.
    pub(super) fn reclaim(&self) {
        if self.count.load(Ordering::Acquire) == 0 {
            return;
        }
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let (over, left): (Vec<_>, Vec<_>) = std::mem::take(&mut *entries)
            .into_iter()
            .partition(|entry| entry.over.is_over());
        *entries = left;
        self.count.store(entries.len(), Ordering::Release);
        // Behind the lock: what goes here gives memory back, and may call the driver for it.
        drop(entries);
        for Entry { over, what } in over {
            drop(what);
            drop(over);
        }
    }

    /// How many things are kept.
    pub(super) fn len(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }
}

impl fmt::Debug for Retired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retired")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}
