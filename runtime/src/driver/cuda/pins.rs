//! Pinned memory of the host.
//!
//! CUDA may make whoever frees pinned memory wait for the device, so a block that is given back is
//! kept for the next that asks, and freed where there is no room for another or the device goes.

use std::collections::BTreeMap;
use std::ffi::c_void;

use super::super::{DriverError, invalid};
use super::context::{Context, Raw};
use super::memory::size;
use super::status::OUT_OF_MEMORY;

/// `CU_MEMHOSTALLOC_PORTABLE`: pinned for every device.
const PORTABLE: u32 = 1;

/// Sizes are multiples of this.
const UNIT: u64 = 4096;

#[derive(Clone, Copy, Debug)]
struct Block {
    at: Raw<*mut c_void>,
    bytes: u64,
}

/// All pinned memory of a device.
#[derive(Debug, Default)]
pub(super) struct Pins {
    live: BTreeMap<u64, Block>,
    /// By size.
    idle: BTreeMap<u64, Vec<Block>>,
}

impl Pins {
    pub(super) fn pin(
        &mut self,
        context: &Context,
        id: u64,
        bytes: u64,
    ) -> Result<(), DriverError> {
        const CALL: &str = "cuMemHostAlloc";
        if bytes == 0 {
            return Err(invalid(CALL, "a size of 0"));
        }
        let full = DriverError::OutOfMemory {
            call: CALL,
            requested: bytes,
        };
        let whole = bytes.checked_next_multiple_of(UNIT).ok_or(full)?;
        let block = match self.again(whole) {
            Some(block) => block,
            None => match self.make(context, whole) {
                Err(DriverError::OutOfMemory { .. }) if !self.idle.is_empty() => {
                    self.release(context);
                    self.make(context, whole)?
                }
                made => made?,
            },
        };
        // SAFETY: the block has that many bytes, and nobody else has it.
        unsafe { block.at.0.cast::<u8>().write_bytes(0, block.bytes as usize) };
        self.live.insert(id, block);
        Ok(())
    }

    pub(super) fn unpin(&mut self, id: u64) -> Result<(), DriverError> {
        let block = self.live.remove(&id);
        let block = block.ok_or(invalid("unpin", "the range"))?;
        self.idle.entry(block.bytes).or_default().push(block);
        Ok(())
    }

    /// First byte.
    pub(super) fn address(&self, id: u64) -> Option<*mut u8> {
        Some(self.live.get(&id)?.at.0.cast())
    }

    /// A block that was given back, of at least that size and not more than twice it.
    fn again(&mut self, bytes: u64) -> Option<Block> {
        let most = bytes.saturating_mul(2);
        let (&size, blocks) = self.idle.range_mut(bytes..=most).next()?;
        let block = blocks.pop();
        if blocks.is_empty() {
            self.idle.remove(&size);
        }
        block
    }

    fn make(&self, context: &Context, bytes: u64) -> Result<Block, DriverError> {
        const CALL: &str = "cuMemHostAlloc";
        let mut at = std::ptr::null_mut();
        // SAFETY: one address is written.
        let code = unsafe {
            let (api, bytes) = (context.api, size(CALL, bytes)?);
            api.cuMemHostAlloc(&raw mut at, bytes, PORTABLE)
        };
        context.room(
            CALL,
            bytes,
            if at.is_null() && code == 0 {
                OUT_OF_MEMORY
            } else {
                code
            },
        )?;
        Ok(Block { at: Raw(at), bytes })
    }

    /// Frees what was given back.
    fn release(&mut self, context: &Context) {
        for block in std::mem::take(&mut self.idle).into_values().flatten() {
            // SAFETY: made by `make`, given back by its user, and freed once.
            unsafe { context.api.cuMemFreeHost(block.at.0) };
        }
    }

    /// Frees all: the device goes.
    pub(super) fn clear(&mut self, context: &Context) {
        self.release(context);
        for block in std::mem::take(&mut self.live).into_values() {
            // SAFETY: as above; nobody has the device any more, and no work is under way on it.
            unsafe { context.api.cuMemFreeHost(block.at.0) };
        }
    }
}
