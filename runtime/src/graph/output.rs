//! An output that is ready.

use std::fmt;
use std::marker::PhantomData;

use super::device::CopyError;
use super::instance::Instance;
use super::load::Shared;
use super::ports::Outlet;
use super::{Detached, RunError};
use crate::driver::Address;
use crate::exec::Element;

/// An output of a run, borrowed from it: it cannot be there any more when the lane runs again.
pub struct Output<'r, T> {
    shared: &'r Shared,
    instance: &'r Instance,
    outlet: &'r Outlet,
    elements: PhantomData<&'r [T]>,
}

impl<'r, T: Element> Output<'r, T> {
    /// The tasks that write it have completed, and its element is `T`.
    pub(super) fn new(shared: &'r Shared, instance: &'r Instance, outlet: &'r Outlet) -> Self {
        Self {
            shared,
            instance,
            outlet,
            elements: PhantomData,
        }
    }

    /// Name, as declared.
    pub fn name(&self) -> &'static str {
        self.outlet.name
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.outlet.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.outlet.len == 0
    }

    /// The elements in place, where the host can read the device's memory.
    pub fn as_slice(&self) -> Option<&'r [T]> {
        if !self.shared.device.info().unified {
            return None;
        }
        // SAFETY: the slot holds `len` elements of `T`, aligned and initialised, and lives as long
        // as the instance, which is borrowed for `'r`. Tasks that write it have completed; the
        // verifier keeps an output's slot to itself from there until the instance passes its gate
        // again, which takes the lane mutably.
        Some(unsafe { std::slice::from_raw_parts(self.address().0.cast::<T>(), self.len()) })
    }

    /// A copy of the elements.
    ///
    /// # Errors
    /// Where the device has to copy them and cannot.
    pub fn to_vec(&self) -> Result<Vec<T>, RunError> {
        if let Some(slice) = self.as_slice() {
            return Ok(slice.to_vec());
        }
        let mut vec = Vec::<T>::with_capacity(self.len());
        let to = Address(vec.as_mut_ptr().cast());
        // SAFETY: `vec` has room for the output; the slot is not written during `'r`; see `copied`
        // for what happens if the copy does not end.
        match unsafe { self.shared.device.copy(to, self.address(), self.bytes()) } {
            // SAFETY: the copy has filled that many.
            Ok(()) => unsafe { vec.set_len(self.len()) },
            Err(CopyError::Refused(e)) => return Err(e.into()),
            Err(CopyError::Unfinished(e)) => {
                std::mem::forget(vec);
                self.instance.abandon();
                return Err(e.into());
            }
        }
        Ok(vec)
    }

    /// Copies the elements to `to`.
    ///
    /// # Errors
    /// [`RunError::OutputLength`] where `to` has another length; otherwise as
    /// [`to_vec`](Self::to_vec).
    pub fn copy_to(&self, to: &mut [T]) -> Result<(), RunError> {
        if to.len() != self.len() {
            return Err(RunError::OutputLength {
                graph: self.shared.name(),
                output: self.name(),
                given: to.len(),
                expected: self.len(),
            });
        }
        match self.as_slice() {
            Some(slice) => to.copy_from_slice(slice),
            // By way of a vector of ours: a copy that does not end may keep that, but not `to`.
            None => to.copy_from_slice(&self.to_vec()?),
        }
        Ok(())
    }

    /// A copy in memory of the device's pool, which outlives the run and the graph.
    ///
    /// # Errors
    /// Where the pool has no room or the device cannot copy.
    pub fn detach(&self) -> Result<Detached<T>, RunError> {
        let device = &self.shared.device;
        let detached = Detached::new(device, self.len())?;
        if let Some(slice) = self.as_slice() {
            // SAFETY: the pool gave at least that many bytes, settled and apart from the arena.
            unsafe {
                std::ptr::copy_nonoverlapping(
                    slice.as_ptr(),
                    detached.address().0.cast(),
                    slice.len(),
                )
            };
            return Ok(detached);
        }
        // SAFETY: as in `to_vec`; the pool takes its memory back behind the copy, on its stream.
        match unsafe { device.copy(detached.address(), self.address(), self.bytes()) } {
            Ok(()) => Ok(detached),
            Err(CopyError::Refused(e)) => Err(e.into()),
            Err(CopyError::Unfinished(e)) => {
                self.instance.abandon();
                Err(e.into())
            }
        }
    }

    fn address(&self) -> Address {
        Address(self.instance.part().executable.base(self.outlet.resource))
    }

    fn bytes(&self) -> u64 {
        (self.len() * size_of::<T>()) as u64
    }
}

impl<T: Element + fmt::Debug> fmt::Debug for Output<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output")
            .field("name", &self.name())
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}
