//! A device, as users hold it.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use super::Memory;
use super::loads::{Asked, Loads};
#[cfg(feature = "cuda")]
use crate::driver::cuda::{CudaDriver, CudaError};
use crate::driver::host::HostDriver;
use crate::driver::{Address, Driver, DriverError, EventId, Info, StreamId};

/// A device that graphs are loaded on. Cloning it is cheap: every clone is the same device.
///
/// ```
/// let device = gpu_graph_runtime::graph::host();
/// assert!(device.info().unified);
/// ```
#[derive(Clone)]
pub struct Device {
    inner: Arc<Inner>,
}

struct Inner {
    driver: Arc<dyn Driver>,
    /// Stream of the copies that belong to no run, made when the first is needed.
    transfer: Mutex<Option<StreamId>>,
    loads: Asked,
}

/// The machine itself, through the embedded driver: always there, the same device at every call.
pub fn host() -> Device {
    static HOST: OnceLock<Device> = OnceLock::new();
    HOST.get_or_init(|| Device::with(Arc::new(HostDriver::new())))
        .clone()
}

/// The NVIDIA GPU of that ordinal. As long as anybody has it, it is the same one: its pool and what
/// dropped graphs have left on it are shared.
///
/// Builds need no toolkit and no GPU: the driver library is looked for here, and everything that a
/// graph will ask of it is asked for before anything is called.
///
/// ```
/// match gpu_graph_runtime::graph::cuda(0) {
///     Ok(device) => println!("{}", device.info().name),
///     Err(missing) => println!("{missing}"), // no library, no device, an old driver, …
/// }
/// ```
///
/// # Errors
/// With what is missing.
#[cfg(feature = "cuda")]
pub fn cuda(ordinal: u32) -> Result<Device, CudaError> {
    let driver = CudaDriver::open(ordinal)?;
    Ok(Device::with(Arc::new(driver)))
}

impl Device {
    /// The device of that driver.
    pub fn with(driver: Arc<dyn Driver>) -> Self {
        Self {
            inner: Arc::new(Inner {
                driver,
                transfer: Mutex::new(None),
                loads: Asked::default(),
            }),
        }
    }

    /// What the device is.
    pub fn info(&self) -> &Info {
        self.inner.driver.info()
    }

    /// Its driver.
    pub fn driver(&self) -> &Arc<dyn Driver> {
        &self.inner.driver
    }

    /// Keeps what graphs take that are loaded on this device from now on, for as long as the answer is
    /// there; one that was asked for before is the same.
    #[must_use = "loads are kept for as long as this is there"]
    pub fn log_loads(&self) -> Loads {
        self.inner.loads.log()
    }

    /// Says that a graph was loaded.
    pub(super) fn loaded(&self, memory: &Memory, took: Duration) {
        self.inner.loads.add(memory, took);
    }

    /// Stream of the copies that belong to no run.
    pub(super) fn transfer(&self) -> Result<StreamId, DriverError> {
        let mut stream = self
            .inner
            .transfer
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        match *stream {
            Some(stream) => Ok(stream),
            None => Ok(*stream.insert(self.inner.driver.create_stream()?)),
        }
    }

    /// Waits for all that was issued to the transfer stream.
    pub(super) fn settle(&self) -> Result<(), DriverError> {
        let driver = self.driver();
        let event = Event::new(driver)?;
        driver.record(event.id, self.transfer()?)?;
        driver.synchronize(event.id)
    }

    /// Sets ranges to zero on the transfer stream and waits for the end of it. Where one is refused,
    /// those before it are zero.
    ///
    /// # Safety
    /// Each range is as many bytes long as it says. They are live and unraced until this returns, and
    /// for good where it answers [`CopyError::Unfinished`].
    pub(super) unsafe fn zero(
        &self,
        ranges: impl Iterator<Item = (Address, u64)>,
    ) -> Result<(), CopyError> {
        let driver = self.driver();
        let (stream, event) = self.prepare().map_err(CopyError::Refused)?;
        let (mut issued, mut filled) = (false, Ok(()));
        for (to, bytes) in ranges {
            // SAFETY: the caller's.
            filled = unsafe { driver.fill(stream, to, 0, bytes) };
            if filled.is_err() {
                break;
            }
            issued = true;
        }
        // What was issued before the one that is refused is under way all the same.
        if issued {
            event.settle(stream)?;
        }
        filled.map_err(CopyError::Refused)
    }

    /// Copies on the transfer stream and waits for the end of it.
    ///
    /// # Safety
    /// Both ranges are `bytes` long and apart. They are live and unraced until this returns, and
    /// for good where it answers [`CopyError::Unfinished`].
    pub(super) unsafe fn copy(
        &self,
        to: Address,
        from: Address,
        bytes: u64,
    ) -> Result<(), CopyError> {
        let (stream, event) = self.prepare().map_err(CopyError::Refused)?;
        // SAFETY: the caller's.
        unsafe { self.driver().copy(stream, to, from, bytes) }.map_err(CopyError::Refused)?;
        event.settle(stream)
    }

    /// The transfer stream, and an event for the end of what is issued to it: all that can be refused
    /// before anything is.
    fn prepare(&self) -> Result<(StreamId, Event<'_>), DriverError> {
        let stream = self.transfer()?;
        let event = Event::new(self.driver())?;
        // A kernel must not come to wait with a copy under way.
        event.driver.synchronize(event.id)?;
        Ok((stream, event))
    }
}

/// Why a copy, or a fill, has not been made.
#[derive(Debug)]
pub(super) enum CopyError {
    /// Nothing is under way.
    Refused(DriverError),
    /// It was issued, and nobody can tell when it ends.
    Unfinished(DriverError),
}

/// An event, given back on every way out.
struct Event<'a> {
    driver: &'a dyn Driver,
    id: EventId,
}

impl<'a> Event<'a> {
    fn new(driver: &'a Arc<dyn Driver>) -> Result<Self, DriverError> {
        Ok(Self {
            driver: &**driver,
            id: driver.create_event()?,
        })
    }

    /// Waits for all that was issued to a stream.
    fn settle(&self, stream: StreamId) -> Result<(), CopyError> {
        let recorded = self.driver.record(self.id, stream);
        let settled = recorded.and_then(|()| self.driver.synchronize(self.id));
        settled.map_err(CopyError::Unfinished)
    }
}

impl Drop for Event<'_> {
    fn drop(&mut self) {
        let _ = self.driver.destroy_event(self.id);
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(stream) = self
            .transfer
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
        {
            let _ = self.driver.destroy_stream(stream);
        }
        // What graphs have left, and nobody uses any more, goes with the last handle.
        let _ = self.driver.trim();
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Device").field(&self.info().name).finish()
    }
}
