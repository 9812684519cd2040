//! Gathers the record from what the phases decided.

use std::collections::{BTreeMap, BTreeSet};

use super::actions::actions;
use super::{
    Alias, Candidate, Candidates, Identity, OrderRecord, PeakRecord, Planned, Policy, Record,
    ResourceRecord,
};
use crate::alias::{Blocker, Demands, Eligibility, conditions, eligibility};
use crate::frontier::Frontiers;
use crate::layout::{Slot, sizes};
use crate::model::{Class, KernelKind, Mode, Model, ResourceId, TaskId, TaskKind};
use crate::order::Precedence;
use crate::policy::{Ground, Realised};

/// Pairs that are listed, and that are looked at.
const LISTED: usize = 32;
const EXAMINED: usize = 2048;

impl Record {
    /// The record of a plan.
    pub(crate) fn new(
        ground: &Ground,
        taken: Realised,
        policy: Policy,
        identity: Identity,
    ) -> Self {
        let Ground {
            model,
            order,
            live,
            demands,
            ..
        } = ground;
        let actions = actions(ground, &taken, &policy);
        let aliases = aliases(ground, &taken);
        let (layout, schedule, groups) = (taken.layout, taken.schedule, taken.ranges.groups);
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
        let peak = PeakRecord::new(model, &taken.order, &taken.live, &groups.taken, &layout);
        let mut dependencies = Vec::new();
        for &t in order.sequence() {
            let before = order.before(TaskId(t)).iter();
            dependencies.extend(before.map(|&b| (TaskId(b), TaskId(t))));
        }
        Self {
            graph: model.name.clone(),
            dims: model.declared_dims().cloned().collect(),
            tasks: model.tasks.iter().map(|t| t.name.clone()).collect(),
            kernels: model.tasks.iter().map(|t| kernel(&t.kind)).collect(),
            orders: orders(model),
            sequence: taken.order.sequence().to_vec(),
            stream_of: schedule.stream_of,
            declared: model.declared.clone(),
            resources: resources.collect(),
            workspaces: model.workspaces.clone(),
            dependencies,
            aliases,
            added: taken.added,
            policy,
            identity,
            actions,
            candidates: candidates(
                model,
                [(order, live), (&taken.order, &taken.live)],
                demands,
                &layout.slots,
            ),
            left: groups.left,
            stream_order: schedule.stream_order,
            awaited: schedule.awaited,
            streams: schedule.streams,
            events: schedule.events,
            waits: schedule.waits,
            saved: schedule.saved,
            arena: layout.arena,
            store: layout.store,
            pinned: layout.pinned,
            ring: model.depth.max(1),
            budget: model.budget.as_ref().map(|b| b.bytes),
            peak,
            bound: layout.bound,
            swept: layout.swept,
            padding: layout.padding,
        }
    }
}

fn kernel(kind: &TaskKind) -> Option<(String, KernelKind)> {
    match kind {
        TaskKind::Kernel(launch) => Some((launch.name.clone(), launch.kind)),
        _ => None,
    }
}

/// The demanded orders, each once.
fn orders(model: &Model) -> Vec<OrderRecord> {
    let demanded: BTreeSet<_> = model.orders.iter().map(|o| (o.before, o.after)).collect();
    let accesses = |t: TaskId| &model.tasks[t.0 as usize].accesses;
    let conflict = |before: TaskId, after: TaskId| {
        accesses(before).iter().any(|a| {
            accesses(after).iter().any(|b| {
                let reads = a.mode == Mode::Read && b.mode == Mode::Read;
                let extent = model.resources[a.resource.0 as usize].shape.first();
                let apart = |rows| a.rows.disjoint(&b.rows, rows, &model.dims);
                a.resource == b.resource && !reads && !extent.is_some_and(apart)
            })
        })
    };
    let orders = demanded.into_iter().map(|(before, after)| OrderRecord {
        before,
        after,
        alone: !conflict(before, after),
    });
    orders.collect()
}

/// Each occupant of storage with the next, in the order in which they live.
fn aliases(ground: &Ground, taken: &Realised) -> Vec<Alias> {
    let mut groups = BTreeMap::new();
    for (g, members) in ground.demands.groups.iter().enumerate() {
        groups.extend(members.iter().map(|&r| (r, g)));
    }
    let each = taken.handovers(ground).into_iter().map(|handover| {
        let (a, b) = (groups.get(&handover.earlier), groups.get(&handover.later));
        Alias {
            earlier: handover.earlier,
            later: handover.later,
            in_place: handover.in_place,
            condition: handover.lacking,
            demanded: a.is_some() && a == b,
        }
    });
    each.collect()
}

fn range(slot: Slot) -> (u64, u64) {
    (slot.offset, slot.offset.saturating_add(slot.bytes))
}

/// Pairs of one size and range that do not share storage, in order of declaration: what the bare
/// dependencies say of them, and the plan beside these.
fn candidates(
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
