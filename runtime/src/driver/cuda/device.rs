//! The trait's calls on a GPU.

use std::sync::Arc;

use super::super::{
    Address, Driver, DriverError, EventId, Exec, Info, MemoryId, Protection, RangeId, StreamId,
};
use super::core::Core;
use super::error::CudaError;
use super::exec::CudaExec;
use super::memory::size;
use super::single;
use crate::exec::Executable;
use crate::sync::Inside;
use crate::table::Form;

/// The driver of one GPU.
///
/// Streams take no part in what the legacy stream orders; events keep no times, but for those of
/// profiled runs; memory is reserved, created and mapped, or comes from a pool of this device's own. A
/// call that the driver refuses is a typed error of that call. One that says that the device's context
/// is broken is [`DriverError::Lost`], then and at every later call, on every graph: only a new process
/// helps.
///
/// The driver must not be called from a callback; here that is [`DriverError::InsideKernel`].
///
/// A thread's current context is set where it was another's of these devices before. Code beside this
/// that makes a context current sets it back before it lets graphs run on that thread.
#[derive(Debug)]
pub struct CudaDriver {
    core: Arc<Core>,
}

impl CudaDriver {
    /// The GPU of that ordinal.
    ///
    /// # Errors
    /// With what is missing.
    pub fn open(ordinal: u32) -> Result<Self, CudaError> {
        Ok(Self {
            core: Core::open(ordinal)?,
        })
    }
}

impl Drop for CudaDriver {
    fn drop(&mut self) {
        // The last of them, but for what looks after the others.
        if Arc::strong_count(&self.core) == 1 {
            self.core.leave();
        }
    }
}

/// An address as the driver takes it.
fn number(at: Address) -> u64 {
    at.0.expose_provenance() as u64
}

// SAFETY: addresses are CUDA's, which are apart until they are given back, aligned to the granularity
// or as asked where reserved, to 256 bytes from the pool and to pages where pinned; what is pinned is
// zeroed before it is handed out, and every byte of a GPU's memory has some value. An event is CUDA's:
// complete once all that its stream was given before is.
unsafe impl Driver for CudaDriver {
    fn info(&self) -> &Info {
        &self.core.info
    }

    fn create_stream(&self) -> Result<StreamId, DriverError> {
        self.core.create_stream()
    }

    fn destroy_stream(&self, stream: StreamId) -> Result<(), DriverError> {
        self.core.destroy_stream(stream)
    }

    fn create_event(&self) -> Result<EventId, DriverError> {
        self.core.create_event()
    }

    fn destroy_event(&self, event: EventId) -> Result<(), DriverError> {
        self.core.destroy_event(event)
    }

    fn record(&self, event: EventId, stream: StreamId) -> Result<(), DriverError> {
        const CALL: &str = "cuEventRecord";
        let stream = self.core.stream(CALL, stream)?;
        let event = self.core.event(CALL, event)?;
        let context = &self.core.context;
        context.enter(CALL)?;
        // SAFETY: both are there; a handle of another device is refused by the driver.
        let code = unsafe { context.api.cuEventRecord(event.raw().0, stream.raw().0) };
        context.answer(CALL, code)
    }

    fn wait(&self, stream: StreamId, event: EventId) -> Result<(), DriverError> {
        const CALL: &str = "cuStreamWaitEvent";
        let stream = self.core.stream(CALL, stream)?;
        let event = self.core.event(CALL, event)?;
        let context = &self.core.context;
        context.enter(CALL)?;
        // SAFETY: both are there; the event may be another device's.
        let code = unsafe {
            context
                .api
                .cuStreamWaitEvent(stream.raw().0, event.raw().0, 0)
        };
        context.answer(CALL, code)
    }

    fn query(&self, event: EventId) -> Result<bool, DriverError> {
        const CALL: &str = "cuEventQuery";
        let event = self.core.event(CALL, event)?;
        self.core.context.enter(CALL)?;
        let over = event.over();
        self.core.context.usable()?;
        Ok(over)
    }

    fn synchronize(&self, event: EventId) -> Result<(), DriverError> {
        const CALL: &str = "cuEventSynchronize";
        if Inside::is() {
            return Err(DriverError::InsideKernel { call: CALL });
        }
        let event = self.core.event(CALL, event)?;
        let context = &self.core.context;
        context.enter(CALL)?;
        // SAFETY: the event is there, and stays while it is counted.
        let code = unsafe { context.api.cuEventSynchronize(event.raw().0) };
        context.answer(CALL, code)
    }

