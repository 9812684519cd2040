//! The device memory of one loaded graph.

use std::sync::Arc;

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
