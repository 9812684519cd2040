//! What a device can do. One trait; the runtime owns ordering and errors.

#[cfg(feature = "cuda")]
pub mod cuda;
mod error;
pub mod host;
mod os;
mod pool;
pub mod sim;
mod spaces;
mod turns;

pub(crate) use error::invalid;
pub use error::{Culprit, DriverError, Status};

use std::fmt;
use std::sync::Arc;

use crate::exec::Executable;
use crate::table::Form;

/// A queue whose work starts in order of issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StreamId(pub u64);

/// A point in a stream that others wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId(pub u64);

/// A range of addresses, with or without backing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RangeId(pub u64);

/// Backing memory, mapped or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemoryId(pub u64);

/// An address of the device. On the host it is a pointer; elsewhere it is never dereferenced here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address(pub *mut u8);

// SAFETY: an address is a number; whoever dereferences it carries the argument.
unsafe impl Send for Address {}
// SAFETY: as above.
unsafe impl Sync for Address {}

/// Who may touch a mapped range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protection {
    /// Nobody: a use faults.
    None,
    /// Reads only.
    Read,
    /// Reads and writes.
    ReadWrite,
}

/// What a device is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Name, for messages.
    pub name: String,
    /// Kernels can read host memory directly.
    pub unified: bool,
    /// Smallest unit of backing, in bytes.
    pub granularity: u64,
    /// A copy from memory that is not pinned makes its caller wait, so that every input is staged,
    /// those that are given away too.
    pub stages: bool,
}

/// Where a range begins: a driver has ranges that are reserved, that are pinned, and that are of its
/// pool, and each of these is asked in turn. At most one of them knows an id.
fn address(
    range: RangeId,
    kinds: [&dyn Fn(u64) -> Option<*mut u8>; 3],
) -> Result<Address, DriverError> {
    let at = kinds.iter().find_map(|known| known(range.0));
    at.map(Address).ok_or(invalid("address", "the range"))
}

/// A device.
///
/// Calls that hand work to a stream return before it has run, unless the stream is driven by its
/// caller. None waits for the device but [`synchronize`](Self::synchronize) and [`Exec::wait`].
///
/// # Safety
/// The runtime builds slices from what these calls answer, so an implementation keeps its word:
/// a range from [`reserve`](Self::reserve), [`allocate`](Self::allocate) or [`pin`](Self::pin) is
/// apart from all others until it is given back, and [`address`](Self::address) is its first byte,
/// aligned as asked and to 256 bytes from the pool or pinned; new memory holds some value in every
/// byte; the host can read and write what is pinned, and where [`Info::unified`] is set what is
/// mapped for it; an event is complete only when all that it stands for is.
pub unsafe trait Driver: fmt::Debug + Send + Sync {
    /// What the device is.
    fn info(&self) -> &Info;

    /// A new stream.
    fn create_stream(&self) -> Result<StreamId, DriverError>;
    /// Gives a stream back; work on it goes on to its end. Never waits.
    fn destroy_stream(&self, stream: StreamId) -> Result<(), DriverError>;
    /// A new event, complete until it is recorded.
    fn create_event(&self) -> Result<EventId, DriverError>;
    /// Gives an event back. Waits already issued still hold.
    fn destroy_event(&self, event: EventId) -> Result<(), DriverError>;
    /// `event` now stands for all that was issued to `stream` so far.
    fn record(&self, event: EventId, stream: StreamId) -> Result<(), DriverError>;
    /// What is issued to `stream` from here on starts after `event` as it was last recorded.
    fn wait(&self, stream: StreamId, event: EventId) -> Result<(), DriverError>;
    /// Whether `event` has completed.
    fn query(&self, event: EventId) -> Result<bool, DriverError>;
    /// The host waits for `event`.
    ///
    /// # Errors
    /// [`DriverError::InsideKernel`] on a thread that runs a kernel, also where `event` has
    /// completed already.
    fn synchronize(&self, event: EventId) -> Result<(), DriverError>;

    /// Reserves addresses without backing. `align` is a power of two.
    fn reserve(&self, bytes: u64, align: u64) -> Result<RangeId, DriverError>;
    /// Gives addresses back; nothing may be mapped there.
    fn unreserve(&self, range: RangeId) -> Result<(), DriverError>;
    /// Creates backing; `bytes` is a multiple of the granularity.
    fn create_memory(&self, bytes: u64) -> Result<MemoryId, DriverError>;
    /// Gives backing back; it goes once it is mapped nowhere.
    fn destroy_memory(&self, memory: MemoryId) -> Result<(), DriverError>;
    /// Maps all of `memory` at `offset` of `range`, without access.
    fn map(&self, range: RangeId, offset: u64, memory: MemoryId) -> Result<(), DriverError>;
    /// Sets who may touch a mapped part.
    fn set_access(
        &self,
        range: RangeId,
        offset: u64,
        bytes: u64,
        to: Protection,
    ) -> Result<(), DriverError>;
    /// Unmaps; a later use faults. The caller has seen all work on it complete.
    fn unmap(&self, range: RangeId, offset: u64, bytes: u64) -> Result<(), DriverError>;
    /// First address of a range.
    fn address(&self, range: RangeId) -> Result<Address, DriverError>;

