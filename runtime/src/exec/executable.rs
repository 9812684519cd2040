//! One instance of a program at actual dims and addresses.

use std::any::Any;
use std::cell::UnsafeCell;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::args::{NO_OPERAND, Place};
use super::calls::Call;
use super::resolve::{Bound, Tables};
use super::times::Times;
use super::{Args, Held, Image, Rank};
use crate::driver::{Address, Timeline};
use crate::table::{Form, TaskKind};

/// What the last run owns of an input, or shares of a resident one.
struct Keep<T>(UnsafeCell<Option<T>>);

// SAFETY: only `set_input`, `forget_input` and `set_resident` reach inside, whose contract makes their caller the
// only one, and what is inside may be given back on any thread.
unsafe impl<T: Send> Sync for Keep<T> {}

impl<T> Keep<T> {
    /// Puts `new` in and gives back what was there.
    ///
    /// # Safety
    /// Nobody else calls this at the same time, and nothing reads what was there.
    unsafe fn replace(&self, new: Option<T>) {
        // SAFETY: by the contract.
        drop(std::mem::replace(unsafe { &mut *self.0.get() }, new));
    }
}

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

/// Where the slots of one instance are.
#[derive(Clone, Copy, Debug)]
pub struct Storage {
    /// The instance's own arena.
    pub arena: Address,
    /// The store, which all instances share.
    pub store: Address,
    /// The instance's own pinned memory.
    pub pinned: Address,
}

impl Executable {
    /// Instance number `instance` of a graph. `unified` says that kernels can read host memory, so
    /// that inputs stay where they are.
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
            held: (0..count).map(|_| Keep(UnsafeCell::new(None))).collect(),
            shared: (0..count).map(|_| Keep(UnsafeCell::new(None))).collect(),
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

    /// Sets where the content of an input comes from in the next run, and what that run owns of it.
    /// What the last run owned is given back.
    ///
    /// # Safety
    /// No run of this instance is in flight and nobody else calls this; `resource` is an input;
    /// `data` holds [`bytes`](Self::bytes) of it, aligned for its element, that live and are not
    /// written until the input is set again or the executable is gone.
    pub unsafe fn set_input(&self, resource: u32, data: *const u8, held: Option<Held>) {
        self.sources[resource as usize].store(data.cast_mut(), Ordering::Relaxed);
        if self.unified {
            self.bind(resource, data);
        }
        // SAFETY: the caller is alone here, and no run reads the memory given back.
        unsafe { self.held[resource as usize].replace(held) };
    }

    /// Gives back what the last run owned of an input, which has to be set again before the next.
    ///
    /// # Safety
    /// No run of this instance is in flight and nobody else calls this; `resource` is an input.
    pub unsafe fn forget_input(&self, resource: u32) {
        // SAFETY: the caller is alone here, and no run reads the memory given back.
        unsafe { self.held[resource as usize].replace(None) };
    }

    /// Makes tasks read a resident input where `data` holds it, from the next run on.
    ///
    /// # Safety
    /// No run of this instance is in flight and nobody else calls this; `resource` is a resident
    /// input, and kernels can read host memory; `data` holds [`bytes`](Self::bytes) of it, aligned
    /// for its element, that nobody writes.
    pub unsafe fn set_resident(&self, resource: u32, data: &Arc<Held>) {
        self.bind(resource, data.data());
        // SAFETY: the caller is alone here, and no run reads the memory given back.
        unsafe { self.shared[resource as usize].replace(Some(Arc::clone(data))) };
    }

