//! An output that outlives its graph.

use std::fmt;
use std::marker::PhantomData;

use super::device::CopyError;
use super::{Device, RunError};
use crate::driver::{Address, RangeId};
use crate::exec::Element;
use crate::table::SLOT_ALIGN;

/// A copy of an output in memory of the device's pool. Dropping it returns the memory there.
pub struct Detached<T> {
    device: Device,
    /// `None` where there are no elements.
    range: Option<RangeId>,
    address: Address,
    len: usize,
    elements: PhantomData<T>,
}

impl<T: Element> Detached<T> {
    /// Memory for `len` elements that no earlier work still touches. Its content is unspecified.
    pub(super) fn new(device: &Device, len: usize) -> Result<Self, RunError> {
        let device = device.clone();
        let nowhere = Address(std::ptr::without_provenance_mut(SLOT_ALIGN as usize));
        let mut detached = Self {
            device,
            range: None,
            address: nowhere,
            len,
            elements: PhantomData,
        };
        if len > 0 {
            let driver = detached.device.driver();
            let bytes = (len * size_of::<T>()) as u64;
            let range = driver.allocate(detached.device.transfer()?, bytes)?;
            // From here on dropping it gives the range back.
            detached.range = Some(range);
            detached.address = detached.device.driver().address(range)?;
            // The pool orders reuse on its stream; the host is on none.
            detached.device.settle()?;
        }
        Ok(detached)
    }

    pub(super) fn address(&self) -> Address {
        self.address
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements in place, where the host can read the device's memory.
    pub fn as_slice(&self) -> Option<&[T]> {
        if !self.device.info().unified {
            return None;
        }
        // SAFETY: the range has `len` elements, aligned; `detach` has filled it before anyone could
        // hold this; nobody writes it, and it is given back when this is dropped.
        Some(unsafe { std::slice::from_raw_parts(self.address.0.cast::<T>(), self.len) })
    }

    /// A copy of the elements.
    ///
    /// # Errors
    /// Where the device has to copy them and cannot.
    pub fn to_vec(&self) -> Result<Vec<T>, RunError> {
        if let Some(slice) = self.as_slice() {
            return Ok(slice.to_vec());
        }
        let mut vec = Vec::<T>::with_capacity(self.len);
        let to = Address(vec.as_mut_ptr().cast());
        // SAFETY: `vec` has room for all; the range is given back behind the copy, on its stream.
        match unsafe {
            self.device
                .copy(to, self.address, (self.len * size_of::<T>()) as u64)
        } {
            // SAFETY: the copy has filled that many.
            Ok(()) => unsafe { vec.set_len(self.len) },
            Err(CopyError::Refused(e)) => return Err(e.into()),
            Err(CopyError::Unfinished(e)) => {
                // Still written to, nobody knows until when.
                std::mem::forget(vec);
                return Err(e.into());
            }
        }
        Ok(vec)
    }
}

impl<T> Drop for Detached<T> {
    fn drop(&mut self) {
        if let (Some(range), Ok(stream)) = (self.range, self.device.transfer()) {
            let _ = self.device.driver().free(stream, range);
        }
    }
}

impl<T> fmt::Debug for Detached<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Detached")
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}
