//! Which devices may touch bytes.

use super::super::Protection;

/// The devices that may read, and those that may write, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    read: u64,
    write: u64,
}

impl Reach {
    /// Nobody.
    pub(super) const NONE: Self = Self { read: 0, write: 0 };

    /// The same for every device.
    pub(super) fn all(to: Protection) -> Self {
        let mut all = Self::NONE;
        all.change(u64::MAX, to);
        all
    }

    /// What `device` may do from here on.
    pub(super) fn admit(&mut self, device: usize, to: Protection) {
        self.change(1 << device, to);
    }

    fn change(&mut self, bits: u64, to: Protection) {
        let set = |on: bool, mask: u64| if on { mask | bits } else { mask & !bits };
        self.read = set(to != Protection::None, self.read);
        self.write = set(to == Protection::ReadWrite, self.write);
    }

    /// Whether `device`, or any where it is `None`, may read or write.
    pub(super) fn allows(self, device: Option<usize>, write: bool) -> bool {
        let bits = device.map_or(u64::MAX, |d| 1 << d);
        bits & if write { self.write } else { self.read } != 0
    }

    /// Whether there is a device that may touch them.
    pub(super) fn any(self) -> bool {
        self.read != 0
    }
}
