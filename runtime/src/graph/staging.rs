//! Host memory of one instance: what borrowed inputs are copied into, or what is pinned.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

use crate::exec::Element;

/// Where each input starts: a cache line, more than any element needs.
pub(super) const STAGING_ALIGN: usize = 64;

/// A block of it. Zeroed by the system, so pages that nothing ever touches cost nothing.
pub(super) struct Staging {
    block: NonNull<u8>,
    base: *mut u8,
    layout: Layout,
}

// SAFETY: it owns plain bytes; who writes them says so in `put`.
unsafe impl Send for Staging {}
// SAFETY: as above.
unsafe impl Sync for Staging {}

impl Staging {
    /// `bytes` of staging, or `None` where the host has no room.
    pub(super) fn new(bytes: usize) -> Option<Self> {
        // Larger alignments are cleared by hand instead of by the system, so the block is aligned
        // as little as possible and `base` within it.
        let layout = Layout::from_size_align(bytes.checked_add(STAGING_ALIGN)?, 8).ok()?;
        // SAFETY: the size is not 0.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let base = block.as_ptr();
        let base = base.wrapping_add(base.align_offset(STAGING_ALIGN));
        Some(Self {
            block,
            base,
            layout,
        })
    }

    /// First byte, aligned to [`STAGING_ALIGN`].
    pub(super) fn start(&self) -> *mut u8 {
        self.base
    }

    /// Copies `data` to `offset`; answers where it is.
    ///
    /// # Safety
    /// `offset` is a multiple of [`STAGING_ALIGN`] with room for `data` behind it, and no run that
    /// reads this part is in flight.
    pub(super) unsafe fn put<T: Element>(&self, offset: usize, data: &[T]) -> *const u8 {
        let to = self.base.wrapping_add(offset);
        // SAFETY: by the contract there is room, aligned, and nobody else touches it; `data` is
        // the caller's and cannot lie in here, of which no slice is ever given to one.
        unsafe { std::ptr::copy_nonoverlapping(data.as_ptr(), to.cast::<T>(), data.len()) };
        to
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout.
        unsafe { dealloc(self.block.as_ptr(), self.layout) }
    }
}
