//! The device memory of one loaded graph: the arenas of its instances, and its store.

use std::sync::Arc;

use super::{Device, LoadError};
use crate::driver::{Address, Driver, DriverError, Protection, RangeId};
use crate::table::SLOT_ALIGN;

/// One mapped range, given back with its last owner, be it a graph or a run in flight.
#[derive(Debug)]
pub(super) struct Arena {
    driver: Arc<dyn Driver>,
    range: RangeId,
    mapped: u64,
}

impl Arena {
    /// Reserves and maps at least `bytes`, more than 0. Undoes its steps where one fails.
    pub(super) fn new(driver: &Arc<dyn Driver>, bytes: u64) -> Result<Self, DriverError> {
        let granularity = driver.info().granularity.max(1);
        let too_large = DriverError::OutOfMemory {
            call: "reserve",
            requested: bytes,
        };
        let bytes = bytes
            .checked_next_multiple_of(granularity)
            .ok_or(too_large)?;
        let range = driver.reserve(bytes, granularity.next_power_of_two().max(SLOT_ALIGN))?;
        let mut arena = Self {
            driver: Arc::clone(driver),
            range,
            mapped: 0,
        };
        let memory = driver.create_memory(bytes)?;
        let mapped = driver.map(range, 0, memory);
        // Backing lives as long as it is mapped; where the call above failed it goes now.
        let released = driver.destroy_memory(memory);
        mapped?;
        arena.mapped = bytes;
        released?;
        driver.set_access(range, 0, bytes, Protection::ReadWrite)?;
        Ok(arena)
    }

    /// First byte.
    pub(super) fn address(&self) -> Result<Address, DriverError> {
        self.driver.address(self.range)
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // Nobody is left to be told of an error, and nothing else can be done about one.
        if self.mapped > 0 {
            let _ = self.driver.unmap(self.range, 0, self.mapped);
        }
        let _ = self.driver.unreserve(self.range);
    }
}

/// Equal parts in one range.
pub(super) struct Piece {
    /// Owns the range; `None` where it is empty.
    pub(super) owner: Option<Arc<Arena>>,
    /// First byte of the first part.
    pub(super) start: *mut u8,
    /// Bytes from one part to the next.
    pub(super) stride: usize,
}

impl Piece {
    /// `parts` of `each` bytes; `what` they are for is what an error says.
    pub(super) fn new(
        device: &Device,
        graph: &'static str,
        what: &'static str,
        parts: u32,
        each: u64,
    ) -> Result<Self, LoadError> {
        let no_room = |requested| LoadError::OutOfMemory {
            graph,
            what,
            requested,
            instances: parts,
            each,
        };
        let stride = each.checked_next_multiple_of(SLOT_ALIGN);
        let total = stride.and_then(|s| s.checked_mul(u64::from(parts)));
        let (Some(stride), Some(total)) = (stride, total.filter(|&t| t <= isize::MAX as u64))
        else {
            return Err(no_room(total.unwrap_or(u64::MAX)));
        };
        if total == 0 {
            return Ok(Self {
                owner: None,
                start: std::ptr::without_provenance_mut(SLOT_ALIGN as usize),
                stride: 0,
            });
        }
        let failed = |e| match e {
            DriverError::OutOfMemory { .. } => no_room(total),
            source => LoadError::Driver { graph, source },
        };
        let arena = Arena::new(device.driver(), total).map_err(failed)?;
        let start = arena.address().map_err(failed)?.0;
        Ok(Self {
            owner: Some(Arc::new(arena)),
            start,
            stride: stride as usize,
        })
    }
}
