//! Where inputs are from run to run, and what a run owns of them.

use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::super::Held;
use super::Executable;

/// What the last run owns of an input, or shares of a resident one.
pub(super) struct Keep<T>(UnsafeCell<Option<T>>);

// SAFETY: only `set_input`, `forget_input` and `set_resident` reach inside, whose contract makes their caller the
// only one, and what is inside may be given back on any thread.
unsafe impl<T: Send> Sync for Keep<T> {}

impl<T> Keep<T> {
    pub(super) fn empty() -> Self {
        Self(UnsafeCell::new(None))
    }

    /// Puts `new` in and gives back what was there.
    ///
    /// # Safety
    /// Nobody else calls this at the same time, and nothing reads what was there.
    unsafe fn replace(&self, new: Option<T>) {
        // SAFETY: by the contract.
        drop(std::mem::replace(unsafe { &mut *self.0.get() }, new));
    }
}

impl Executable {
    /// Sets where the content of an input comes from in the next run, and what that run owns of it.
    /// What the last run owned is given back.
    ///
    /// # Safety
    /// No run of this instance is in flight and nobody else calls this; `resource` is an input;
    /// `data` holds [`bytes`](Self::bytes) of it, aligned for its element, that live and are not
    /// written until the input is set again or the executable is gone.
    pub unsafe fn set_input(&self, resource: u32, data: *const u8, held: Option<Held>) {
        self.sources[resource as usize].store(data.cast_mut(), Ordering::Relaxed);
        if self.stays(resource) {
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
            // What stays with the caller is never written by a task (the verifier and `Tables` refuse
            // it), so that `data` becomes mutable here is never used.
            let at = data.cast_mut().wrapping_add(self.bound(access).offset);
            self.places[access as usize].at.store(at, Ordering::Relaxed);
        }
    }

    /// Tasks read the input where it was set; else its upload copies it into the arena at each run.
    pub(super) fn stays(&self, resource: u32) -> bool {
        let of = &self.tables.image.source.resources[resource as usize];
        self.unified && of.class.is_callers()
    }

    /// Where an input was last set to come from.
    pub(crate) fn source(&self, resource: u32) -> *mut u8 {
        self.sources[resource as usize].load(Ordering::Relaxed)
    }
}
