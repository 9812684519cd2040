//! The host as a device: kernels are Rust functions, memory is this process's.
//!
//! Outside its guarantee: a build with `panic = "abort"`, a kernel that overflows its stack, and a
//! kernel that never returns. Memory is promised by the system only when it is first touched; a
//! machine that has none left then ends the process, as it does for any other Rust program.

mod block;
mod exec;
mod places;
mod stream;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::os::{GRANULARITY, Reservation};
use super::pool::{Complete, Pending};
use super::spaces::round;
use super::{
    Address, Driver, DriverError, EventId, Exec, Info, MemoryId, Protection, RangeId, StreamId,
    address, invalid,
};
use crate::exec::Executable;
use crate::sync::Inside;
use crate::table::Form;
use block::Block;
use exec::HostExec;
pub(super) use exec::panicked;
use places::Places;
use stream::{Done, Stream, Work};

/// The host driver.
///
/// Streams made here are threads with a queue of 1,024 operations: issuing to a full one waits for
/// room. A kernel that panics on such a stream fails it: what follows on it, and on streams that
/// wait for it, is skipped, and [`synchronize`](Driver::synchronize) says why. Make a new stream
/// then.
///
/// Memory that fills its whole range is private to it; to map one memory at several places, use
/// ranges larger than the memory (Linux, Android, FreeBSD).
///
/// ```
/// use gpu_graph_runtime::driver::{Driver, Protection, host::HostDriver};
/// let driver = HostDriver::new();
/// let bytes = driver.info().granularity;
/// let range = driver.reserve(bytes, 1)?;
/// let memory = driver.create_memory(bytes)?;
/// driver.map(range, 0, memory)?;
/// driver.set_access(range, 0, bytes, Protection::ReadWrite)?;
/// let start = driver.address(range)?.0;
/// // SAFETY: mapped, accessible, and used by nobody else.
/// unsafe { start.write(1) };
/// driver.unmap(range, 0, bytes)?; // a use of `start` would fault from here on
/// driver.destroy_memory(memory)?;
/// driver.unreserve(range)?;
/// # Ok::<(), gpu_graph_runtime::driver::DriverError>(())
/// ```
#[derive(Debug)]
pub struct HostDriver {
    info: Info,
    next: AtomicU64,
    places: Arc<Places>,
    streams: Mutex<BTreeMap<u64, Arc<Stream>>>,
    /// Each event's latest record, if it has one.
    events: Mutex<BTreeMap<u64, Option<Arc<Done>>>>,
    pins: Mutex<BTreeMap<u64, Block>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Default for HostDriver {
    fn default() -> Self {
        Self::new()
    }
}

impl HostDriver {
    /// This machine.
    pub fn new() -> Self {
        Self {
            info: Info {
                name: "host".to_owned(),
                unified: true,
                granularity: GRANULARITY,
                stages: false,
            },
            next: AtomicU64::new(1),
            places: Arc::default(),
            streams: Mutex::default(),
            events: Mutex::default(),
            pins: Mutex::default(),
        }
    }

    /// An id that was never given before.
    fn id(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    fn stream(&self, call: &'static str, stream: StreamId) -> Result<Arc<Stream>, DriverError> {
        let streams = lock(&self.streams);
        streams
            .get(&stream.0)
            .cloned()
            .ok_or(invalid(call, "the stream"))
    }

    /// Latest record of an event.
    fn latest(&self, call: &'static str, event: EventId) -> Result<Option<Arc<Done>>, DriverError> {
        let events = lock(&self.events);
        events
            .get(&event.0)
            .cloned()
            .ok_or(invalid(call, "the event"))
    }
}

// SAFETY: ranges are mappings of their own, aligned to at least the granularity, and pool extents tile
// such mappings at multiples of 256 bytes and are apart; all of it is zeroed by the system first. A
// `Done` is reached by its stream's thread alone, after all that was issued before it.
unsafe impl Driver for HostDriver {
    fn info(&self) -> &Info {
        &self.info
    }

    fn create_stream(&self) -> Result<StreamId, DriverError> {
        let stream = Stream::new(Arc::clone(&self.places))?;
        let id = self.id();
        lock(&self.streams).insert(id, Arc::new(stream));
        Ok(StreamId(id))
    }

    fn destroy_stream(&self, stream: StreamId) -> Result<(), DriverError> {
        let stream = lock(&self.streams).remove(&stream.0);
        stream
            .map(drop)
            .ok_or(invalid("destroy_stream", "the stream"))
    }

    fn create_event(&self) -> Result<EventId, DriverError> {
        let id = self.id();
        lock(&self.events).insert(id, None);
        Ok(EventId(id))
    }

    fn destroy_event(&self, event: EventId) -> Result<(), DriverError> {
        let event = lock(&self.events).remove(&event.0);
        event.map(drop).ok_or(invalid("destroy_event", "the event"))
    }

