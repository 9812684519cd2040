//! One instance of a program at actual dims and addresses.

mod call;
mod inputs;
mod storage;

pub use storage::Storage;

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::args::Place;
use super::resolve::{Bound, Tables};
use super::times::Times;
use super::{Held, Image, Rank};
use crate::driver::Timeline;
use inputs::Keep;

/// One instance of a verified program at actual dims and addresses.
///
/// What changes from run to run (where inputs are, scalars) is atomic; the rest is fixed.
pub struct Executable {
    tables: Arc<Tables>,
    instance: u32,
    storage: Storage,
    /// Where each access lies.
    places: Box<[Place]>,
    sources: Box<[AtomicPtr<u8>]>,
    held: Box<[Keep<Held>]>,
    shared: Box<[Keep<Arc<Held>>]>,
    params: Box<[AtomicU64]>,
    unified: bool,
    rank: Option<Rank>,
    /// Where somebody has asked for them.
    times: OnceLock<Times>,
    /// Keeps the storage alive: freed with the last thread that may still run a task.
    _storage: Arc<dyn Any + Send + Sync>,
}

impl Executable {
    /// Instance number `instance` of a graph. `unified` says that kernels can read host memory, so
    /// that inputs stay where they are, but for those that tasks may write.
    ///
    /// # Safety
    /// `storage` is where `program.arena`, `program.store` and `program.pinned` bytes start, aligned
    /// to a slot, initialised, that live as long as `keep`; while a run of it is in flight, nothing
    /// else touches arena and pinned memory, and nothing but the instances of this graph the store.
    /// The image has passed the verifier for the dims of `tables`.
    pub unsafe fn new(
        tables: Arc<Tables>,
        instance: u32,
        storage: Storage,
        unified: bool,
        keep: Arc<dyn Any + Send + Sync>,
    ) -> Self {
        let place = |bound: &Bound| Place {
            at: AtomicPtr::new(storage.at(&tables, tables.offset(bound))),
            len: bound.len,
            elem: bound.elem,
            mode: bound.mode,
        };
        let count = tables.offsets.len();
        let nowhere = || AtomicPtr::new(std::ptr::null_mut());
        Self {
            instance,
            storage,
            places: tables.bounds.iter().map(place).collect(),
            sources: (0..count).map(|_| nowhere()).collect(),
            held: (0..count).map(|_| Keep::empty()).collect(),
            shared: (0..count).map(|_| Keep::empty()).collect(),
            params: (0..tables.image.source.params)
                .map(|_| AtomicU64::new(0))
                .collect(),
            unified,
            rank: None,
            times: OnceLock::new(),
            tables,
            _storage: keep,
        }
    }

    /// The tables at the dims that it runs at.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Says whether [`call`](Self::call) is timed from the next run on.
    pub(crate) fn time(&self, on: bool) {
        let tasks = self.tables.image.source.tasks.len();
        if on || self.times.get().is_some() {
            self.times.get_or_init(|| Times::new(tasks)).set(on);
        }
    }

    /// When each task of the last run was called and returned, if they are timed. The run has ended.
    pub(crate) fn times(&self) -> Option<Timeline> {
        let times = self.times.get().filter(|times| times.on())?;
        let (tasks, resolution) = (times.read()?, 0);
        Some(Timeline { tasks, resolution })
    }

    /// Its collectives meet those of the group of `rank`.
    pub fn join(&mut self, rank: Rank) {
        self.rank = Some(rank);
    }

    /// The graph it came from.
    pub fn image(&self) -> &Image {
        &self.tables.image
    }

    /// Which copy of the ring it is.
    pub fn instance(&self) -> u32 {
        self.instance
    }

    /// Size of a resource at the actual dims, in bytes.
    pub fn bytes(&self, resource: u32) -> usize {
        self.tables.bytes[resource as usize]
    }

    /// Start of a resource's slot.
    pub fn base(&self, resource: u32) -> *mut u8 {
        let offset = self.tables.offsets[resource as usize];
        self.storage.at(&self.tables, offset)
    }

    /// Sets a scalar of the next run, as bits.
    pub fn set_param(&self, index: u32, bits: u64) {
        self.params[index as usize].store(bits, Ordering::Relaxed);
    }

    /// A scalar of the next run, as bits.
    #[cfg(feature = "cuda")]
    pub(crate) fn param(&self, index: u32) -> &AtomicU64 {
        &self.params[index as usize]
    }

    /// Whether its collectives meet those of a group.
    #[cfg(feature = "cuda")]
    pub(crate) fn in_group(&self) -> bool {
        self.rank.is_some()
    }

    pub(super) fn bound(&self, access: u32) -> Bound {
        self.tables.bounds[access as usize]
    }

    /// Where an access lies now.
    pub(super) fn pointer(&self, access: u32) -> *mut u8 {
        self.places[access as usize].at.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Executable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Executable")
            .field("graph", &self.tables.image.source.name)
            .field("instance", &self.instance)
            .finish_non_exhaustive()
    }
}