    fn bind(&self, resource: u32, data: *const u8) {
        for &access in &self.tables.reads[resource as usize] {
            // Inputs are never written by a task (the verifier and `Tables` refuse it), so that
            // `data` becomes mutable here is never used.
            let at = data.cast_mut().wrapping_add(self.bound(access).offset);
            self.places[access as usize].at.store(at, Ordering::Relaxed);
        }
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

    /// Runs a task on the calling thread. Unwinds where the kernel does.
    ///
    /// # Safety
    /// Everything the task is ordered after has completed and is visible to this thread; nothing
    /// that is ordered after it has started; inputs are set. `form` is that of the program.
    #[inline]
    pub unsafe fn call(&self, task: u32, form: Form) {
        match self.times.get() {
            // SAFETY: the caller's.
            Some(times) if times.on() => times.around(task, || unsafe { self.run(task, form) }),
            // SAFETY: the caller's.
            _ => unsafe { self.run(task, form) },
        }
    }

    /// # Safety
    /// As [`call`](Self::call).
    #[inline]
    unsafe fn run(&self, task: u32, form: Form) {
        let Tables {
            calls,
            scalars,
            bindings,
            ..
        } = &*self.tables;
        let call = &calls[task as usize];
        let (host, operand) = match form {
            Form::Apart => (call.host, NO_OPERAND),
            Form::InPlace => (call.in_place, call.operand),
        };
        let Some(host) = host else {
            return self.move_bytes(task, call);
        };
        let places = &self.places[wide(&call.accesses)];
        let scalars = &scalars[wide(&call.scalars)];
        let dims = &bindings[wide(&call.dims)];
        // SAFETY: the caller orders this task against all others, and the verifier has shown that
        // its own accesses overlap only as `form` allows. Those of inputs lie where `set_input` and
        // `set_resident` promise, all others in `storage`, which `_storage` keeps.
        let mut args = unsafe { Args::new(places, operand, scalars, &self.params, dims) };
        if let Some(rank) = &self.rank {
            args.of_rank(rank, task);
            let failing = EndGroup(rank);
            host(&mut args);
            std::mem::forget(failing);
        } else {
            host(&mut args);
        }
    }

    /// A task without a kernel.
    #[cold]
    fn move_bytes(&self, task: u32, call: &Call) {
        let first = call.accesses.start;
        match self.tables.image.source.tasks[task as usize].kind {
            TaskKind::Upload => self.upload(call),
            TaskKind::Fill => {
                // SAFETY: the access has that many bytes, which the caller orders after all other
                // uses, and `Tables` has seen that it is written.
                unsafe {
                    self.pointer(first)
                        .write_bytes(0, self.bound(first).bytes())
                }
            }
            TaskKind::Copy => {
                let (from, to) = (self.pointer(first), self.pointer(first + 1));
                // SAFETY: both accesses have that many bytes, as `Tables` has seen, and are apart,
                // as the verifier has shown; the caller orders them after all other uses.
                unsafe { std::ptr::copy_nonoverlapping(from, to, self.bound(first).bytes()) }
            }
            TaskKind::Hold { .. } | TaskKind::Kernel(_) => {}
        }
    }

    fn upload(&self, call: &Call) {
        if self.unified {
            return;
        }
        let resource = self.bound(call.accesses.start).resource;
        let from = self.source(resource);
        // SAFETY: `set_input` promised that many readable bytes; the slot holds as many, is written
        // by this task alone now, and lies in the arena, apart from any caller's memory.
        unsafe { std::ptr::copy_nonoverlapping(from, self.base(resource), self.bytes(resource)) }
    }

    pub(super) fn bound(&self, access: u32) -> Bound {
        self.tables.bounds[access as usize]
    }

    /// Where an input was last set to come from.
    pub(crate) fn source(&self, resource: u32) -> *mut u8 {
        self.sources[resource as usize].load(Ordering::Relaxed)
    }

    /// Where an access lies now.
    pub(super) fn pointer(&self, access: u32) -> *mut u8 {
        self.places[access as usize].at.load(Ordering::Relaxed)
    }
}

/// Ends the group of a rank whose kernel unwinds: its later collectives will not take place.
struct EndGroup<'a>(&'a Rank);

impl Drop for EndGroup<'_> {
    fn drop(&mut self) {
        self.0.fail();
    }
}

impl Storage {
    /// That of a program with nothing but an arena.
    pub fn arena(start: *mut u8) -> Self {
        Self {
            arena: Address(start),
            store: Address(start),
            pinned: Address(start),
        }
    }

    /// Where an offset lies in the three ranges, laid end to end.
    fn at(&self, tables: &Tables, offset: usize) -> *mut u8 {
        let placed = &tables.placement;
        let (arena, store) = (placed.arena as usize, placed.store as usize);
        if offset < arena {
            self.arena.0.wrapping_add(offset)
        } else if offset < arena + store {
            self.store.0.wrapping_add(offset - arena)
        } else {
            self.pinned.0.wrapping_add(offset - arena - store)
        }
    }
}

fn wide(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

impl fmt::Debug for Executable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Executable")
            .field("graph", &self.tables.image.source.name)
            .field("instance", &self.instance)
            .finish_non_exhaustive()
    }
}
