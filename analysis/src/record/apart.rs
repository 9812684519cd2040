//! Pairs that could gain from sharing storage and do not, with what keeps them apart.

use std::collections::{BTreeMap, BTreeSet};

use super::{Candidate, Candidates, Planned};
use crate::alias::{
    Blocker, Demands, Direction, Eligibility, Merge, conditions, direction, eligibility, withheld,
};
use crate::frontier::Frontiers;
use crate::layout::Slot;
use crate::model::{Class, Mode, Model, ResourceId};
use crate::order::Precedence;

/// Pairs that are listed, and that are looked at.
const LISTED: usize = 32;
const EXAMINED: usize = 2048;

fn range(slot: Slot) -> (u64, u64) {
    (slot.offset, slot.offset.saturating_add(slot.bytes))
}

/// Pairs of one size and range that do not share storage, in order of declaration: what the bare
/// dependencies say of them, and the plan beside these.
pub(super) fn candidates(
    model: &Model,
    [bare, plan]: [(&Precedence, &Frontiers); 2],
    demands: &Demands,
    merges: &[Merge],
    slots: &[Slot],
) -> Candidates {
    let (order, live) = bare;
    let key = |r: usize| {
        let of = &model.resources[r];
        let shares = slots[r].bytes > 0 && !of.class.persists();
        shares.then_some((slots[r].bytes, of.class == Class::Staging))
    };
    let mut alike: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for r in 0..slots.len() {
        if let Some(key) = key(r) {
            alike.entry(key).or_default().push(r);
        }
    }
    let apart = alike.iter().map(|(key, all)| apart(slots, all, key.0));
    let mut found = Candidates {
        total: apart.sum(),
        ..Candidates::default()
    };
    let ends = all_ends(slots.len(), merges);
    // Position of each resource among those of its size.
    let mut next: BTreeMap<_, usize> = BTreeMap::new();
    let mut examined = 0;
    for r in 0..slots.len() {
        let Some(key) = key(r) else {
            continue;
        };
        let at = next.entry(key).or_default();
        *at += 1;
        for &other in &alike[&key][*at..] {
            if examined == EXAMINED || found.listed.len() == LISTED {
                return found;
            }
            examined += 1;
            let (x, y) = (range(slots[r]), range(slots[other]));
            if x.0.max(y.0) < x.1.min(y.1) {
                continue;
            }
            let (a, b) = (ResourceId(r as u32), ResourceId(other as u32));
            let alone = eligibility(model, order, live, a, b);
            let whole = matches!(
                alone,
                Eligibility::Unconditional { .. } | Eligibility::Conditioned { .. }
            );
            let own = [a, b].map(|r| if whole { ends[r.0 as usize] } else { [r; 2] });
            let ranges = own.map(|[x, y]| (x != y).then_some([x, y]));
            let of = |(order, live): (&Precedence, &Frontiers)| match ranges {
                [None, None] => eligibility(model, order, live, a, b),
                _ => ranged(order, live, [a, b], own),
            };
            let (eligibility, planned) = (of(bare), of(plan));
            let planned = match (&eligibility, planned) {
                (Eligibility::Conditioned { .. }, Eligibility::Unconditional { .. }) => {
                    Planned::Ordered
                }
                (Eligibility::Conditioned { .. }, Eligibility::Refused { .. }) => Planned::Opposed,
                _ => Planned::Open,
            };
            let barred = match eligibility {
                Eligibility::Conditioned { .. } => barred(model, order, live, demands, a, b),
                _ => None,
            };
            let update = match eligibility {
                Eligibility::Refused { .. } if !whole => conditions(model, order, live, a, b)
                    .or_else(|| conditions(model, order, live, b, a)),
                _ => None,
            };
            let withheld = match eligibility {
                Eligibility::Refused { .. } if update.is_none() => {
                    withheld(model, order, live, a, b)
                        .or_else(|| withheld(model, order, live, b, a))
                }
                _ => None,
            };
            let does = match eligibility {
                Eligibility::Refused { forward, backward } => {
                    let [[a, over], [b, end]] = own;
                    [does(model, forward, over, b), does(model, backward, end, a)]
                }
                _ => Default::default(),
            };
            found.listed.push(Candidate {
                a,
                b,
                does,
                ranges,
                update,
                withheld,
                eligibility,
                planned,
                separate: demands.apart(a, b),
                barred,
            });
        }
    }
    found
}

