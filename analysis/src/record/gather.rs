//! Gathers the record from what the phases decided.

use std::collections::{BTreeMap, BTreeSet};

use super::{Alias, Candidate, Candidates, Record, ResourceRecord};
use crate::alias::{Demands, eligibility};
use crate::frontier::Frontiers;
use crate::layout::{Layout, sizes};
use crate::model::{Model, ResourceId, TaskId};
use crate::order::Precedence;
use crate::plan::Slot;
use crate::schedule::Schedule;

/// Pairs of equal size that are listed, and that are looked at.
const LISTED: usize = 32;
const EXAMINED: usize = 2048;

impl Record {
    /// The record of a plan.
    pub(crate) fn new(
        model: &Model,
        order: &Precedence,
        live: &Frontiers,
        demands: &Demands,
        layout: Layout,
        schedule: Schedule,
    ) -> Self {
        let resources = model.resources.iter().enumerate().map(|(r, of)| {
            let shape = of.shape.iter();
            ResourceRecord {
                name: of.name.clone(),
                class: of.class,
                elem: of.elem,
                domain: model
                    .domains
                    .get(usize::from(of.domain))
                    .filter(|_| of.domain > 0)
                    .cloned(),
                shape: shape.map(|e| e.display(&model.dims).to_string()).collect(),
                payload: sizes::payload(model, of),
                frontier: live.of(ResourceId(r as u32)).clone(),
                slot: layout.slots[r],
                stable: model.stable.contains(&ResourceId(r as u32)),
            }
        });
        let mut dependencies = Vec::new();
        for &t in order.sequence() {
            let before = order.before(TaskId(t)).iter();
            dependencies.extend(before.map(|&b| (TaskId(b), TaskId(t))));
        }
        Self {
            graph: model.name.clone(),
            dims: model.dims.clone(),
            tasks: model.tasks.iter().map(|t| t.name.clone()).collect(),
            sequence: order.sequence().to_vec(),
            stream_of: schedule.stream_of,
            declared: model.declared.clone(),
            resources: resources.collect(),
            workspaces: model.workspaces.clone(),
            dependencies,
            aliases: aliases(order, live, demands, &layout),
            candidates: candidates(model, order, live, demands, &layout.slots),
            left: layout.left,
            stream_order: schedule.stream_order,
            streams: schedule.streams,
            events: schedule.events,
            waits: schedule.waits,
            saved: schedule.saved,
            arena: layout.arena,
            store: layout.store,
            pinned: layout.pinned,
            ring: model.depth.max(1),
            budget: model.budget.as_ref().map(|b| b.bytes),
            bound: layout.bound,
            swept: layout.swept,
            padding: layout.padding,
        }
    }
}

/// Each occupant of storage with the next, in the order in which they live.
fn aliases(order: &Precedence, live: &Frontiers, demands: &Demands, layout: &Layout) -> Vec<Alias> {
    let start = |r: usize| {
        let first = live.of(ResourceId(r as u32)).first.first();
        first.map_or(u32::MAX, |&t| order.position(t))
    };
    let mut sequence: Vec<usize> = (0..layout.slots.len()).collect();
    sequence.sort_by_key(|&r| (start(r), r));
    let merged: BTreeMap<_, _> = layout
        .merges
        .iter()
        .map(|m| ((m.operand, m.result), m.task))
        .collect();
    let mut groups = BTreeMap::new();
    for (g, members) in demands.groups.iter().enumerate() {
        groups.extend(members.iter().map(|&r| (r, g)));
    }
    // Per occupied range, from its offset: its end and who was there last.
    let mut occupied: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
    let mut found = Vec::new();
    for r in sequence {
        let (from, to) = range(layout.slots[r]);
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
        for e in earlier {
            let (earlier, later) = (ResourceId(e as u32), ResourceId(r as u32));
            let (a, b) = (groups.get(&earlier), groups.get(&later));
            found.push(Alias {
                earlier,
                later,
                in_place: merged.get(&(earlier, later)).copied(),
                demanded: a.is_some() && a == b,
            });
        }
    }
    found
}

fn range(slot: Slot) -> (u64, u64) {
    (slot.offset, slot.offset.saturating_add(slot.bytes))
}

/// Pairs of equal size that do not share storage, in order of declaration.
fn candidates(
    model: &Model,
    order: &Precedence,
    live: &Frontiers,
    demands: &Demands,
    slots: &[Slot],
) -> Candidates {
    let mut alike: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (r, slot) in slots.iter().enumerate().filter(|(_, s)| s.bytes > 0) {
        alike.entry(slot.bytes).or_default().push(r);
    }
    let count = |n: &Vec<usize>| n.len() as u64 * (n.len() as u64 - 1) / 2;
    let mut found = Candidates {
        total: alike.values().map(count).sum(),
        ..Candidates::default()
    };
    // Position of each resource among those of its size.
    let mut next: BTreeMap<u64, usize> = BTreeMap::new();
    for (r, slot) in slots.iter().enumerate().filter(|(_, s)| s.bytes > 0) {
        let at = next.entry(slot.bytes).or_default();
        *at += 1;
        for &other in &alike[&slot.bytes][*at..] {
            if found.examined == EXAMINED {
                return found;
            }
            found.examined += 1;
            let (x, y) = (range(*slot), range(slots[other]));
            if x.0.max(y.0) < x.1.min(y.1) {
                continue;
            }
            if found.listed.len() == LISTED {
                found.unlisted += 1;
                continue;
            }
            let (a, b) = (ResourceId(r as u32), ResourceId(other as u32));
            found.listed.push(Candidate {
                a,
                b,
                eligibility: eligibility(model, order, live, a, b),
                separate: demands.apart(a, b),
            });
        }
    }
    found
}
