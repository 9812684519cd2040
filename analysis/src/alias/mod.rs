//! Whether two resources may share storage, and by what proof.
//!
//! Slots are bytes aligned to 256, and elements accept every bit pattern, so element types and
//! alignment never forbid an alias: only live ranges do, and regions. Staging is memory of the host,
//! and no byte of one isolation domain is ever another's, since nothing can be unmapped within an
//! arena. A new occupant's content is written before it is read (checked elsewhere), so what
//! the previous one left is never observed.

mod demand;
mod in_place;
mod ordered;
mod refusal;

pub use demand::{Demands, demands};
pub use in_place::{Merge, merges};
pub(crate) use in_place::{conditions, declared, possible, withheld};
pub(crate) use ordered::order_fix;

use crate::frontier::Frontiers;
use crate::model::{Model, ResourceId, TaskId};
use crate::order::Precedence;

/// What the dependencies say of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Eligibility {
    /// All accesses of `first` precede all of the other, by dependencies alone.
    Unconditional {
        /// Which lives first.
        first: ResourceId,
    },
    /// `task` updates `first` into the other: its last access and the other's first.
    InPlace {
        /// The operand.
        first: ResourceId,
        /// The task.
        task: TaskId,
    },
    /// Legal if the policy adds these edges, each of them needed, no cycle among them.
    Conditioned {
        /// Which would live first.
        first: ResourceId,
        /// `(a, b)`: b starts after a completes.
        edges: Vec<(TaskId, TaskId)>,
    },
    /// No admitted execution ends one before the other begins.
    Refused {
        /// Why the first of the pair cannot come wholly before the second.
        forward: Blocker,
        /// Why the second cannot come wholly before the first.
        backward: Blocker,
    },
}

/// Why one resource cannot be over before another begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocker {
    /// They are one resource.
    Same,
    /// The host reads the earlier one after the run.
    Output,
    /// They live in different memory, or in different isolation domains.
    Region,
    /// One of them outlives runs.
    Kept(ResourceId),
    /// `start`, which begins the later one, is or precedes `user`, which ends the earlier one.
    Reversed {
        /// An access of the earlier one that comes too late.
        user: TaskId,
        /// The access of the later one that comes before it.
        start: TaskId,
    },
}

/// Whether `a` can be wholly before `b`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Direction {
    /// It is, by dependencies alone.
    Holds,
    /// It would be with these edges, last frontier to first frontier; each is needed.
    With(Vec<(TaskId, TaskId)>),
    /// It cannot be.
    Never(Blocker),
}

/// Whether `a` is, or can be made, wholly before `b`.
///
/// The edges that are missing between the frontiers are the smallest set: members of a frontier are
/// unordered, so no edge of the set implies another.
pub fn direction(order: &Precedence, live: &Frontiers, a: ResourceId, b: ResourceId) -> Direction {
    if a == b {
        return Direction::Never(Blocker::Same);
    }
    if let Some(kept) = [a, b].into_iter().find(|&r| live.of(r).kept) {
        return Direction::Never(Blocker::Kept(kept));
    }
    if live.of(a).region != live.of(b).region {
        return Direction::Never(Blocker::Region);
    }
    if live.of(a).host {
        return Direction::Never(Blocker::Output);
    }
    if live.wholly_before(a, b) {
        return Direction::Holds;
    }
    let mut edges = Vec::new();
    for &user in &live.of(a).last {
        for &start in &live.of(b).first {
            if user == start || order.precedes(start, user) {
                return Direction::Never(Blocker::Reversed { user, start });
            }
            if !order.precedes(user, start) {
                edges.push((user, start));
            }
        }
    }
    Direction::With(edges)
}

/// What the dependencies say of `a` and `b`, in both directions. Of two conditions the one with
/// fewer edges is named.
pub fn eligibility(
    model: &Model,
    order: &Precedence,
    live: &Frontiers,
    a: ResourceId,
    b: ResourceId,
) -> Eligibility {
    let (forward, backward) = (direction(order, live, a, b), direction(order, live, b, a));
    if forward == Direction::Holds {
        return Eligibility::Unconditional { first: a };
    }
    if backward == Direction::Holds {
        return Eligibility::Unconditional { first: b };
    }
    for (first, then) in [(a, b), (b, a)] {
        if let Some(task) = in_place::task(model, live, first, then) {
            return Eligibility::InPlace { first, task };
        }
    }
    match (forward, backward) {
        (Direction::With(f), Direction::With(b_edges)) if b_edges.len() < f.len() => {
            Eligibility::Conditioned {
                first: b,
                edges: b_edges,
            }
        }
        (Direction::With(edges), _) => Eligibility::Conditioned { first: a, edges },
        (_, Direction::With(edges)) => Eligibility::Conditioned { first: b, edges },
        (Direction::Never(forward), Direction::Never(backward)) => {
            Eligibility::Refused { forward, backward }
        }
        // `Holds` has returned above.
        _ => Eligibility::Unconditional { first: a },
    }
}
