//! What an allocator of physical memory is to know of a plan: sizes, alignment, demand over time,
//! and who reuses whose storage.

use serde::{Deserialize, Serialize};

/// What is asked of an allocator, were each slot a request of its own. The plan itself makes one
/// request for each range when the graph is loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Allocator {
    /// What every offset and size is a multiple of, in bytes.
    pub alignment: u64,
    /// Sizes that are asked for, the largest first.
    pub size_classes: Vec<SizeClass>,
    /// Demand envelope: bytes of the arena that are live at each step of the issue order. In-place
    /// updates count once. Another execution that is admitted may have more live at once.
    pub demand: Vec<u64>,
    /// Reuse trace of arena and staging: what begins and ends at each step of the issue order.
    pub trace: Vec<Event>,
}

/// One size, and how many resources have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SizeClass {
    /// Bytes of each slot.
    pub bytes: u64,
    /// Resources with a slot of that size.
    pub resources: u32,
    /// The most of them that are live at one step of the issue order.
    pub live: u32,
}

/// What happens to storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Happening {
    /// A resource begins where none was before.
    Allocate,
    /// A resource begins where others were.
    Reuse,
    /// A resource is over: all its last tasks are issued, and its storage is free when they have
    /// completed.
    Release,
}

/// One event of the reuse trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Event {
    /// Step of the issue order: right before its task, or right after it for a release.
    pub step: u32,
    /// What happens.
    pub event: Happening,
    /// To which resource.
    pub resource: u32,
    /// Where its slot begins.
    pub offset: u64,
    /// Bytes of its slot.
    pub bytes: u64,
    /// Of a reuse: the resources whose storage it takes over.
    pub from: Vec<u32>,
}
