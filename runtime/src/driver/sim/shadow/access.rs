//! Accesses that happen and have happened, and what becomes of bytes.

use std::sync::Weak;

use super::super::clock::Clock;
use super::super::reach::Reach;
use super::super::report::Site;
use crate::exec::Executable;
use crate::table::Mode;

/// Whose content some bytes are: the executable, by address, its resource, and its run; of what
/// outlives runs its first byte in place of the executable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Owner {
    pub(in super::super) exec: usize,
    pub(in super::super) resource: u32,
    pub(in super::super) run: u64,
}

/// An access that has happened.
#[derive(Clone, Debug)]
pub(in super::super) struct Mark {
    pub(in super::super) site: Site,
    /// What ran it, for tasks.
    pub(in super::super) exec: Option<Weak<Executable>>,
}

impl Mark {
    pub(in super::super) fn by(site: Site) -> Self {
        Self { site, exec: None }
    }

    pub(super) fn known_to(&self, clock: &Clock) -> bool {
        clock.get(self.site.lane) >= self.site.step
    }

    /// Whether whatever ran it is gone. Who drops the last count of an executable comes after all
    /// that it ran.
    pub(super) fn gone(&self) -> bool {
        self.exec.as_ref().is_some_and(|e| e.strong_count() == 0)
    }
}

/// An access about to happen.
#[derive(Clone, Debug)]
pub(in super::super) struct Access {
    pub(in super::super) start: usize,
    pub(in super::super) bytes: usize,
    pub(in super::super) mode: Mode,
    /// Whose content it reads or makes. `None` accepts any.
    pub(in super::super) owner: Option<Owner>,
    /// The device through whose mappings it goes. `None` is any.
    pub(in super::super) via: Option<usize>,
    /// Memory of the host that this driver did not make is not there for it.
    pub(in super::super) strict: bool,
}

impl Access {
    /// One that accepts any content, from anywhere.
    pub(in super::super) fn plain(start: usize, bytes: usize, mode: Mode) -> Self {
        Self {
            start,
            bytes,
            mode,
            owner: None,
            via: None,
            strict: false,
        }
    }

    pub(super) fn overlaps(&self, other: &Access) -> bool {
        self.start < other.start + other.bytes && other.start < self.start + self.bytes
    }
}

/// What becomes of bytes that change hands.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Fate {
    pub(in super::super) reach: Reach,
    /// They hold something.
    pub(in super::super) written: bool,
}

impl Fate {
    /// Nobody may touch them.
    pub(in super::super) const GONE: Self = Self {
        reach: Reach::NONE,
        written: false,
    };
}
