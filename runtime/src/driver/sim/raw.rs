//! Work that its caller describes, in place of tables: what stands under a foreign interface.
//!
//! A task says what it touches and does; it is judged like any other.

use std::fmt;
use std::sync::Arc;

use super::super::{Address, DriverError, EventId, Protection, RangeId, StreamId, invalid};
use super::SimDriver;
use super::report::What;
use super::shadow::{Access, Fate};
use super::step::Work;
use crate::table::Mode;

/// One access of a raw task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawAccess {
    /// First byte.
    pub start: usize,
    /// Bytes.
    pub bytes: usize,
    /// How.
    pub mode: Mode,
    /// The device through whose mappings it goes; `None` for the host itself.
    pub via: Option<usize>,
    /// Memory of the host that this driver did not make is not there for it.
    pub strict: bool,
}

impl RawAccess {
    pub(super) fn judged(&self) -> Access {
        Access {
            via: self.via,
            strict: self.strict,
            ..Access::plain(self.start, self.bytes, self.mode)
        }
    }
}

/// What a raw task does.
pub trait Act: fmt::Debug + Send + Sync {
    /// Its turn has come. Where it is not `usable`, something that it touches is not there, which
    /// has been reported.
    fn act(&self, usable: bool);
}

/// A task whose caller says what it touches.
#[derive(Debug)]
pub struct RawTask {
    /// Name, for reports.
    pub name: &'static str,
    /// Which call, for reports.
    pub number: u64,
    /// What it touches.
    pub accesses: Vec<RawAccess>,
    /// Two accesses of one range are no conflict within the task.
    pub in_place: bool,
    /// It runs on the host, which then knows all that it comes after.
    pub tells_host: bool,
    /// What it does.
    pub act: Box<dyn Act>,
}

impl SimDriver {
    /// Issues a task to `stream`.
    ///
    /// # Errors
    /// A stream that is not there.
    pub fn issue_raw(&self, stream: StreamId, task: RawTask) -> Result<(), DriverError> {
        self.issue("issue_raw", stream, Work::Raw(Arc::new(task)))
    }

    /// Says what `device` may do with a mapped part, and leaves the others what they may.
    ///
    /// # Errors
    /// As [`Driver::set_access`](super::super::Driver::set_access).
    pub fn admit(
        &self,
        range: RangeId,
        offset: u64,
        bytes: u64,
        device: usize,
        to: Protection,
    ) -> Result<(), DriverError> {
        const CALL: &str = "admit";
        let _turn = self.shared.turn();
        let mut world = self.shared.world();
        let base = world.spaces.address(range.0);
        let base = base.ok_or(invalid(CALL, "the range"))?.addr();
        // Before anything changes: is the part mapped?
        world
            .spaces
            .set_access(range.0, offset, bytes, Protection::ReadWrite)?;
        let at = (base + offset as usize, bytes as usize);
        if !world.shadow.protect(at, Some(device), to) {
            world
                .spaces
                .set_access(range.0, offset, bytes, Protection::None)?;
        }
        Ok(())
    }

    /// Makes a part of the host's own memory known to be there, or no more: what of the device uses
    /// it later without an order is reported.
    pub fn lend(&self, at: Address, bytes: u64, there: bool) {
        let fate = match there {
            true => Fate {
                reach: super::reach::Reach::all(Protection::ReadWrite),
                written: true,
            },
            false => Fate::GONE,
        };
        let what = if there { What::Map } else { What::Unmap };
        let place = (at.0.addr(), bytes as usize);
        self.shared.world().hand(self.device, what, place, fate);
    }

    /// Whether all that was issued to `stream` has ended; where it has, the host has seen it.
    ///
    /// # Errors
    /// A stream that is not there.
    pub fn is_idle(&self, stream: StreamId) -> Result<bool, DriverError> {
        let lane = self.lane("is_idle", stream)?;
        self.shared.some_steps();
        let _turn = self.shared.turn();
        Ok(self.shared.world().see_idle(lane))
    }

    /// Whether a record of `event` was ever issued.
    ///
    /// # Errors
    /// An event that is not there.
    pub fn is_recorded(&self, event: EventId) -> Result<bool, DriverError> {
        Ok(self.latest("is_recorded", event)?.is_some())
    }

    /// How many steps had been taken, in the whole world, when `event` was recorded; `None` before.
    ///
    /// # Errors
    /// An event that is not there.
    pub fn moment(&self, event: EventId) -> Result<Option<u64>, DriverError> {
        let done = self.latest("moment", event)?;
        Ok(done.and_then(|done| done.moment.get().copied()))
    }
}
