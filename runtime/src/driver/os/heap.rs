//! Ranges on the heap, for the interpreter Miri: no protection, no file.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

use crate::driver::{DriverError, Protection};

/// Ranges begin where a page would.
const PAGE: usize = 4096;

/// A block of the heap.
#[derive(Debug)]
pub(in crate::driver) struct Reservation {
    base: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the block belongs to this value; its bytes are touched through raw pointers only.
unsafe impl Send for Reservation {}
// SAFETY: as above.
unsafe impl Sync for Reservation {}

impl Reservation {
    pub(in crate::driver) fn new(bytes: usize, align: usize) -> Result<Self, DriverError> {
        let full = DriverError::OutOfMemory {
            call: "reserve",
            requested: bytes as u64,
        };
        // The interpreter refuses more than its compiler's own limits by ending.
        if align > 1 << 28 || bytes > 1 << 40 {
            return Err(full);
        }
        let layout = Layout::from_size_align(bytes, align.max(PAGE)).map_err(|_| full.clone())?;
        // SAFETY: callers never ask for 0 bytes.
        let base = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or(full)?;
        Ok(Self { base, layout })
    }

    pub(in crate::driver) fn base(&self) -> *mut u8 {
        self.base.as_ptr()
    }

    pub(in crate::driver) fn protect(
        &self,
        _: usize,
        _: usize,
        _: Protection,
    ) -> Result<(), DriverError> {
        Ok(())
    }

    pub(in crate::driver) fn clear(&self, offset: usize, bytes: usize) -> Result<(), DriverError> {
        // SAFETY: the part lies in this block; the caller of `unmap` has seen all work complete.
        unsafe { self.base().add(offset).write_bytes(0, bytes) };
        Ok(())
    }

    pub(in crate::driver) fn map_file(
        &self,
        _: usize,
        _: usize,
        _: &File,
    ) -> Result<(), DriverError> {
        Err(DriverError::Unsupported { call: "map" })
    }

    pub(in crate::driver) fn park(
        &self,
        offset: usize,
        bytes: usize,
    ) -> Result<Parked, DriverError> {
        // SAFETY: as in `clear`; the bytes are initialised.
        let content =
            unsafe { std::slice::from_raw_parts(self.base().add(offset), bytes) }.to_vec();
        self.clear(offset, bytes)?;
        Ok(Parked(content))
    }

    pub(in crate::driver) fn unpark(
        &self,
        offset: usize,
        parked: Parked,
    ) -> Result<(), (Parked, DriverError)> {
        // SAFETY: as in `clear`; the two are apart.
        unsafe {
            std::ptr::copy_nonoverlapping(
                parked.0.as_ptr(),
                self.base().add(offset),
                parked.0.len(),
            )
        };
        Ok(())
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout in `new`.
        unsafe { dealloc(self.base(), self.layout) };
    }
}

/// Content of private memory while it is mapped nowhere.
#[derive(Debug)]
pub(in crate::driver) struct Parked(Vec<u8>);

/// Not available.
#[derive(Debug)]
pub(in crate::driver) struct File(());

impl File {
    pub(in crate::driver) fn new(_: usize) -> Result<Self, DriverError> {
        Err(DriverError::Unsupported { call: "map" })
    }
}
