//! How much memory a loaded graph takes, and why: as planned for the largest sizes, or placed anew for
//! the actual ones.

mod place;
mod text;

use crate::exec::Placement;
use crate::verify::Violation;

pub(super) use place::{place, planned};

/// What a loaded graph takes, in bytes, and how that was decided. [`Display`](std::fmt::Display) is the
/// text.
///
/// ```
/// # use gpu_graph_runtime::graph::Memory;
/// fn report(memory: &Memory) -> String {
///     let spared = memory.planned().arena - memory.actual().arena;
///     format!("{} instances, each {spared} bytes smaller than planned", memory.instances())
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    of: Loaded,
    instances: u32,
    planned: Bytes,
    needed: Bytes,
    actual: Bytes,
    kept: Option<Kept>,
    variants: Box<[Guarded]>,
}

/// How one program fared: that of a graph, or of one combination of its variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Guarded {
    /// Bytes of its arena as planned for the largest sizes: the slots to fall back on, which the verifier
    /// judges at the actual dims before they are used.
    pub planned: u64,
    /// Bytes of its arena with its slots placed anew for the actual dims.
    pub fitted: u64,
    /// What the verifier said of these; `None` where they would make nothing smaller, and it was not
    /// asked.
    pub guard: Option<Result<(), Violation>>,
}

/// Bytes of the three parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bytes {
    /// The arena of each instance.
    pub arena: u64,
    /// The store, one for all instances.
    pub store: u64,
    /// Pinned memory of each instance.
    pub staging: u64,
}

/// Why slots stayed where the program has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kept {
    /// Nothing would be smaller.
    NothingGained,
    /// The verifier found this at the other slots: the guard of a placement that is made at load.
    Refused(Violation),
}

/// A graph at the dims that it was loaded with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loaded {
    pub(super) graph: &'static str,
    pub(super) dims: Box<[(&'static str, u64)]>,
}

#[cfg(feature = "report")]
impl Loaded {
    pub(crate) fn graph(&self) -> &'static str {
        self.graph
    }

    pub(crate) fn dims(&self) -> &[(&'static str, u64)] {
        &self.dims
    }
}

impl Memory {
    /// What it is of.
    pub(crate) fn of(&self) -> &Loaded {
        &self.of
    }

    /// Instances, as many as runs may be in flight.
    pub fn instances(&self) -> u32 {
        self.instances
    }

    /// What the program asks for, enough for the largest sizes.
    pub fn planned(&self) -> Bytes {
        self.planned
    }

    /// What it takes at the actual dims with slots placed anew, whether or not these serve.
    pub fn needed(&self) -> Bytes {
        self.needed
    }

    /// What was taken.
    pub fn actual(&self) -> Bytes {
        self.actual
    }

    /// Why it is what was planned; `None` where slots were placed anew for the actual dims.
    pub fn kept(&self) -> Option<Kept> {
        self.kept
    }

    /// How each program fared that the graph has: one, or one for each combination of its variants, in
    /// the order of [`Record::variants`](super::Record::variants). Where the guard of any fired, all of
    /// them run with the slots of their own plans.
    pub fn variants(&self) -> &[Guarded] {
        &self.variants
    }

    /// Bytes of all instances.
    pub fn total(&self) -> u64 {
        self.actual.total(self.instances)
    }

    /// Bytes of all instances at the largest sizes.
    pub(super) fn planned_total(&self) -> u64 {
        self.planned.total(self.instances)
    }
}

impl Bytes {
    /// The most of each that any of `placements` asks for.
    fn most(placements: &[Placement]) -> Self {
        let mut most = Self::default();
        for placement in placements {
            most.arena = most.arena.max(placement.arena);
            most.store = most.store.max(placement.store);
            most.staging = most.staging.max(placement.pinned);
        }
        most
    }

    /// Bytes of all instances, and of the store that they share.
    pub(crate) fn total(&self, instances: u32) -> u64 {
        let each = self.arena.saturating_add(self.staging);
        each.saturating_mul(u64::from(instances))
            .saturating_add(self.store)
    }
}