    fn reserve(&self, bytes: u64, align: u64) -> Result<RangeId, DriverError> {
        let id = self
            .core
            .place("cuMemAddressReserve", |context, spaces, id| {
                spaces.reserve(context, id, bytes, align)
            });
        id.map(RangeId)
    }

    fn unreserve(&self, range: RangeId) -> Result<(), DriverError> {
        self.core.vacate("cuMemAddressFree", |context, spaces| {
            spaces.unreserve(context, range.0)
        })
    }

    fn create_memory(&self, bytes: u64) -> Result<MemoryId, DriverError> {
        let id = self.core.place("cuMemCreate", |context, spaces, id| {
            spaces.create(context, id, bytes)
        });
        id.map(MemoryId)
    }

    fn destroy_memory(&self, memory: MemoryId) -> Result<(), DriverError> {
        self.core.vacate("cuMemRelease", |context, spaces| {
            spaces.destroy(context, memory.0)
        })
    }

    fn map(&self, range: RangeId, offset: u64, memory: MemoryId) -> Result<(), DriverError> {
        self.core.space("cuMemMap", |context, spaces| {
            spaces.map(context, range.0, offset, memory.0)
        })
    }

    fn set_access(
        &self,
        range: RangeId,
        offset: u64,
        bytes: u64,
        to: Protection,
    ) -> Result<(), DriverError> {
        self.core.space("cuMemSetAccess", |context, spaces| {
            spaces.set_access(context, range.0, (offset, bytes), to)
        })
    }

    fn unmap(&self, range: RangeId, offset: u64, bytes: u64) -> Result<(), DriverError> {
        self.core.vacate("cuMemUnmap", |context, spaces| {
            spaces.unmap(context, range.0, (offset, bytes))
        })
    }

    fn address(&self, range: RangeId) -> Result<Address, DriverError> {
        self.core.address(range)
    }

    fn pin(&self, bytes: u64) -> Result<RangeId, DriverError> {
        self.core.pin(bytes)
    }

    fn unpin(&self, range: RangeId) -> Result<(), DriverError> {
        self.core.unpin(range)
    }

    fn allocate(&self, stream: StreamId, bytes: u64) -> Result<RangeId, DriverError> {
        let stream = self.core.stream("cuMemAllocFromPoolAsync", stream)?;
        self.core.allocate(&stream, bytes)
    }

    fn free(&self, stream: StreamId, range: RangeId) -> Result<(), DriverError> {
        let stream = self.core.stream("cuMemFreeAsync", stream)?;
        self.core.free(&stream, range.0)
    }

    fn trim(&self) -> Result<u64, DriverError> {
        self.core.trim()
    }

    unsafe fn copy(
        &self,
        stream: StreamId,
        to: Address,
        from: Address,
        bytes: u64,
    ) -> Result<(), DriverError> {
        const CALL: &str = "cuMemcpyAsync";
        let stream = self.core.stream(CALL, stream)?;
        let context = &self.core.context;
        context.enter(CALL)?;
        let (to, from, bytes) = (number(to), number(from), size(CALL, bytes)?);
        // SAFETY: the caller's.
        let code = unsafe { context.api.cuMemcpyAsync(to, from, bytes, stream.raw().0) };
        context.answer(CALL, code)
    }

    unsafe fn fill(
        &self,
        stream: StreamId,
        to: Address,
        value: u8,
        bytes: u64,
    ) -> Result<(), DriverError> {
        const CALL: &str = "cuMemsetD8Async";
        let stream = self.core.stream(CALL, stream)?;
        let context = &self.core.context;
        context.enter(CALL)?;
        let (to, bytes) = (number(to), size(CALL, bytes)?);
        // SAFETY: the caller's.
        let code = unsafe {
            context
                .api
                .cuMemsetD8Async(to, value, bytes, stream.raw().0)
        };
        context.answer(CALL, code)
    }

    unsafe fn launch(
        &self,
        stream: StreamId,
        exec: &Arc<Executable>,
        task: u32,
        form: Form,
    ) -> Result<(), DriverError> {
        let stream = self.core.stream("launch", stream)?;
        // SAFETY: the caller's.
        unsafe { single::launch(&self.core, &stream, exec, task, form) }
    }

    unsafe fn instantiate(
        &self,
        instances: Vec<Arc<Executable>>,
    ) -> Result<Box<dyn Exec>, DriverError> {
        self.core.context.enter("instantiate")?;
        self.core.reclaim();
        // SAFETY: the caller's promise is the same.
        Ok(Box::new(unsafe { CudaExec::new(&self.core, instances) }?))
    }
}
