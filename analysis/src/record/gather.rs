//! Gathers the record from what the phases decided.

use std::collections::{BTreeMap, BTreeSet};

use super::actions::actions;
use super::apart::candidates;
use super::{
    Alias, Identity, Issued, OrderRecord, PeakRecord, Policy, Record, ResourceRecord, Serialised,
};
use crate::layout::sizes;
use crate::model::{KernelKind, Mode, Model, ResourceId, TaskId, TaskKind};
use crate::policy::{Ground, Realised};

impl Record {
    /// The record of a plan.
    pub(crate) fn new(
        ground: &Ground,
        taken: Realised,
        mut policy: Policy,
        identity: Identity,
    ) -> Self {
        let Ground {
            model,
            order,
            live,
            demands,
            ..
        } = ground;
        let aliases = aliases(ground, &taken);
        let serialised = Serialised::new(model, order, &taken, &aliases);
        let actions = actions(ground, &taken, &policy, &aliases);
        let (mut layout, schedule, groups) = (taken.layout, taken.schedule, taken.ranges.groups);
        // As they are declared, like all that a record lists.
        layout
            .bound
            .parts
            .iter_mut()
            .for_each(|part| part.live.sort_unstable());
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
                payload: ground.payloads[r],
                frontier: live.of(ResourceId(r as u32)).clone(),
                slot: layout.slots[r],
                stable: model.stable.contains(&ResourceId(r as u32)),
            }
        });
        let (order_of, figures) = (&taken.order, &taken.figures);
        let merges = &groups.taken;
        let peak = PeakRecord::new(model, order_of, &taken.live, merges, &layout, figures);
        let [least, greatest, _] = peak.ends();
        policy.rivals[policy.plan].peaks = [least, greatest];
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
            issued: issued(ground, taken.order.sequence()),
            stream_of: schedule.stream_of,
            declared: model.declared.clone(),
            resources: resources.collect(),
            workspaces: model.workspaces.clone(),
            dependencies,
            aliases,
            serialised,
            added: taken.added,
            policy,
            identity,
            actions,
            candidates: candidates(
                model,
                [(order, live), (&taken.order, &taken.live)],
                demands,
                &groups.taken,
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
            reserved: layout.reserved,
            largest_at: sizes::at_largest(model, &ground.payloads),
        }
    }
}

fn kernel(kind: &TaskKind) -> Option<(String, KernelKind)> {
    match kind {
        TaskKind::Kernel(launch) => Some((launch.name.clone(), launch.kind)),
        _ => None,
    }
}

/// What `sequence` comes of.
fn issued(ground: &Ground, sequence: &[u32]) -> Issued {
    match () {
        () if sequence.is_sorted() => Issued::Stated,
        () if sequence == ground.order.sequence() && !ground.model.orders.is_empty() => {
            Issued::Demanded
        }
        () => Issued::Planned,
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
    // What is made again by demand comes as late as can be.
    let again = |pair: (TaskId, TaskId)| {
        let own = model.orders.iter().filter(|o| (o.before, o.after) == pair);
        let late = |site| model.again.iter().any(|again| again.at == site);
        own.map(|o| o.site).all(late)
    };
    let orders = demanded.into_iter().map(|(before, after)| OrderRecord {
        before,
        after,
        alone: !conflict(before, after),
        again: again((before, after)),
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
