//! The heaviest set of resources that may be live together, and the edges that would part two of it.

use super::{Edge, Ground};
use crate::alias::{Direction, conditions, direction};
use crate::frontier::Frontiers;
use crate::layout::Part;
use crate::model::{Model, ResourceId, TaskId, TaskKind};
use crate::order::Precedence;

/// Live ranges that cannot overlap, any two of them.
pub(super) struct Clique {
    /// Bytes of all. No layout of one instance under these dependencies is smaller.
    pub weight: u64,
    /// The first and the last resource of each range, and its bytes, the largest first. Those of groups
    /// with several ranges are left out.
    pub members: Vec<(ResourceId, ResourceId, u64)>,
}

/// The one of the most bytes under `order`.
pub(super) fn clique(ground: &Ground, order: &Precedence, live: &Frontiers) -> Clique {
    let ranges = ground.ranges(order, live, &[]);
    let found: Vec<_> = ranges.arena().flat_map(Part::clique).collect();
    let single = found
        .iter()
        .filter(|range| ranges.groups.list[range.group].len() == 1);
    let ends = single.map(|range| {
        let chain = &range.chain;
        (chain[0], chain[chain.len() - 1], range.bytes)
    });
    let mut members: Vec<_> = ends.collect();
    members.sort_by_key(|&(first, _, bytes)| (std::cmp::Reverse(bytes), live.met(first)));
    Clique {
        weight: found
            .iter()
            .fold(0, |sum, range| sum.saturating_add(range.bytes)),
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

/// Every way to part the member `i` of `clique` and one that is listed before it, and so is as large.
pub(super) fn partings(
    model: &Model,
    order: &Precedence,
    live: &Frontiers,
    clique: &Clique,
    i: usize,
) -> Vec<Parting> {
    let g = &clique.members[i];
    let others = clique.members[..i].iter();
    let ways = others.flat_map(|h| [(g, h), (h, g)]);
    let found = ways.filter_map(|(from, to)| {
        let (earlier, later) = (from.1, to.0);
        let edges = match direction(order, live, earlier, later) {
            Direction::With(edges) => edges,
            _ => conditions(model, order, live, earlier, later)?.1,
        };
        let parts = !edges.is_empty() && edges.iter().all(|edge| admissible(model, *edge));
        parts.then_some(Parting {
            earlier,
            later,
            edges,
            saved: g.2,
        })
    });
    found.collect()
}

/// The caller's memory is read by uploads before `run` returns, so these wait for nothing; a hold is
/// no work that could wait.
fn admissible(model: &Model, (a, b): Edge) -> bool {
    let kind = |t: TaskId| &model.tasks[t.0 as usize].kind;
    let hold = |t: TaskId| matches!(kind(t), TaskKind::Hold { .. });
    !hold(a) && !hold(b) && !matches!(kind(b), TaskKind::Upload)
}
