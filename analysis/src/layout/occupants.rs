//! Who takes storage after whom.

use std::collections::{BTreeMap, BTreeSet};

use crate::alias::Merge;
use crate::frontier::Frontiers;
use crate::layout::Slot;
use crate::model::ResourceId;
use crate::order::Precedence;

/// Each occupant of a byte with the next, in the order in which they live, each pair once. Where each
/// of these is over before the next begins, or is what the next is made of in place, no two that
/// overlap are live together: what comes later on a byte is behind all that came before.
pub fn occupants(
    order: &Precedence,
    live: &Frontiers,
    slots: &[Slot],
    merges: &[Merge],
) -> Vec<(ResourceId, ResourceId)> {
    let start = |r: usize| {
        let first = live.of(ResourceId(r as u32)).first.first();
        first.map_or(u32::MAX, |&t| order.position(t))
    };
    let mut sequence: Vec<usize> = (0..slots.len()).collect();
    // One that is updated may live during that task alone: it comes before what it becomes.
    let results: BTreeSet<_> = merges.iter().map(|m| m.result.0 as usize).collect();
    sequence.sort_by_key(|&r| (start(r), results.contains(&r), r));
    // Per occupied range, from its offset: its end and who was there last.
    let mut occupied: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
    let mut found = Vec::new();
    for r in sequence {
        let from = slots[r].offset;
        let to = from.saturating_add(slots[r].bytes);
        if from == to {
            continue;
        }
        let below = occupied.range(..from).next_back();
        let first = below.filter(|(_, v)| v.0 > from).map_or(from, |(&o, _)| o);
        let hit: Vec<(u64, (u64, usize))> =
            occupied.range(first..to).map(|(&o, &v)| (o, v)).collect();
        let mut earlier = BTreeSet::new();
        for (offset, (end, who)) in hit {
            occupied.remove(&offset);
            if offset < from {
                occupied.insert(offset, (from, who));
            }
            if end > to {
                occupied.insert(to, (end, who));
            }
            earlier.insert(who);
        }
        occupied.insert(from, (to, r));
        let pairs = earlier.into_iter().map(|e| (e as u32, r as u32));
        found.extend(pairs.map(|(e, r)| (ResourceId(e), ResourceId(r))));
    }
    found
}
