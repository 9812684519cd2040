//! Whether the calling thread runs kernels.

use std::cell::Cell;

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Marks the calling thread as one that runs kernels, for as long as it lives.
///
/// A thread that runs a kernel must not wait for the device: it would wait for itself. The mark
/// does not follow threads that a kernel spawns; those may wait for ever, but do no other harm.
#[derive(Debug)]
pub struct Inside {
    before: bool,
}

impl Inside {
    /// Sets the mark.
    pub fn enter() -> Self {
        Self {
            before: INSIDE.replace(true),
        }
    }

    /// Whether the calling thread is marked.
    pub fn is() -> bool {
        INSIDE.get()
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.set(self.before);
    }
}
