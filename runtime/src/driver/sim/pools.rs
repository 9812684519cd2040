//! Stream-ordered storage, from the device's own pool or from one made for the purpose.

use std::sync::Arc;

use super::super::os::{GRANULARITY, Reservation};
use super::super::pool::{Complete, Pending, Pool};
use super::super::spaces::round;
use super::super::{Address, DriverError, Protection, RangeId, StreamId, invalid};
use super::SimDriver;
use super::reach::Reach;
use super::report::What;
use super::shadow::Fate;
use super::step::{Done, Work};

/// A pool: that of a device, or another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PoolId(pub(super) usize);

impl SimDriver {
    /// The pool that [`Driver::allocate`](super::super::Driver::allocate) takes from.
    pub fn own_pool(&self) -> PoolId {
        PoolId(self.device)
    }

    /// A pool of its own, whose storage this device alone reaches.
    pub fn create_pool(&self) -> PoolId {
        let mut world = self.shared.world();
        world.pools.push(Pool::default());
        let mut reach = Reach::NONE;
        reach.admit(self.device, Protection::ReadWrite);
        world.reaches.push(reach);
        PoolId(world.pools.len() - 1)
    }

    /// Says what `device` may do with what is and will be allocated in `pool`.
    pub fn admit_pool(&self, pool: PoolId, device: usize, to: Protection) {
        let mut world = self.shared.world();
        world.reaches[pool.0].admit(device, to);
        for (at, bytes) in world.pools[pool.0].used() {
            let _ = world
                .shadow
                .protect((at.addr(), bytes as usize), Some(device), to);
        }
    }

    /// Bytes that `pool` holds, in use or not.
    pub fn pool_bytes(&self, pool: PoolId) -> u64 {
        self.shared.world().pools[pool.0].reserved()
    }

    /// As [`Driver::allocate`](super::super::Driver::allocate), from `pool`.
    ///
    /// # Errors
    /// A stream that is not there, a size of 0, no memory.
    pub fn allocate_in(
        &self,
        pool: PoolId,
        stream: StreamId,
        bytes: u64,
    ) -> Result<RangeId, DriverError> {
        const CALL: &str = "allocate";
        let lane = self.lane(CALL, stream)?;
        let mut world = self.shared.world();
        let id = world.id();
        let mut grown = None;
        let grant = world.pools[pool.0].allocate(id, stream.0, bytes, |size| {
            let place = Reservation::new(round(CALL, size)?, GRANULARITY as usize)?;
            place.protect(0, size as usize, Protection::ReadWrite)?;
            grown = Some((place.base().addr(), size as usize));
            Ok(place)
        })?;
        if let Some(at) = grown {
            world.hand(self.device, What::Map, at, Fate::GONE);
        }
        // The pool saw those complete that are not on this stream: that is what orders the two.
        let work = Work::Allocate {
            at: Address(grant.address),
            bytes: grant.bytes as usize,
            pool: pool.0,
        };
        world.issue(lane, work, &grant.after);
        Ok(RangeId(id))
    }

    /// As [`Driver::free`](super::super::Driver::free), to `pool`.
    ///
    /// # Errors
    /// A stream that is not there, storage that is not of the pool.
    pub fn free_in(
        &self,
        pool: PoolId,
        stream: StreamId,
        range: RangeId,
    ) -> Result<(), DriverError> {
        const CALL: &str = "free";
        let lane = self.lane(CALL, stream)?;
        let mut world = self.shared.world();
        let found = world.pools[pool.0].find(range.0);
        let (at, bytes) = found.ok_or(invalid(CALL, "the range"))?;
        let done = Arc::<Done>::default();
        let work = Work::Free {
            at: Address(at),
            bytes: bytes as usize,
            done: Arc::clone(&done),
        };
        world.issue(lane, work, &[]);
        let stream = stream.0;
        world.pools[pool.0].free(range.0, Pending { stream, done })
    }

    /// Returns storage of `pool` that no work can still touch to the system, while it holds more
    /// than `keep` bytes; says how many bytes.
    ///
    /// # Errors
    /// None yet.
    pub fn trim_to(&self, pool: PoolId, keep: u64) -> Result<u64, DriverError> {
        let _turn = self.shared.turn();
        let mut world = self.shared.world();
        let mut total = 0;
        for idle in world.pools[pool.0].trim(keep) {
            for done in idle.after.iter().filter(|done| done.is_complete()) {
                world.seen(done);
            }
            let at = (idle.place.base().addr(), idle.bytes as usize);
            world.hand(self.device, What::Unmap, at, Fate::GONE);
            world.limbo.push(idle.place);
            total += idle.bytes;
        }
        Ok(total)
    }
}
