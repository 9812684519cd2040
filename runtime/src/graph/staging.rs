//! Host memory of one instance: what inputs are copied into, or what is pinned.

use std::sync::Arc;

use crate::driver::{Driver, DriverError, RangeId};
use crate::exec::Element;
use crate::table::SLOT_ALIGN;

/// Where each input starts: a cache line, more than any element needs.
pub(super) const STAGING_ALIGN: usize = 64;

/// A block of it, which the device reaches by itself.
pub(super) struct Staging {
    driver: Arc<dyn Driver>,
    /// `None` where it is empty.
    range: Option<RangeId>,
    base: *mut u8,
}

// SAFETY: it owns plain bytes; who writes them says so in `put`.
unsafe impl Send for Staging {}
// SAFETY: as above.
unsafe impl Sync for Staging {}

impl Staging {
    /// `bytes` of staging.
    pub(super) fn new(driver: &Arc<dyn Driver>, bytes: u64) -> Result<Self, DriverError> {
        let mut staging = Self {
            driver: Arc::clone(driver),
            range: None,
            base: std::ptr::without_provenance_mut(SLOT_ALIGN as usize),
        };
        if bytes > 0 {
            let range = driver.pin(bytes)?;
            // From here on dropping it gives the range back.
            staging.range = Some(range);
            staging.base = driver.address(range)?.0;
        }
        Ok(staging)
    }

    /// First byte, aligned to [`SLOT_ALIGN`].
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
        // Nobody is left to be told of an error. The last owner of an instance is its driver, which
        // lets go once no work of it is under way.
        if let Some(range) = self.range {
            let _ = self.driver.unpin(range);
        }
    }
}
