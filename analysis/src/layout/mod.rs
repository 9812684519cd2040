//! Offsets in the arena over the partial order of tasks.
//!
//! Two resources overlap only if one is wholly before the other by dependencies alone, or if a task
//! updates one into the other. Streams and the order of issue prove nothing here, so a layout holds
//! for every schedule.

mod bound;
mod budget;
mod fit;
mod groups;
pub mod sizes;
mod sweep;

pub use bound::{Bound, bound};
pub use budget::check as check_budget;
pub use groups::{Group, Groups, Left, groups};

use crate::alias::{Demands, Merge};
use crate::frontier::Frontiers;
use crate::model::Model;
use crate::order::Precedence;
use crate::plan::Slot;

/// Sets of groups up to this size are compared in pairs; larger ones are swept once.
pub const PAIRWISE: usize = 2000;

/// Where everything lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// A slot for each resource.
    pub slots: Vec<Slot>,
    /// Bytes of one instance.
    pub arena: u64,
    /// Bytes of what outlives runs, behind the arena.
    pub store: u64,
    /// The lower bound.
    pub bound: Bound,
    /// Merges taken: operand and result lie in one slot.
    pub merges: Vec<Merge>,
    /// Legal merges that were left.
    pub left: Vec<Left>,
    /// Whether one pass was made (a large set) and not several.
    pub swept: bool,
}

/// Lays out `model` under demands that hold. Sets of more than `pairwise` groups are swept once;
/// [`PAIRWISE`] is the usual limit.
pub fn layout(
    model: &Model,
    order: &Precedence,
    live: &Frontiers,
    demands: &Demands,
    merges: &[Merge],
    pairwise: usize,
) -> Layout {
    let all = sizes::all(model);
    // What outlives runs takes nothing of the arena.
    let in_arena = all.iter().zip(&model.resources);
    let bytes: Vec<u64> = in_arena
        .map(|(&bytes, r)| if r.class.persists() { 0 } else { bytes })
        .collect();
    let bound = bound(model, order, live, &bytes, demands, merges);
    let mut groups = groups(&bytes, demands, merges, live);
    let apart = groups.apart(demands);
    let swept = groups.list.len() > pairwise;
    let (offsets, arena) = if swept {
        sweep::offsets(&groups.list, order, live, &apart)
    } else {
        fit::offsets(&groups.list, order, live, &apart, bound.bytes)
    };
    let mut slots = vec![
        Slot {
            offset: 0,
            bytes: 0
        };
        bytes.len()
    ];
    for (group, offset) in groups.list.iter().zip(offsets) {
        for member in group.members() {
            slots[member.0 as usize] = Slot {
                offset,
                bytes: bytes[member.0 as usize],
            };
        }
    }
    groups.taken.sort_by_key(|m| m.task);
    let store = store(model, &all, arena, &mut slots);
    Layout {
        slots,
        arena,
        store,
        bound,
        merges: groups.taken,
        left: groups.left,
        swept,
    }
}

/// Gives each resource that outlives runs a slot of its own behind the arena, in order of
/// declaration, so that no plan of another variant or version moves it. Returns the bytes of all.
fn store(model: &Model, bytes: &[u64], arena: u64, slots: &mut [Slot]) -> u64 {
    let mut end = arena;
    for (r, resource) in model.resources.iter().enumerate() {
        if resource.class.persists() {
            slots[r] = Slot {
                offset: end,
                bytes: bytes[r],
            };
            end = end.saturating_add(bytes[r]);
        }
    }
    end - arena
}
