//! A device made for tests: it finds ordering faults instead of being fast.
//!
//! Work is queued and run only where the host waits or asks, one operation at a time, from a ready
//! stream that a seeded generator picks. Memory of the device is apart from the host's, so uploads
//! really copy. Every access is held against vector clocks over streams and host: two accesses that
//! nothing orders are reported whatever order they happened to run in. So are reads of bytes that
//! nobody wrote, reads of another resource's or run's content, uses of memory that is not there, and
//! waits that can never end. See [`Report`].
//!
//! Storage is filled with a pattern when it is made and when it is released. The same seed and the
//! same calls give the same run. Threads of the host count as one.
//!
//! Limits: it believes the accesses that the tables declare; one memory mapped at two places is
//! judged at each place by itself.

mod clock;
mod device;
mod exec;
mod nodes;
mod pools;
mod raw;
mod reach;
mod report;
mod shadow;
mod step;
mod world;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::os::GRANULARITY;
use super::pool::Complete;
use super::{DriverError, EventId, Info, StreamId, invalid};
use crate::sync::Inside;
use step::{Done, Work};
use world::World;

pub use nodes::{RawGraph, RawNode, RawWork};
pub use pools::PoolId;
pub use raw::{Act, RawAccess, RawTask};
pub use report::{Report, Site, What};

/// What a driver, its peers and its executables share.
#[derive(Debug)]
struct Shared {
    world: Mutex<World>,
    /// Held while an operation runs.
    turn: Mutex<()>,
}

impl Shared {
    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the operation that is being run, if another thread runs one.
    fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        // A kernel that calls the driver has the turn itself.
        (!Inside::is()).then(|| self.turn.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Runs one operation. `false` where none can start.
    fn step(&self) -> bool {
        let turn = self.turn();
        let Some(step) = self.world().pick() else {
            return false;
        };
        if let Some(error) = step.run() {
            self.world().fail(step.lane, error);
        }
        drop(turn);
        // Without a lock: this may be the last count of an executable and its arena.
        drop(step);
        true
    }

    /// Runs operations until `done`, which the host then has seen.
    fn until(&self, call: &'static str, done: &Arc<Done>) -> Result<(), DriverError> {
        while !done.is_complete() {
            // Another thread may have run what was left.
            if !self.step() && !done.is_complete() {
                self.world().stuck();
                return Err(invalid(call, "an event that can never complete"));
            }
        }
        self.world().seen(done);
        Ok(())
    }

    /// Time passes: none to three operations.
    fn some_steps(&self) {
        if Inside::is() {
            return;
        }
        let steps = self.world().below(4);
        for _ in 0..steps {
            self.step();
        }
    }
}

/// A simulated device.
///
/// ```
/// use gpu_graph_runtime::driver::{Driver, sim::{Report, SimDriver}};
/// let driver = SimDriver::new(7);
/// let (a, b) = (driver.create_stream()?, driver.create_stream()?);
/// let block = driver.allocate(a, 256)?;
/// // Nothing orders the use on `b` after the allocation on `a`.
/// // SAFETY: the block is 256 bytes long and lives on; that the order is missing is the point, and a
/// // simulated device runs one piece of work at a time.
/// unsafe { driver.fill(b, driver.address(block)?, 0, 256)? };
/// driver.drain();
/// assert!(matches!(driver.reports()[0], Report::Race { .. } | Report::Released { .. }));
/// # Ok::<(), gpu_graph_runtime::driver::DriverError>(())
/// ```
#[derive(Debug)]
pub struct SimDriver {
    info: Info,
    device: usize,
    shared: Arc<Shared>,
}

impl SimDriver {
    /// One device.
    pub fn new(seed: u64) -> Self {
        Self::peers(seed, 1).remove(0)
    }

    /// `count` devices that reach each other's memory and events, and share their reports.
    pub fn peers(seed: u64, count: usize) -> Vec<Self> {
        let count = count.max(1);
        let shared = Arc::new(Shared {
            world: Mutex::new(World::new(seed, count)),
            turn: Mutex::new(()),
        });
        let device = |device| Self {
            info: Info {
                name: format!("simulated {device}"),
                unified: false,
                granularity: GRANULARITY,
                stages: false,
            },
            device,
            shared: Arc::clone(&shared),
        };
        (0..count).map(device).collect()
    }

    /// Every fault so far, each once.
    pub fn reports(&self) -> Vec<Report> {
        self.shared.world().shadow.reports.clone()
    }

    /// Runs all that is queued, on all peers. The host has seen none of it.
    pub fn drain(&self) {
        if Inside::is() {
            return;
        }
        while self.shared.step() {}
        self.shared.world().stuck();
    }

    fn lane(&self, call: &'static str, stream: StreamId) -> Result<usize, DriverError> {
        let world = self.shared.world();
        let lane = world.streams.get(&stream.0).copied();
        lane.filter(|&lane| world.device(lane) == self.device)
            .ok_or(invalid(call, "the stream"))
    }

    fn issue(&self, call: &'static str, stream: StreamId, work: Work) -> Result<(), DriverError> {
        let lane = self.lane(call, stream)?;
        self.shared.world().issue(lane, work, &[]);
        Ok(())
    }

    fn latest(&self, call: &'static str, event: EventId) -> Result<Option<Arc<Done>>, DriverError> {
        let world = self.shared.world();
        world
            .events
            .get(&event.0)
            .cloned()
            .ok_or(invalid(call, "the event"))
    }
}
