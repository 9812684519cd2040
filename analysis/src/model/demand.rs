//! What is demanded of a plan.

use super::{RegionBytes, ResourceId, Site, TaskId};

/// `order before -> after`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Must complete first.
    pub before: TaskId,
    /// Starts after that.
    pub after: TaskId,
    /// The demand.
    pub site: Site,
}

/// `recompute t before 'z`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// What is made again.
    pub value: ResourceId,
    /// The task before which it is: the first of its label that reads the value, if one does.
    pub before: TaskId,
    /// The label, as it is written.
    pub label: String,
    /// The name of the value in the demand.
    pub site: Site,
    /// The label in the demand.
    pub at: Site,
}

/// `alias a with b`, or `separate a, b`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The first resource named.
    pub a: ResourceId,
    /// The second.
    pub b: ResourceId,
    /// The first name in the demand.
    pub site: Site,
}

/// `budget 2 GiB`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes.
    pub bytes: u64,
    /// What other combinations of variants take of the arena and of staging, which have to be as large.
    pub beside: RegionBytes,
    /// The amount, as written.
    pub site: Site,
}