    /// Memory of the host that copies on streams read and write behind their caller, and that host
    /// code reaches at the same address. Zeroed, and aligned to 256 bytes.
    fn pin(&self, bytes: u64) -> Result<RangeId, DriverError>;
    /// Gives pinned memory back. The caller has seen all work on it complete. Never waits.
    fn unpin(&self, range: RangeId) -> Result<(), DriverError>;

    /// Storage from the pool, usable by work issued to `stream` from here on.
    fn allocate(&self, stream: StreamId, bytes: u64) -> Result<RangeId, DriverError>;
    /// Gives pool storage back once all that was issued to `stream` so far has completed.
    fn free(&self, stream: StreamId, range: RangeId) -> Result<(), DriverError>;
    /// Returns pool storage that no work can still touch to the system; says how many bytes.
    fn trim(&self) -> Result<u64, DriverError>;

    /// Copies on `stream`.
    ///
    /// # Safety
    /// Both ranges are `bytes` long, apart, and live and unraced until the copy completes.
    unsafe fn copy(
        &self,
        stream: StreamId,
        to: Address,
        from: Address,
        bytes: u64,
    ) -> Result<(), DriverError>;
    /// Sets bytes on `stream`.
    ///
    /// # Safety
    /// The range is `bytes` long, and live and unraced until the fill completes.
    unsafe fn fill(
        &self,
        stream: StreamId,
        to: Address,
        value: u8,
        bytes: u64,
    ) -> Result<(), DriverError>;
    /// Issues one task to `stream`.
    ///
    /// # Safety
    /// The caller orders the task against all that conflicts with it; see [`Executable::call`].
    unsafe fn launch(
        &self,
        stream: StreamId,
        exec: &Arc<Executable>,
        task: u32,
        form: Form,
    ) -> Result<(), DriverError>;

    /// Tells an instrument that the host touches memory which work on the device touches too: it
    /// fills staging, or reads an output. Devices do nothing.
    fn host_access(&self, at: Address, bytes: u64, write: bool) {
        let _ = (at, bytes, write);
    }

    /// Makes the instances of one program ready to be started as a whole.
    ///
    /// # Safety
    /// The program has passed the verifier, and `instances` are all of its ring in order.
    unsafe fn instantiate(
        &self,
        instances: Vec<Arc<Executable>>,
    ) -> Result<Box<dyn Exec>, DriverError>;
}

/// When the tasks of one run began and ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// Begin and end of each task of the source, in nanoseconds after one instant, the same for all
    /// runs of these instances.
    pub tasks: Vec<(u64, u64)>,
    /// What the time between two of these may be off by, for how they are read, in nanoseconds; 0
    /// where it is read in nanoseconds.
    pub resolution: u64,
}

/// The instances of one program. Dropping it never waits: runs in flight end by themselves and
/// keep what they use, each [`Executable`] with them.
///
/// # Safety
/// Tasks are called as the program orders them, [`query`](Self::query) and [`wait`](Self::wait)
/// tell the truth, and an `Executable` is kept until no thread touches what it points to.
pub unsafe trait Exec: fmt::Debug + Send + Sync {
    /// Issues the `generation`th run (1, 2, …) of `instance`. Instances run in any order and from
    /// any thread, each by one thread at a time. Allocates nothing and locks nothing. A driver may
    /// run stream 0 on the calling thread, which then waits where that stream does; with one stream
    /// the run is over when this returns.
    ///
    /// # Errors
    /// Where [`started`](Self::started) has come to the generation, a part was issued: that run is
    /// over like any other once its events have completed, [`failure`](Self::failure) says the same,
    /// and the next is of the next generation. Else nothing was issued, and the generation is used
    /// again by the next try. [`DriverError::InsideKernel`] on a thread that runs a kernel. [`DriverError::Invalid`] where
    /// a program that waits for its previous run is not started instance after instance.
    ///
    /// # Safety
    /// The gates of that run have been passed and its inputs are set.
    unsafe fn start(&self, instance: u32, generation: u64) -> Result<(), DriverError>;
    /// The last run of `instance` of which anything was issued; 0 before the first.
    fn started(&self, instance: u32) -> u64;
    /// Whether `event` of that run has completed, in whatever way.
    fn query(&self, instance: u32, generation: u64, event: u32) -> bool;
    /// The host waits for `event` of that run.
    ///
    /// # Errors
    /// [`DriverError::InsideKernel`] on a thread that runs a kernel.
    fn wait(&self, instance: u32, generation: u64, event: u32) -> Result<(), DriverError>;
    /// Why the last run of `instance` is no result, if it is none. Asked once an event of it has
    /// completed: whatever was skipped before that event is known here by then. The next
    /// [`start`](Self::start) forgets it.
    fn failure(&self, instance: u32) -> Option<DriverError>;
    /// Says whether runs from the next one on are timed, task by task. The first time makes what that
    /// takes, and may wait for the device to read its clock; runs that are not timed issue what they
    /// did before.
    ///
    /// # Errors
    /// What the device refuses. Nothing has changed then.
    fn time(&mut self, on: bool) -> Result<(), DriverError>;
    /// When the tasks of that run of `instance` began and ended, if it was timed and is the last. All
    /// of it has ended.
    ///
    /// # Errors
    /// What the device refuses; it may be asked again.
    fn times(&self, instance: u32, generation: u64) -> Result<Option<Timeline>, DriverError>;
}