    fn record(&self, event: EventId, stream: StreamId) -> Result<(), DriverError> {
        const CALL: &str = "record";
        let stream = self.stream(CALL, stream)?;
        self.latest(CALL, event)?;
        let done = Done::new();
        stream.post(CALL, Work::Record(Arc::clone(&done)))?;
        match lock(&self.events).get_mut(&event.0) {
            Some(latest) => *latest = Some(done),
            None => return Err(invalid(CALL, "the event")),
        }
        Ok(())
    }

    fn wait(&self, stream: StreamId, event: EventId) -> Result<(), DriverError> {
        const CALL: &str = "wait";
        let stream = self.stream(CALL, stream)?;
        match self.latest(CALL, event)? {
            Some(done) => stream.post(CALL, Work::Wait(done)),
            None => Ok(()),
        }
    }

    fn query(&self, event: EventId) -> Result<bool, DriverError> {
        Ok(self
            .latest("query", event)?
            .is_none_or(|done| done.is_complete()))
    }

    fn synchronize(&self, event: EventId) -> Result<(), DriverError> {
        const CALL: &str = "synchronize";
        if Inside::is() {
            return Err(DriverError::InsideKernel { call: CALL });
        }
        self.latest(CALL, event)?.map_or(Ok(()), |done| done.wait())
    }

    fn reserve(&self, bytes: u64, align: u64) -> Result<RangeId, DriverError> {
        let id = self.id();
        lock(&self.places.spaces).reserve(id, bytes, align)?;
        Ok(RangeId(id))
    }

    fn unreserve(&self, range: RangeId) -> Result<(), DriverError> {
        lock(&self.places.spaces).unreserve(range.0).map(drop)
    }

    fn create_memory(&self, bytes: u64) -> Result<MemoryId, DriverError> {
        let id = self.id();
        lock(&self.places.spaces).create(id, bytes)?;
        Ok(MemoryId(id))
    }

    fn destroy_memory(&self, memory: MemoryId) -> Result<(), DriverError> {
        lock(&self.places.spaces).destroy(memory.0)
    }

    fn map(&self, range: RangeId, offset: u64, memory: MemoryId) -> Result<(), DriverError> {
        lock(&self.places.spaces).map(range.0, offset, memory.0)
    }

    fn set_access(
        &self,
        range: RangeId,
        offset: u64,
        bytes: u64,
        to: Protection,
    ) -> Result<(), DriverError> {
        lock(&self.places.spaces).set_access(range.0, offset, bytes, to)
    }

    fn unmap(&self, range: RangeId, offset: u64, bytes: u64) -> Result<(), DriverError> {
        lock(&self.places.spaces).unmap(range.0, offset, bytes)
    }

    fn address(&self, range: RangeId) -> Result<Address, DriverError> {
        address(
            range,
            [
                &|id| lock(&self.places.spaces).address(id),
                &|id| lock(&self.pins).get(&id).map(Block::start),
                &|id| lock(&self.places.pool).find(id).map(|(at, _)| at),
            ],
        )
    }

    fn pin(&self, bytes: u64) -> Result<RangeId, DriverError> {
        let block = Block::new(bytes)?;
        let id = self.id();
        lock(&self.pins).insert(id, block);
        Ok(RangeId(id))
    }

    fn unpin(&self, range: RangeId) -> Result<(), DriverError> {
        let block = lock(&self.pins).remove(&range.0);
        block.map(drop).ok_or(invalid("unpin", "the range"))
    }

    fn allocate(&self, stream: StreamId, bytes: u64) -> Result<RangeId, DriverError> {
        self.stream("allocate", stream)?;
        let id = self.id();
        lock(&self.places.pool).allocate(id, stream.0, bytes, |size| {
            let place = Reservation::new(round("allocate", size)?, GRANULARITY as usize)?;
            place.protect(0, size as usize, Protection::ReadWrite)?;
            Ok(place)
        })?;
        Ok(RangeId(id))
    }

    fn free(&self, stream: StreamId, range: RangeId) -> Result<(), DriverError> {
        const CALL: &str = "free";
        let queue = self.stream(CALL, stream)?;
        if lock(&self.places.pool).find(range.0).is_none() {
            return Err(invalid(CALL, "the range"));
        }
        let done = Done::new();
        queue.post(CALL, Work::Record(Arc::clone(&done)))?;
        lock(&self.places.pool).free(
            range.0,
            Pending {
                stream: stream.0,
                done,
            },
        )
    }

    fn trim(&self) -> Result<u64, DriverError> {
        let idle = lock(&self.places.pool).trim(0);
        Ok(idle.iter().map(|segment| segment.bytes).sum())
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
        self.stream(CALL, stream)?
            .post(CALL, Work::Copy { to, from, bytes })
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
        self.stream(CALL, stream)?
            .post(CALL, Work::Fill { to, value, bytes })
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
        self.stream(CALL, stream)?
            .post(CALL, Work::Launch { exec, task, form })
    }

    unsafe fn instantiate(
        &self,
        instances: Vec<Arc<Executable>>,
    ) -> Result<Box<dyn Exec>, DriverError> {
        // SAFETY: the caller's promise is the same.
        Ok(Box::new(unsafe { HostExec::new(instances) }?))
    }
}
