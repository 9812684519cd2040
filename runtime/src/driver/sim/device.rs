//! The trait's calls on a simulated device.

use std::sync::Arc;

use super::super::os::{GRANULARITY, Reservation};
use super::super::pool::Complete;
use super::super::spaces::round;
use super::super::{
    Address, Driver, DriverError, EventId, Exec, Info, MemoryId, Protection, RangeId, StreamId,
    address, invalid,
};
use super::SimDriver;
use super::exec::SimExec;
use super::pools::PoolId;
use super::reach::Reach;
use super::report::What;
use super::shadow::Fate;
use super::step::{Done, Work, poison};
use crate::exec::Executable;
use crate::sync::Inside;
use crate::table::{Form, Mode};

// SAFETY: ranges are the host driver's mappings, which nothing reuses; memory is mapped before it
// can be touched, and holds a pattern or zeros; a `Done` is set when its record's turn comes, after
// all that was issued before it has run.
unsafe impl Driver for SimDriver {
    fn info(&self) -> &Info {
        &self.info
    }

    fn create_stream(&self) -> Result<StreamId, DriverError> {
        let mut world = self.shared.world();
        let (id, lane) = (world.id(), world.lane(self.device));
        world.streams.insert(id, lane);
        Ok(StreamId(id))
    }

    fn destroy_stream(&self, stream: StreamId) -> Result<(), DriverError> {
        self.lane("destroy_stream", stream)?;
        self.shared.world().streams.remove(&stream.0);
        Ok(())
    }

    fn create_event(&self) -> Result<EventId, DriverError> {
        let mut world = self.shared.world();
        let id = world.id();
        world.events.insert(id, None);
        Ok(EventId(id))
    }

    fn destroy_event(&self, event: EventId) -> Result<(), DriverError> {
        let gone = self.shared.world().events.remove(&event.0);
        gone.map(drop).ok_or(invalid("destroy_event", "the event"))
    }

    fn record(&self, event: EventId, stream: StreamId) -> Result<(), DriverError> {
        const CALL: &str = "record";
        self.latest(CALL, event)?;
        let done = Arc::<Done>::default();
        self.issue(CALL, stream, Work::Record(Arc::clone(&done)))?;
        self.shared.world().events.insert(event.0, Some(done));
        Ok(())
    }

    fn wait(&self, stream: StreamId, event: EventId) -> Result<(), DriverError> {
        const CALL: &str = "wait";
        self.lane(CALL, stream)?;
        match self.latest(CALL, event)? {
            Some(done) => self.issue(CALL, stream, Work::Wait(done)),
            None => Ok(()),
        }
    }

    fn query(&self, event: EventId) -> Result<bool, DriverError> {
        let Some(done) = self.latest("query", event)? else {
            return Ok(true);
        };
        self.shared.some_steps();
        self.shared.world().seen(&done);
        Ok(done.is_complete())
    }

    fn synchronize(&self, event: EventId) -> Result<(), DriverError> {
        const CALL: &str = "synchronize";
        if Inside::is() {
            return Err(DriverError::InsideKernel { call: CALL });
        }
        let Some(done) = self.latest(CALL, event)? else {
            return Ok(());
        };
        self.shared.until(CALL, &done)?;
        done.error.get().map_or(Ok(()), |e| Err(e.clone()))
    }

    fn reserve(&self, bytes: u64, align: u64) -> Result<RangeId, DriverError> {
        let mut world = self.shared.world();
        let id = world.id();
        world.spaces.reserve(id, bytes, align)?;
        Ok(RangeId(id))
    }

    fn unreserve(&self, range: RangeId) -> Result<(), DriverError> {
        let mut world = self.shared.world();
        let place = world.spaces.unreserve(range.0)?;
        world.limbo.push(place);
        Ok(())
    }

    fn create_memory(&self, bytes: u64) -> Result<MemoryId, DriverError> {
        let mut world = self.shared.world();
        let id = world.id();
        world.spaces.create(id, bytes)?;
        world.memories.insert(id, (bytes, true));
        Ok(MemoryId(id))
    }

    fn destroy_memory(&self, memory: MemoryId) -> Result<(), DriverError> {
        let mut world = self.shared.world();
        world.spaces.destroy(memory.0)?;
        world.memories.remove(&memory.0);
        Ok(())
    }

    fn map(&self, range: RangeId, offset: u64, memory: MemoryId) -> Result<(), DriverError> {
        let mut world = self.shared.world();
        world.spaces.map(range.0, offset, memory.0)?;
        let base = world
            .spaces
            .address(range.0)
            .ok_or(invalid("map", "the range"))?;
        let Some((bytes, fresh)) = world.memories.get_mut(&memory.0) else {
            return Err(invalid("map", "the memory"));
        };
        let (bytes, fresh) = (*bytes, std::mem::replace(fresh, false));
        let at = Address(base.wrapping_add(offset as usize));
        if fresh {
            world
                .spaces
                .set_access(range.0, offset, bytes, Protection::ReadWrite)?;
            poison(at, bytes as usize);
            world
                .spaces
                .set_access(range.0, offset, bytes, Protection::None)?;
        }
        let fate = Fate {
            reach: Reach::NONE,
            written: !fresh,
        };
        world.hand(self.device, What::Map, (at.0.addr(), bytes as usize), fate);
        Ok(())
    }

