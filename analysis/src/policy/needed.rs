//! The edges that storage needs, among those that were added to look for a layout.
//!
//! An edge earns its place where some byte changes hands by it. That is decided when everything lies
//! somewhere: of an edge between two resources that came to lie side by side nothing is left.
//!
//! Between two that share a byte, the edges to all first tasks of the later one count, those to tasks
//! that write other rows of it, too. The verifier, which cuts resources into pieces, would do with less;
//! but a live range begins with the first task and not with a row: peaks, records and what an allocator
//! is told rest on that, and in an execution without such an edge more could be live by it than the
//! arena holds.

use super::{Edge, Ground, Realised};
use crate::model::TaskId;
use crate::order::Precedence;
use crate::order::bits::each_bit;

/// Sets of edges that are tried for one that is smaller than what dropping one after the other leaves.
const TRIED: usize = 2_000;

/// The pairs of tasks whose order the storage of `plan` rests on, and that the dependencies alone do
/// not order, each once: the last users of each occupant of a byte, and the first ones of the next.
pub(super) fn handed_over(ground: &Ground, plan: &Realised) -> Vec<Edge> {
    let mut pairs = Vec::new();
    // In-place updates rest on their conditions wherever they lie.
    for m in &plan.ranges.groups.taken {
        pairs.extend(ground.lacking(m.operand, m.result, Some(m.task)));
    }
    let others = plan.handovers(ground).into_iter();
    let others = others.filter(|handover| handover.in_place.is_none());
    pairs.extend(others.flat_map(|handover| handover.lacking));
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Of `edges`, as few as are found that order beside `order` each of `pairs` that all of them order.
/// Without any one of them, one of `pairs` is not ordered; and no smaller set does where few sets are
/// left to be tried.
pub(super) fn fewest(order: &Precedence, edges: &[Edge], pairs: &[Edge]) -> Vec<Edge> {
    let more: Vec<Edge> = edges
        .iter()
        .copied()
        .filter(|&(a, b)| !order.precedes(a, b))
        .collect();
    let cover = Cover::new(order, &more, pairs);
    let mut kept = cover.every();
    let alone = |at: &usize| {
        let mut others = cover.every();
        others[at / 64] &= !(1 << (at % 64));
        !cover.holds(&others)
    };
    let needed = set(more.len(), (0..more.len()).filter(alone));
    // Later ones were added for the sake of smaller resources.
    for at in (0..more.len()).rev() {
        let (word, bit) = (at / 64, 1 << (at % 64));
        if needed[word] & bit == 0 {
            kept[word] &= !bit;
            if !cover.holds(&kept) {
                kept[word] |= bit;
            }
        }
    }
    let kept = cover.smaller(&needed, &kept).unwrap_or(kept);
    let mut found = Vec::new();
    each_bit(&kept, |at| found.push(more[at]));
    found
}

/// Edges as bits.
type Set = Vec<u64>;

fn set(bits: usize, of: impl Iterator<Item = usize>) -> Set {
    let mut set = vec![0; bits.div_ceil(64)];
    of.for_each(|at| set[at / 64] |= 1 << (at % 64));
    set
}

fn within(a: &Set, b: &Set) -> bool {
    a.iter().zip(b).all(|(a, b)| a & !b == 0)
}

/// Which edges order which pairs.
struct Cover {
    edges: usize,
    /// For each edge those that can come next on a path.
    next: Vec<Set>,
    /// For each pair the edges that a path can begin with, and those that it can end with; without
    /// pairs that are ordered wherever another one is.
    pairs: Vec<(Set, Set)>,
}

impl Cover {
    fn new(order: &Precedence, edges: &[Edge], pairs: &[Edge]) -> Self {
        let by = |a: TaskId, b: TaskId| a == b || order.precedes(a, b);
        let all = 0..edges.len();
        let next = edges.iter().map(|e| {
            let behind = |&f: &usize| by(e.1, edges[f].0);
            set(edges.len(), all.clone().filter(behind))
        });
        let mut cover = Self {
            edges: edges.len(),
            next: next.collect(),
            pairs: Vec::new(),
        };
        let open = pairs.iter().filter(|(a, b)| !order.precedes(*a, *b));
        let ends = open.map(|&(a, b)| {
            let first = all.clone().filter(|&e| by(a, edges[e].0));
            let last = all.clone().filter(|&e| by(edges[e].1, b));
            (set(edges.len(), first), set(edges.len(), last))
        });
        let mut ends: Vec<(Set, Set)> = ends.collect();
        ends.sort_unstable();
        ends.dedup();
        let every = cover.every();
        ends.retain(|pair| cover.reaches(pair, &every));
        let implied = |pair: &&(Set, Set)| {
            let by = |of: &(Set, Set)| within(&of.0, &pair.0) && within(&of.1, &pair.1);
            // Equal ones are gone, so no two imply each other.
            ends.iter().any(|of| of != *pair && by(of))
        };
        let own = ends.iter().filter(|pair| !implied(pair));
        cover.pairs = own.cloned().collect();
        cover
    }

    fn every(&self) -> Set {
        set(self.edges, 0..self.edges)
    }

    fn reaches(&self, (first, last): &(Set, Set), kept: &Set) -> bool {
        let mut seen: Set = first.iter().zip(kept).map(|(a, b)| a & b).collect();
        let mut at = seen.clone();
        loop {
            if at.iter().zip(last).any(|(a, b)| a & b != 0) {
                return true;
            }
            let mut further = vec![0; seen.len()];
            each_bit(&at, |edge| {
                let next = self.next[edge].iter().zip(kept);
                let found = further.iter_mut().zip(next);
                found.for_each(|(all, (next, kept))| *all |= next & kept);
            });
            at = further.iter().zip(&seen).map(|(f, s)| f & !s).collect();
            if at.iter().all(|word| *word == 0) {
                return false;
            }
            seen.iter_mut().zip(&at).for_each(|(s, a)| *s |= a);
        }
    }

    /// Whether the edges that are `kept` order all pairs.
    fn holds(&self, kept: &Set) -> bool {
        self.pairs.iter().all(|pair| self.reaches(pair, kept))
    }

    /// A set of edges with fewer than `found`, which contains all that are `needed`, as each must.
    fn smaller(&self, needed: &Set, found: &Set) -> Option<Set> {
        let count = |set: &Set| set.iter().map(|w| w.count_ones() as usize).sum::<usize>();
        let mut free = Vec::new();
        let left: Set = self
            .every()
            .iter()
            .zip(needed)
            .map(|(a, b)| a & !b)
            .collect();
        each_bit(&left, |edge| free.push(edge));
        let mut tried = 0;
        for more in 0..count(found) - count(needed) {
            // Numbers of the free edges that are taken, the first such set first.
            let mut taken: Vec<usize> = (0..more).collect();
            loop {
                tried += 1;
                if tried > TRIED {
                    return None;
                }
                let mut kept = needed.clone();
                for &at in &taken {
                    kept[free[at] / 64] |= 1 << (free[at] % 64);
                }
                if self.holds(&kept) {
                    return Some(kept);
                }
                // The next set of as many.
                let end = free.len() - more;
                let Some(at) = (0..more).rev().find(|&at| taken[at] < end + at) else {
                    break;
                };
                taken[at] += 1;
                for later in at + 1..more {
                    taken[later] = taken[later - 1] + 1;
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::rng::Rng;

    fn order(tasks: usize, edges: &[Edge]) -> Precedence {
        let none = Precedence::of(vec![Vec::new(); tasks]).ok();
        let order = none.and_then(|order| order.with(edges));
        order.expect("edges lead from lower numbers to higher ones")
    }

    fn edges(rng: &mut Rng, tasks: usize, count: usize) -> Vec<Edge> {
        let edge = |_| {
            let a = rng.below(tasks - 1);
            let b = a + 1 + rng.below(tasks - 1 - a);
            (TaskId(a as u32), TaskId(b as u32))
        };
        (0..count).map(edge).collect()
    }

    #[test]
    fn no_smaller_set_of_edges_orders_the_same_pairs() {
        let (mut rng, mut dropped, mut kept) = (Rng::new(1), 0, 0);
        for case in 0..2_000 {
            let own = edges(&mut rng, 8, 3);
            let mut added = edges(&mut rng, 8, 7);
            added.sort_unstable();
            added.dedup();
            let pairs = edges(&mut rng, 8, 4);
            let base = order(8, &own);
            let holds = |some: &[Edge]| {
                let full = base.with(&added).expect("no cycle");
                let with = base.with(some).expect("no cycle");
                let mut asked = pairs.iter().filter(|(a, b)| full.precedes(*a, *b));
                asked.all(|(a, b)| with.precedes(*a, *b))
            };
            let found = fewest(&base, &added, &pairs);
            assert!(holds(&found), "case {case}");
            let least = (0u32..1 << added.len()).filter(|set| {
                let some = (0..added.len()).filter(|at| set >> at & 1 == 1);
                holds(&some.map(|at| added[at]).collect::<Vec<_>>())
            });
            let least = least.map(u32::count_ones).min();
            assert_eq!(Some(found.len() as u32), least, "case {case}");
            dropped += added.len() - found.len();
            kept += found.len();
        }
        assert!(dropped > 2_000 && kept > 2_000, "{dropped} {kept}");
    }

    #[test]
    fn without_one_edge_of_many_a_pair_is_not_ordered() {
        let mut rng = Rng::new(2);
        for case in 0..20 {
            let base = order(150, &edges(&mut rng, 150, 60));
            let (added, pairs) = (edges(&mut rng, 150, 120), edges(&mut rng, 150, 90));
            let found = fewest(&base, &added, &pairs);
            let ordered = |some: &[Edge]| {
                let with = base.with(some).expect("no cycle");
                let count = pairs.iter().filter(|(a, b)| with.precedes(*a, *b));
                count.count()
            };
            assert_eq!(ordered(&found), ordered(&added), "case {case}");
            for at in 0..found.len() {
                let mut others = found.clone();
                others.remove(at);
                assert!(ordered(&others) < ordered(&found), "case {case}, edge {at}");
            }
        }
    }
}
