//! One copy of the ring: storage, and what runs in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::RunError;
use super::staging::Staging;
use super::variant::Variant;
use crate::exec::Executable;

/// One copy of the ring. Its variants take turns in its storage: whatever runs next starts behind
/// the gates of what ran last.
pub(super) struct Instance {
    pub(super) index: u32,
    /// One for each variant of the graph.
    pub(super) parts: Box<[Part]>,
    /// The variant that ran last; the first before any run.
    pub(super) last: usize,
    pub(super) staging: Arc<Staging>,
    /// Runs of all variants so far.
    pub(super) runs: u64,
    /// The run up to which what runs leave has been reset.
    pub(super) reset: u64,
    /// A copy or fill never ended.
    pub(super) lost: AtomicBool,
}

/// What runs in an instance for one variant.
pub(super) struct Part {
    pub(super) executable: Arc<Executable>,
    /// Runs started so far.
    pub(super) generation: u64,
}

impl Instance {
    pub(super) fn new(index: u32, parts: Box<[Part]>, staging: Arc<Staging>) -> Self {
        Self {
            index,
            parts,
            last: 0,
            staging,
            runs: 0,
            reset: 0,
            lost: AtomicBool::new(false),
        }
    }

    /// What ran last.
    pub(super) fn part(&self) -> &Part {
        &self.parts[self.last]
    }

    /// # Errors
    /// [`RunError::Lost`] where a copy never ended.
    pub(super) fn usable(&self, graph: &'static str) -> Result<(), RunError> {
        match self.lost.load(Ordering::Relaxed) {
            true => Err(RunError::Lost { graph }),
            false => Ok(()),
        }
    }

    /// Something that never ends may touch its storage for good: that stays, and no run writes it.
    pub(super) fn abandon(&self) {
        self.lost.store(true, Ordering::Relaxed);
        std::mem::forget(Arc::clone(&self.part().executable));
    }

    /// A run of `chosen` comes next, and none is in flight: what the last run owned goes, unless
    /// the next one replaces it anyway.
    pub(super) fn switch(&self, variants: &[Variant], chosen: usize) {
        if self.last != chosen && self.runs > 0 {
            for inlet in &variants[self.last].inputs {
                // SAFETY: no run of this instance is in flight, and none starts while the caller
                // has the instance.
                unsafe { self.part().executable.forget_input(inlet.resource) };
            }
        }
    }
}
