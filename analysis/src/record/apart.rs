//! Pairs that could gain from sharing storage and do not, with what keeps them apart.

use std::collections::BTreeMap;

use super::{Candidate, Candidates, Planned};
use crate::alias::{Blocker, Demands, Eligibility, conditions, eligibility};
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
            let eligibility = eligibility(model, order, live, a, b);
            let planned = match (
                &eligibility,
                crate::alias::eligibility(model, plan.0, plan.1, a, b),
            ) {
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
                Eligibility::Refused { .. } => conditions(model, order, live, a, b)
                    .or_else(|| conditions(model, order, live, b, a)),
                _ => None,
            };
            let does = match eligibility {
                Eligibility::Refused { forward, backward } => {
                    [does(model, forward, a, b), does(model, backward, b, a)]
                }
                _ => Default::default(),
            };
            found.listed.push(Candidate {
                a,
                b,
                does,
                update,
                eligibility,
                planned,
                separate: demands.apart(a, b),
                barred,
            });
        }
    }
    found
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
