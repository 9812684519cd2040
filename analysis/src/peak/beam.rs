//! A good sequential execution: list scheduling with a beam.

use std::collections::BTreeMap;

use super::cut::Steps;
use super::set::Set;
use super::view::View;

/// A sequence of the tasks of `target`, from nothing, with the most that is live while one of them
/// runs. At each number of completed tasks the `width` sets go on that have had the least at once,
/// and then have the least now; a task that takes nothing more is always next.
pub(super) fn beam<const N: usize>(
    view: &View<'_, N>,
    target: &Set<N>,
    width: usize,
    steps: &mut Steps,
) -> Option<(u64, Vec<u32>)> {
    /// Where a set came from: the node before it and the task.
    struct Node {
        from: u32,
        task: u32,
    }
    let mut nodes = vec![Node { from: 0, task: 0 }];
    let floor = view.instance.floor();
    let mut here: Vec<(u64, u64, Set<N>, u32)> = vec![(floor, floor, Set::EMPTY, 0)];
    for _ in 0..target.count() {
        // By set: its peak, its level, its node before, the task.
        let mut next: BTreeMap<Set<N>, (u64, u64, u32, u32)> = BTreeMap::new();
        for (peak, level, done, node) in &here {
            let rest = target.minus(done);
            let ready = rest.iter().filter(|&t| view.ready(done, t));
            let mut moves: Vec<(u64, u64, u32)> = Vec::new();
            for t in ready {
                let (high, low) = view.step(done, *level, t);
                if !steps.take(4 + view.cost[t as usize]) {
                    return None;
                }
                if high <= *peak && low <= *level {
                    moves = vec![(high, low, t)];
                    break;
                }
                moves.push((high, low, t));
            }
            for (high, low, t) in moves {
                let new = ((*peak).max(high), low, *node, t);
                next.entry(done.with(t))
                    .and_modify(|old| *old = (*old).min(new))
                    .or_insert(new);
            }
        }
        let mut all: Vec<_> = next.into_iter().map(|(set, n)| (n, set)).collect();
        all.sort_unstable();
        all.truncate(width);
        here.clear();
        for ((peak, level, from, task), set) in all {
            here.push((peak, level, set, nodes.len() as u32));
            nodes.push(Node { from, task });
        }
    }
    let &(peak, _, _, mut node) = here.first()?;
    let mut way = Vec::new();
    while node != 0 {
        way.push(nodes[node as usize].task);
        node = nodes[node as usize].from;
    }
    way.reverse();
    Some((peak, way))
}
