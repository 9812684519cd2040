//! Who takes storage after whom in a plan, and on what that rests.

use std::collections::BTreeMap;

use super::{Edge, Ground, Realised};
use crate::layout::occupants;
use crate::model::{ResourceId, TaskId};

/// Two resources of which the one is in some byte right after the other.
pub struct Handover {
    /// Who is there first.
    pub earlier: ResourceId,
    /// Who comes next.
    pub later: ResourceId,
    /// The task that updates the one into the other in place, if one does.
    pub in_place: Option<TaskId>,
    /// What the dependencies alone lack to prove that it holds.
    pub lacking: Vec<Edge>,
}

impl Realised {
    /// Each occupant of storage with the next, in the order in which they live.
    pub fn handovers(&self, ground: &Ground) -> Vec<Handover> {
        let merges = &self.ranges.groups.taken;
        let merged = merges.iter().map(|m| ((m.operand, m.result), m.task));
        let merged: BTreeMap<_, _> = merged.collect();
        let pairs = occupants(&self.order, &self.live, &self.layout.slots, merges);
        let each = pairs.into_iter().map(|(earlier, later)| {
            let in_place = merged.get(&(earlier, later)).copied();
            Handover {
                earlier,
                later,
                in_place,
                lacking: ground.lacking(earlier, later, in_place),
            }
        });
        each.collect()
    }
}
