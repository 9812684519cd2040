//! One instance of a program at actual dims and addresses.

use std::any::Any;
use std::cell::UnsafeCell;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use super::args::{NO_OPERAND, Place};
use super::calls::Call;
use super::resolve::{Bound, Tables};
use super::{Args, Held, Image};
use crate::driver::Address;
use crate::table::Form;

/// What the last run owns of an input.
struct Keep(UnsafeCell<Option<Held>>);

// SAFETY: only `set_input` reaches inside, whose contract makes its caller the only one.
unsafe impl Sync for Keep {}

/// One instance of a verified program at actual dims and addresses.
///
/// What changes from run to run (where inputs are, scalars) is atomic; the rest is fixed.
pub struct Executable {
    tables: Arc<Tables>,
    instance: u32,
    arena: Address,
    /// Where each access lies.
    places: Box<[Place]>,
    sources: Box<[AtomicPtr<u8>]>,
    held: Box<[Keep]>,
    params: Box<[AtomicU64]>,
    unified: bool,
    /// Keeps the arena alive: freed with the last thread that may still run a task.
    _arena: Arc<dyn Any + Send + Sync>,
}

impl Executable {
    /// Instance number `instance` of a graph, with its arena at `arena`. `unified` says that
    /// kernels can read host memory, so that inputs stay where they are.
    ///
    /// # Safety
    /// `arena` is the start of `program.arena` bytes, aligned to a slot, initialised, that live as
    /// long as `keep` and that nothing else touches; the image has passed the verifier for the dims
    /// of `tables`.
    pub unsafe fn new(
        tables: Arc<Tables>,
        instance: u32,
        arena: *mut u8,
        unified: bool,
        keep: Arc<dyn Any + Send + Sync>,
    ) -> Self {
        let place = |bound: &Bound| Place {
            at: AtomicPtr::new(arena.wrapping_add(tables.offset(bound))),
            len: bound.len,
            elem: bound.elem,
            mode: bound.mode,
        };
        let nowhere = |_: &usize| AtomicPtr::new(std::ptr::null_mut());
        Self {
            instance,
            arena: Address(arena),
            places: tables.bounds.iter().map(place).collect(),
            sources: tables.offsets.iter().map(nowhere).collect(),
            held: tables
                .offsets
                .iter()
                .map(|_| Keep(UnsafeCell::new(None)))
                .collect(),
            params: (0..tables.image.source.params)
                .map(|_| AtomicU64::new(0))
                .collect(),
            unified,
            tables,
            _arena: keep,
        }
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

    /// Start of a resource's storage in the arena.
    pub fn base(&self, resource: u32) -> *mut u8 {
        self.arena
            .0
            .wrapping_add(self.tables.offsets[resource as usize])
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
            for &access in &self.tables.reads[resource as usize] {
                // Inputs are never written by a task (the verifier and `Tables` refuse it), so that
                // `data` becomes mutable here is never used.
                let at = data.cast_mut().wrapping_add(self.bound(access).offset);
                self.places[access as usize].at.store(at, Ordering::Relaxed);
            }
        }
        // SAFETY: the caller is alone here, and no run reads the memory given back.
        drop(unsafe { (*self.held[resource as usize].0.get()).take() });
        // SAFETY: as above.
        unsafe { *self.held[resource as usize].0.get() = held };
    }

    /// Sets a scalar of the next run, as bits.
    pub fn set_param(&self, index: u32, bits: u64) {
        self.params[index as usize].store(bits, Ordering::Relaxed);
    }

    /// Runs a task on the calling thread. Unwinds where the kernel does.
    ///
    /// # Safety
    /// Everything the task is ordered after has completed and is visible to this thread; nothing
    /// that is ordered after it has started; inputs are set. `form` is that of the program.
    #[inline]
    pub unsafe fn call(&self, task: u32, form: Form) {
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
            return self.upload(call);
        };
        let places = &self.places[wide(&call.accesses)];
        let scalars = &scalars[wide(&call.scalars)];
        let dims = &bindings[wide(&call.dims)];
        // SAFETY: the caller orders this task against all others, and the verifier has shown that
        // its own accesses overlap only as `form` allows. Those of inputs lie where `set_input`
        // promises, all others in the arena, which `_arena` keeps.
        host(&mut unsafe { Args::new(places, operand, scalars, &self.params, dims) });
    }

    #[cold]
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
    pub(super) fn source(&self, resource: u32) -> *mut u8 {
        self.sources[resource as usize].load(Ordering::Relaxed)
    }

    /// Where an access lies now.
    pub(super) fn pointer(&self, access: u32) -> *mut u8 {
        self.places[access as usize].at.load(Ordering::Relaxed)
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