    fn set_access(
        &self,
        range: RangeId,
        offset: u64,
        bytes: u64,
        to: Protection,
    ) -> Result<(), DriverError> {
        let _turn = self.shared.turn();
        let mut world = self.shared.world();
        world.spaces.set_access(range.0, offset, bytes, to)?;
        let base = world
            .spaces
            .address(range.0)
            .ok_or(invalid("set_access", "the range"))?;
        let start = base.addr() + offset as usize;
        let _ = world.shadow.protect((start, bytes as usize), None, to);
        Ok(())
    }

    fn unmap(&self, range: RangeId, offset: u64, bytes: u64) -> Result<(), DriverError> {
        let _turn = self.shared.turn();
        let mut world = self.shared.world();
        world.spaces.unmap(range.0, offset, bytes)?;
        let base = world
            .spaces
            .address(range.0)
            .ok_or(invalid("unmap", "the range"))?;
        let at = (base.addr() + offset as usize, bytes as usize);
        world.hand(self.device, What::Unmap, at, Fate::GONE);
        Ok(())
    }

    fn address(&self, range: RangeId) -> Result<Address, DriverError> {
        let world = self.shared.world();
        let pooled = |id| world.pools.iter().find_map(|pool| pool.find(id));
        address(
            range,
            [
                &|id| world.spaces.address(id),
                &|id| world.pins.get(&id).map(|(place, _)| place.base()),
                &|id| pooled(id).map(|(at, _)| at),
            ],
        )
    }

    fn pin(&self, bytes: u64) -> Result<RangeId, DriverError> {
        const CALL: &str = "pin";
        let rounded = round(CALL, bytes)?;
        let place = Reservation::new(rounded, GRANULARITY as usize)?;
        place.protect(0, rounded, Protection::ReadWrite)?;
        let at = (place.base().addr(), rounded);
        let mut world = self.shared.world();
        let id = world.id();
        world.pins.insert(id, (place, rounded));
        let fate = Fate {
            reach: Reach::all(Protection::ReadWrite),
            written: true,
        };
        world.hand(self.device, What::Map, at, fate);
        Ok(RangeId(id))
    }

    fn unpin(&self, range: RangeId) -> Result<(), DriverError> {
        let _turn = self.shared.turn();
        let mut world = self.shared.world();
        let pinned = world.pins.remove(&range.0);
        let (place, bytes) = pinned.ok_or(invalid("unpin", "the range"))?;
        let at = (place.base().addr(), bytes);
        world.hand(self.device, What::Unmap, at, Fate::GONE);
        world.limbo.push(place);
        Ok(())
    }

    fn allocate(&self, stream: StreamId, bytes: u64) -> Result<RangeId, DriverError> {
        self.allocate_in(PoolId(self.device), stream, bytes)
    }

    fn free(&self, stream: StreamId, range: RangeId) -> Result<(), DriverError> {
        self.free_in(PoolId(self.device), stream, range)
    }

    fn trim(&self) -> Result<u64, DriverError> {
        self.trim_to(PoolId(self.device), 0)
    }

    unsafe fn copy(
        &self,
        stream: StreamId,
        to: Address,
        from: Address,
        bytes: u64,
    ) -> Result<(), DriverError> {
        const CALL: &str = "copy";
        let bytes = usize::try_from(bytes).map_err(|_| invalid(CALL, "the size"))?;
        self.issue(CALL, stream, Work::Copy { to, from, bytes })
    }

    unsafe fn fill(
        &self,
        stream: StreamId,
        to: Address,
        value: u8,
        bytes: u64,
    ) -> Result<(), DriverError> {
        const CALL: &str = "fill";
        let bytes = usize::try_from(bytes).map_err(|_| invalid(CALL, "the size"))?;
        self.issue(CALL, stream, Work::Fill { to, value, bytes })
    }

    unsafe fn launch(
        &self,
        stream: StreamId,
        exec: &Arc<Executable>,
        task: u32,
        form: Form,
    ) -> Result<(), DriverError> {
        const CALL: &str = "launch";
        if task as usize >= exec.image().source.tasks.len() {
            return Err(invalid(CALL, "the task"));
        }
        let exec = Arc::clone(exec);
        let run = None;
        self.issue(
            CALL,
            stream,
            Work::Launch {
                exec,
                task,
                form,
                run,
            },
        )
    }

    fn host_access(&self, at: Address, bytes: u64, write: bool) {
        let mode = if write { Mode::Overwrite } else { Mode::Read };
        let bytes = usize::try_from(bytes).unwrap_or(0);
        self.shared
            .world()
            .host(self.device, at.0.addr(), bytes, mode);
    }

    unsafe fn instantiate(
        &self,
        instances: Vec<Arc<Executable>>,
    ) -> Result<Box<dyn Exec>, DriverError> {
        Ok(Box::new(SimExec::new(
            &self.shared,
            self.device,
            instances,
        )?))
    }
}
