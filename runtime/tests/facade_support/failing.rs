//! A device that fails where it is told to.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::SeqCst};

use gpu_graph_runtime::driver::host::HostDriver;
use gpu_graph_runtime::driver::*;
use gpu_graph_runtime::exec::Executable;
use gpu_graph_runtime::graph::Device;
use gpu_graph_runtime::table::Form;

/// The host, which fails one call and counts what it has given and not got back.
#[derive(Debug)]
pub struct Failing {
    host: HostDriver,
    /// Calls until the one that fails.
    pub left: AtomicU64,
    /// Things given and not got back.
    pub given: AtomicI64,
    /// Bytes that may still be mapped.
    pub room: AtomicI64,
}

impl Failing {
    /// The driver, and the device of it, whose call number `left` fails.
    pub fn device(left: u64) -> (Arc<Self>, Device) {
        let failing = Arc::new(Self {
            host: HostDriver::new(),
            left: AtomicU64::new(left),
            given: AtomicI64::new(0),
            room: AtomicI64::new(i64::MAX),
        });
        (Arc::clone(&failing), Device::with(failing))
    }

    /// One call that may fail; `count` is what it gives.
    fn call<T>(
        &self,
        call: &'static str,
        count: i64,
        make: impl FnOnce() -> Result<T, DriverError>,
    ) -> Result<T, DriverError> {
        if self.left.fetch_sub(1, SeqCst) == 0 {
            return Err(DriverError::OutOfMemory { call, requested: 0 });
        }
        let made = make()?;
        self.given.fetch_add(count, SeqCst);
        Ok(made)
    }
}

// SAFETY: every call that succeeds is the host's.
unsafe impl Driver for Failing {
    fn info(&self) -> &Info {
        self.host.info()
    }
    fn create_stream(&self) -> Result<StreamId, DriverError> {
        self.call("create_stream", 1, || self.host.create_stream())
    }
    fn destroy_stream(&self, stream: StreamId) -> Result<(), DriverError> {
        self.given.fetch_sub(1, SeqCst);
        self.host.destroy_stream(stream)
    }
    fn create_event(&self) -> Result<EventId, DriverError> {
        self.call("create_event", 1, || self.host.create_event())
    }
    fn destroy_event(&self, event: EventId) -> Result<(), DriverError> {
        self.given.fetch_sub(1, SeqCst);
        self.host.destroy_event(event)
    }
    fn record(&self, event: EventId, stream: StreamId) -> Result<(), DriverError> {
        self.call("record", 0, || self.host.record(event, stream))
    }
    fn wait(&self, stream: StreamId, event: EventId) -> Result<(), DriverError> {
        self.call("wait", 0, || self.host.wait(stream, event))
    }
    fn query(&self, event: EventId) -> Result<bool, DriverError> {
        self.call("query", 0, || self.host.query(event))
    }
    fn synchronize(&self, event: EventId) -> Result<(), DriverError> {
        self.call("synchronize", 0, || self.host.synchronize(event))
    }
    fn reserve(&self, bytes: u64, align: u64) -> Result<RangeId, DriverError> {
        self.call("reserve", 1, || self.host.reserve(bytes, align))
    }
    fn unreserve(&self, range: RangeId) -> Result<(), DriverError> {
        self.host.unreserve(range)?;
        self.given.fetch_sub(1, SeqCst);
        Ok(())
    }
    fn create_memory(&self, bytes: u64) -> Result<MemoryId, DriverError> {
        if self.room.load(SeqCst) < bytes as i64 {
            let (call, requested) = ("create_memory", bytes);
            return Err(DriverError::OutOfMemory { call, requested });
        }
        self.room.fetch_sub(bytes as i64, SeqCst);
        self.call("create_memory", 1, || self.host.create_memory(bytes))
    }
    fn destroy_memory(&self, memory: MemoryId) -> Result<(), DriverError> {
        self.host.destroy_memory(memory)?;
        self.given.fetch_sub(1, SeqCst);
        Ok(())
    }
    fn map(&self, range: RangeId, offset: u64, memory: MemoryId) -> Result<(), DriverError> {
        self.call("map", 1, || self.host.map(range, offset, memory))
    }
    fn set_access(
        &self,
        range: RangeId,
        offset: u64,
        bytes: u64,
        to: Protection,
    ) -> Result<(), DriverError> {
        self.call("set_access", 0, || {
            self.host.set_access(range, offset, bytes, to)
        })
    }
    fn unmap(&self, range: RangeId, offset: u64, bytes: u64) -> Result<(), DriverError> {
        self.host.unmap(range, offset, bytes)?;
        self.room.fetch_add(bytes as i64, SeqCst);
        self.given.fetch_sub(1, SeqCst);
        Ok(())
    }
    fn address(&self, range: RangeId) -> Result<Address, DriverError> {
        self.call("address", 0, || self.host.address(range))
    }
    fn pin(&self, bytes: u64) -> Result<RangeId, DriverError> {
        self.call("pin", 1, || self.host.pin(bytes))
    }
    fn unpin(&self, range: RangeId) -> Result<(), DriverError> {
        self.host.unpin(range)?;
        self.given.fetch_sub(1, SeqCst);
        Ok(())
    }
    fn allocate(&self, stream: StreamId, bytes: u64) -> Result<RangeId, DriverError> {
        self.call("allocate", 1, || self.host.allocate(stream, bytes))
    }
    fn free(&self, stream: StreamId, range: RangeId) -> Result<(), DriverError> {
        self.host.free(stream, range)?;
        self.given.fetch_sub(1, SeqCst);
        Ok(())
    }
    fn trim(&self) -> Result<u64, DriverError> {
        self.host.trim()
    }
    unsafe fn copy(
        &self,
        stream: StreamId,
        to: Address,
        from: Address,
        bytes: u64,
    ) -> Result<(), DriverError> {
        // SAFETY: the caller's.
        self.call("copy", 0, || unsafe {
            self.host.copy(stream, to, from, bytes)
        })
    }
    unsafe fn fill(
        &self,
        stream: StreamId,
        to: Address,
        value: u8,
        bytes: u64,
    ) -> Result<(), DriverError> {
        // SAFETY: the caller's.
        self.call("fill", 0, || unsafe {
            self.host.fill(stream, to, value, bytes)
        })
    }
    unsafe fn launch(
        &self,
        stream: StreamId,
        exec: &Arc<Executable>,
        task: u32,
        form: Form,
    ) -> Result<(), DriverError> {
        // SAFETY: the caller's.
        self.call("launch", 0, || unsafe {
            self.host.launch(stream, exec, task, form)
        })
    }
    unsafe fn instantiate(
        &self,
        instances: Vec<Arc<Executable>>,
    ) -> Result<Box<dyn Exec>, DriverError> {
        // SAFETY: the caller's.
        self.call("instantiate", 0, || unsafe {
            self.host.instantiate(instances)
        })
    }
}
