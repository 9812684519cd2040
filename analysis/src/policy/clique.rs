//! The heaviest set of resources that may be live together, and the edges that would part two of it.

use super::realise::{Edge, Ground};
use crate::alias::{Direction, conditions, direction, merges};
use crate::antichain::heaviest;
use crate::frontier::Frontiers;
use crate::layout::{Group, groups, sizes};
use crate::model::{Model, ResourceId, TaskId, TaskKind};
use crate::order::Precedence;
use crate::order::bits::BitRows;

/// Groups of resources that share one place each, any two of which may be live together.
pub(super) struct Clique {
    /// Bytes of all. No layout of one instance under these dependencies is smaller, but for gaps in
    /// the life of resources that `alias` joins.
    pub weight: u64,
    /// The groups, heaviest first.
    pub members: Vec<Group>,
}

/// The heaviest one under `order`.
pub(super) fn clique(ground: &Ground<'_>, order_live: &Frontiers) -> Clique {
    let model = ground.model;
    let inside = |r: usize| {
        let of = &model.resources[r];
        !of.class.persists() && !of.region().staging
    };
    let bytes = sizes::all(model).into_iter().enumerate();
    let bytes: Vec<u64> = bytes.map(|(r, b)| if inside(r) { b } else { 0 }).collect();
    let merges = merges(model, order_live);
    let mut groups = groups(&bytes, ground.demands, &merges, order_live).list;
    groups.retain(|g| g.bytes > 0);
    let domain = |g: &Group| {
        g.members()
            .next()
            .map(|r| model.resources[r.0 as usize].domain)
    };
    let mut after = BitRows::new(groups.len(), groups.len());
    for (i, g) in groups.iter().enumerate() {
        for (j, h) in groups.iter().enumerate() {
            if i != j && domain(g) == domain(h) && g.before(h, order_live) {
                after.set(i, j);
            }
        }
    }
    let weights: Vec<u64> = groups.iter().map(|g| g.bytes).collect();
    let found = heaviest(&weights, &after);
    let members = found.members.iter().map(|&g| groups[g].clone());
    let mut members: Vec<Group> = members.collect();
    members.sort_by_key(|g| (std::cmp::Reverse(g.bytes), g.members().next()));
    Clique {
        weight: found.weight,
        members,
    }
}

/// Two resources of a clique that edges can part.
pub(super) struct Parting {
    /// Which would live first.
    pub earlier: ResourceId,
    /// Which would live next.
    pub later: ResourceId,
    /// What has to be added.
    pub edges: Vec<Edge>,
    /// Bytes of the smaller one.
    pub saved: u64,
}

/// Every way to part two of `clique`, those that save most first.
pub(super) fn partings(
    model: &Model,
    order: &Precedence,
    live: &Frontiers,
    clique: &Clique,
) -> Vec<Parting> {
    let single = |g: &Group| match &g.chains[..] {
        [chain] => Some((chain[0], chain[chain.len() - 1], g.bytes)),
        _ => None,
    };
    let members: Vec<_> = clique.members.iter().filter_map(single).collect();
    let mut found = Vec::new();
    for (i, g) in members.iter().enumerate() {
        for h in &members[..i] {
            for (from, to) in [(g, h), (h, g)] {
                let (earlier, later) = (from.1, to.0);
                let edges = match direction(order, live, earlier, later) {
                    Direction::With(edges) => edges,
                    _ => match conditions(model, order, live, earlier, later) {
                        Some((_, edges)) => edges,
                        None => continue,
                    },
                };
                if !edges.is_empty() && edges.iter().all(|edge| admissible(model, *edge)) {
                    let parting = Parting {
                        earlier,
                        later,
                        edges,
                        saved: g.2.min(h.2),
                    };
                    found.push(parting);
                }
            }
        }
    }
    found.sort_by_key(|p| {
        let largest = std::cmp::Reverse(p.saved);
        (largest, p.edges.len(), p.earlier, p.later)
    });
    found
}

/// The caller's memory is read by uploads before `run` returns, so these wait for nothing; a hold is
/// no work that could wait.
fn admissible(model: &Model, (a, b): Edge) -> bool {
    let kind = |t: TaskId| &model.tasks[t.0 as usize].kind;
    let hold = |t: TaskId| matches!(kind(t), TaskKind::Hold { .. });
    !hold(a) && !hold(b) && !matches!(kind(b), TaskKind::Upload)
}