/// Of each resource the first and the last of what is one range with it in place.
fn all_ends(resources: usize, merges: &[Merge]) -> Vec<[ResourceId; 2]> {
    let mut becomes = BTreeMap::new();
    for m in merges {
        becomes.entry(m.operand).or_insert(m.result);
    }
    let results: BTreeSet<ResourceId> = becomes.values().copied().collect();
    let all = (0..resources as u32).map(ResourceId);
    let mut ends: Vec<_> = all.clone().map(|r| [r; 2]).collect();
    // No update comes before itself, so that each chain begins somewhere.
    for first in all.filter(|r| !results.contains(r)) {
        let chain = || std::iter::successors(Some(first), |r| becomes.get(r).copied());
        let last = chain().last().unwrap_or(first);
        chain().for_each(|r| ends[r.0 as usize] = [first, last]);
    }
    ends
}

/// What dependencies say of two ranges, each from the first to the last of its `ends`, in the names of
/// the `pair` that is in them.
fn ranged(
    order: &Precedence,
    live: &Frontiers,
    [a, b]: [ResourceId; 2],
    [[x, over], [y, end]]: [[ResourceId; 2]; 2],
) -> Eligibility {
    let ways = [
        direction(order, live, over, y),
        direction(order, live, end, x),
    ];
    match ways {
        [Direction::Holds, _] => Eligibility::Unconditional { first: a },
        [_, Direction::Holds] => Eligibility::Unconditional { first: b },
        [Direction::With(f), Direction::With(edges)] if edges.len() < f.len() => {
            Eligibility::Conditioned { first: b, edges }
        }
        [Direction::With(edges), _] => Eligibility::Conditioned { first: a, edges },
        [_, Direction::With(edges)] => Eligibility::Conditioned { first: b, edges },
        [Direction::Never(forward), Direction::Never(backward)] => {
            Eligibility::Refused { forward, backward }
        }
    }
}

/// What the tasks of `blocker` do to the two resources.
fn does(
    model: &Model,
    blocker: Blocker,
    earlier: ResourceId,
    later: ResourceId,
) -> [&'static str; 2] {
    let Blocker::Reversed { user, start } = blocker else {
        return Default::default();
    };
    [(user, earlier), (start, later)].map(|(task, resource)| {
        let accesses = model.tasks[task.0 as usize].accesses.iter();
        let modes: Vec<Mode> = accesses
            .filter(|a| a.resource == resource)
            .map(|a| a.mode)
            .collect();
        match () {
            () if modes.contains(&Mode::ReadWrite) => "updates",
            () if modes.contains(&Mode::Overwrite) => "writes",
            () => "reads",
        }
    })
}

/// How many pairs of `members`, each of so many bytes, have no byte in common.
fn apart(slots: &[Slot], members: &[usize], bytes: u64) -> u64 {
    let mut offsets: Vec<u64> = members.iter().map(|&r| slots[r].offset).collect();
    offsets.sort_unstable();
    let (mut pairs, mut end) = (0, 0);
    for (i, offset) in offsets.iter().enumerate() {
        end = end.max(i);
        while end < offsets.len() && offsets[end] - offset < bytes {
            end += 1;
        }
        pairs += (offsets.len() - end) as u64;
    }
    pairs
}

/// Of the pairs that would come to share storage if `a` and `b` did, one that cannot.
fn barred(
    model: &Model,
    order: &Precedence,
    live: &Frontiers,
    demands: &Demands,
    a: ResourceId,
    b: ResourceId,
) -> Option<(ResourceId, ResourceId)> {
    let group = |r: ResourceId| {
        let found = demands.groups.iter().find(|members| members.contains(&r));
        found.cloned().unwrap_or_else(|| vec![r])
    };
    let (x, y) = (group(a), group(b));
    let pairs = x.iter().flat_map(|&p| y.iter().map(move |&q| (p, q)));
    let mut others = pairs.filter(|pair| *pair != (a, b));
    others.find(|&(p, q)| {
        let found = eligibility(model, order, live, p, q);
        demands.apart(p, q) || matches!(found, Eligibility::Refused { .. })
    })
}
