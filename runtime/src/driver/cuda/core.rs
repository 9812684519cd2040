//! All of one device: its context, and what it has given.

mod open;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::super::{Address, DriverError, EventId, Info, RangeId, StreamId, invalid};
use super::context::Context;
use super::memory::Spaces;
use super::modules::Modules;
use super::objects::{Event, Stream};
use super::pins::Pins;
use super::pool::Pool;
use super::retire::{Over, Retired};
use crate::sync::Inside;

/// Events of all devices: one may wait for another's.
static EVENTS: Mutex<BTreeMap<u64, Arc<Event>>> = Mutex::new(BTreeMap::new());

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An id that was never given before, on any device.
fn id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A device that is open.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) info: Info,
    /// Compute capability.
    pub(super) arch: (u32, u32),
    pub(super) modules: Modules,
    pub(super) retired: Retired,
    streams: Mutex<BTreeMap<u64, Arc<Stream>>>,
    spaces: Mutex<Spaces>,
    pool: Mutex<Pool>,
    pins: Mutex<Pins>,
    /// What was freed inside a callback, where the driver must not be called.
    later: Mutex<Vec<(u64, Arc<Stream>)>>,
    pub(super) context: Arc<Context>,
}

impl Core {
    /// Lets go of what dropped graphs have left and nothing uses any more. Waits for nothing.
    pub(super) fn reclaim(&self) {
        self.retired.reclaim();
        for (range, stream) in std::mem::take(&mut *lock(&self.later)) {
            let _ = self.free(&stream, range);
        }
    }

    /// Before a call that takes memory or makes something.
    fn enter(&self, call: &'static str) -> Result<&Context, DriverError> {
        let entered = self.context.enter(call);
        if entered.is_ok() || (self.context.lost().is_some() && !Inside::is()) {
            self.reclaim();
        }
        entered.map(|()| &*self.context)
    }

    /// Tries once more behind a trim where there was no room.
    fn roomy<T>(&self, take: impl Fn() -> Result<T, DriverError>) -> Result<T, DriverError> {
        match take() {
            Err(DriverError::OutOfMemory { .. }) => {
                self.reclaim();
                let _ = lock(&self.pool).trim(&self.context);
                take()
            }
            taken => taken,
        }
    }

    pub(super) fn create_stream(&self) -> Result<StreamId, DriverError> {
        self.enter("cuStreamCreate")?;
        let stream = Arc::new(Stream::new(&self.context)?);
        let id = id();
        lock(&self.streams).insert(id, stream);
        Ok(StreamId(id))
    }

    pub(super) fn destroy_stream(&self, stream: StreamId) -> Result<(), DriverError> {
        let stream = lock(&self.streams).remove(&stream.0);
        let stream = stream.ok_or(invalid("cuStreamDestroy", "the stream"))?;
        // Its work is known to be over before the device goes.
        self.retired.push(Over::Streams(vec![stream]), Box::new(()));
        Ok(())
    }

    pub(super) fn stream(
        &self,
        call: &'static str,
        stream: StreamId,
    ) -> Result<Arc<Stream>, DriverError> {
        let streams = lock(&self.streams);
        let stream = streams.get(&stream.0).cloned();
        stream.ok_or(invalid(call, "the stream"))
    }

    pub(super) fn create_event(&self) -> Result<EventId, DriverError> {
        self.context.enter("cuEventCreate")?;
        let event = Arc::new(Event::new(&self.context)?);
        let id = id();
        lock(&EVENTS).insert(id, event);
        Ok(EventId(id))
    }

    pub(super) fn destroy_event(&self, event: EventId) -> Result<(), DriverError> {
        let event = lock(&EVENTS).remove(&event.0);
        let gone = event.ok_or(invalid("cuEventDestroy", "the event"));
        gone.map(drop)
    }

    pub(super) fn event(
        &self,
        call: &'static str,
        event: EventId,
    ) -> Result<Arc<Event>, DriverError> {
        let event = lock(&EVENTS).get(&event.0).cloned();
        event.ok_or(invalid(call, "the event"))
    }

    /// What a call does to reserved addresses and the memory there.
    pub(super) fn space<T>(
        &self,
        call: &'static str,
        change: impl Fn(&Context, &mut Spaces) -> Result<T, DriverError>,
    ) -> Result<T, DriverError> {
        let context = self.enter(call)?;
        self.roomy(|| change(context, &mut lock(&self.spaces)))
    }

    /// As [`space`](Self::space), of a call that makes something: what it makes gets the id.
    pub(super) fn place(
        &self,
        call: &'static str,
        make: impl Fn(&Context, &mut Spaces, u64) -> Result<(), DriverError>,
    ) -> Result<u64, DriverError> {
        let id = id();
        self.space(call, |context, spaces| make(context, spaces, id))?;
        Ok(id)
    }

    /// As [`space`](Self::space), of a call that gives something back.
    pub(super) fn vacate(
        &self,
        call: &'static str,
        change: impl FnOnce(&Context, &mut Spaces) -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        self.context.enter(call)?;
        change(&self.context, &mut lock(&self.spaces))
    }

    pub(super) fn pin(&self, bytes: u64) -> Result<RangeId, DriverError> {
        let context = self.enter("cuMemHostAlloc")?;
        let id = id();
        self.roomy(|| lock(&self.pins).pin(context, id, bytes))?;
        Ok(RangeId(id))
    }

    /// Makes no call of the driver.
    pub(super) fn unpin(&self, range: RangeId) -> Result<(), DriverError> {
        lock(&self.pins).unpin(range.0)
    }

    pub(super) fn allocate(&self, stream: &Stream, bytes: u64) -> Result<RangeId, DriverError> {
        let context = self.enter("cuMemAllocFromPoolAsync")?;
        let id = id();
        self.roomy(|| lock(&self.pool).allocate(context, id, stream.raw().0, bytes))?;
        Ok(RangeId(id))
    }

    /// Frees behind all that was issued to the stream.
    pub(super) fn free(&self, stream: &Arc<Stream>, range: u64) -> Result<(), DriverError> {
        const CALL: &str = "cuMemFreeAsync";
        if lock(&self.pool).address(range).is_none() {
            return Err(invalid(CALL, "the range"));
        }
        if Inside::is() {
            lock(&self.later).push((range, Arc::clone(stream)));
            return Ok(());
        }
        self.context.enter(CALL)?;
        lock(&self.pool).free(&self.context, range, stream.raw().0)
    }

    pub(super) fn trim(&self) -> Result<u64, DriverError> {
        self.enter("cuMemPoolTrimTo")?;
        lock(&self.pool).trim(&self.context)
    }

    /// First address of a range.
    pub(super) fn address(&self, range: RangeId) -> Result<Address, DriverError> {
        let device = |at: u64| std::ptr::without_provenance_mut(at as usize);
        super::super::address(
            range,
            [
                &|id| lock(&self.pins).address(id),
                &|id| lock(&self.spaces).address(id).map(device),
                &|id| lock(&self.pool).address(id).map(device),
            ],
        )
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        if self.context.enter("cuMemPoolDestroy").is_err() {
            return;
        }
        self.reclaim();
        let mut streams = lock(&self.streams);
        if self.retired.len() > 0 || !streams.values().all(|stream| stream.idle()) {
            // Work is still under way. What it may use stays; so does the context, for its sake.
            std::mem::forget(Arc::clone(&self.context));
            return;
        }
        streams.clear();
        lock(&self.pool).destroy(&self.context);
        lock(&self.pins).clear(&self.context);
        lock(&self.spaces).clear(&self.context);
    }
}
