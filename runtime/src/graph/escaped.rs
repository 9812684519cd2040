//! Addresses for code outside of the language.

use std::fmt;
use std::marker::PhantomData;

use super::{Graph, RunError};
use crate::exec::Element;

/// Where a resource lies, for foreign code. What it points to stays as it is while this is borrowed
/// from its owner: from a run, whose lane does not run again before, or from the loaded graph.
pub struct Escaped<'r, T> {
    address: *const T,
    len: usize,
    owner: PhantomData<&'r [T]>,
}

impl<T: Element> Escaped<'_, T> {
    /// `len` elements at `address`, which the owner keeps.
    pub(super) fn new(address: *const u8, len: usize) -> Self {
        Self {
            address: address.cast(),
            len,
            owner: PhantomData,
        }
    }

    /// The first element, in memory of the device. Nobody writes behind it, and who reads behind it
    /// once the owner runs again sees another run's elements.
    pub fn address(&self) -> *const T {
        self.address
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Graph {
    /// Where the inout of that position in order of declaration lies, for all variants. Waits until no run is in
    /// flight.
    ///
    /// # Errors
    /// [`RunError::InsideKernel`] where a kernel asks, and what the driver says.
    ///
    /// # Panics
    /// Where the graph has fewer inouts, or this one another element type.
    pub fn escape<T: Element>(&mut self, index: usize) -> Result<Escaped<'_, T>, RunError> {
        self.idle()?;
        let (resource, len) = self.shared.store.inout(index, T::ELEM);
        let address = self.instances[0].parts[0].executable.base(resource);
        Ok(Escaped::new(address, len))
    }
}

impl<T> fmt::Debug for Escaped<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Escaped")
            .field("address", &self.address)
            .field("len", &self.len)
            .finish()
    }
}
