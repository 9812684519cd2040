//! Host memory that streams copy from and to: on this device any will do.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

use super::super::{DriverError, invalid};
use crate::table::SLOT_ALIGN;

/// A block of the heap. Zeroed by the system, so pages that nothing ever touches cost nothing.
#[derive(Debug)]
pub(super) struct Block {
    block: NonNull<u8>,
    layout: Layout,
}

// SAFETY: it owns plain bytes, which it never touches; who does carries the argument.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

impl Block {
    /// `bytes`, aligned to [`SLOT_ALIGN`].
    pub(super) fn new(bytes: u64) -> Result<Self, DriverError> {
        const CALL: &str = "pin";
        if bytes == 0 {
            return Err(invalid(CALL, "a size of 0"));
        }
        let full = DriverError::OutOfMemory {
            call: CALL,
            requested: bytes,
        };
        // Larger alignments are cleared by hand instead of by the system, so the block is aligned
        // as little as possible and starts within.
        let room = bytes.checked_add(SLOT_ALIGN);
        let room = room.and_then(|room| usize::try_from(room).ok());
        let layout = room.and_then(|room| Layout::from_size_align(room, 8).ok());
        let layout = layout.ok_or(full.clone())?;
        // SAFETY: the size is not 0.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or(full)?;
        Ok(Self { block, layout })
    }

    /// First byte.
    pub(super) fn start(&self) -> *mut u8 {
        let block = self.block.as_ptr();
        block.wrapping_add(block.align_offset(SLOT_ALIGN as usize))
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout.
        unsafe { dealloc(self.block.as_ptr(), self.layout) }
    }
}
