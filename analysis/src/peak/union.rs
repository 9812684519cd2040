//! The union of some sets that weighs least (minimum k-union), which is NP-hard to find.
//!
//! Branch and bound takes the heaviest set that is open, or leaves it, the node with the least bound
//! first. A bound of what further sets add is had by dividing each item's bytes among the open sets
//! that have it: the union weighs no less than the shares of its sets, so no less than as many of
//! the least shares. Sets that weigh little get the larger shares, so that all are about equal: this
//! comes near the optimum of the linear program, in a few rounds.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cut::Steps;

/// How often shares are divided anew for one bound.
const ROUNDS: usize = 3;

/// Steps for a node besides: it takes memory, too.
const NODE: usize = 500;

/// Sets of weights, of which some are taken.
pub(super) struct Unions {
    /// What is live whatever is taken.
    always: u64,
    /// Of each element what it weighs.
    weight: Vec<u64>,
    /// Sets of elements, the least first, and what each gives back.
    sets: Vec<(Vec<u64>, u64)>,
}

/// Sets that are taken, and a bound of what is live with as many of the first `open` as are missing.
struct Node {
    taken: usize,
    open: usize,
    covered: Vec<u64>,
    /// What is covered, less what is given back.
    sum: i128,
}

impl Unions {
    /// Of elements with weights, sets as bits, each with what it gives back.
    pub fn new(always: u64, weight: Vec<u64>, mut sets: Vec<(Vec<u64>, u64)>) -> Self {
        sets.sort_by_key(|(set, back)| {
            let mut sum = 0;
            each(set, &vec![0; set.len()], |x| sum += weight[x]);
            (sum, *back)
        });
        Self {
            always,
            weight,
            sets,
        }
    }

    /// What is live with `r` sets that are taken one after the other, each as cheap as can be.
    pub fn greedy(&self, r: usize) -> u64 {
        let mut node = self.root();
        let mut free: Vec<usize> = (0..self.sets.len()).collect();
        for _ in 0..r {
            let cost = |s: &usize| self.adds(&node, *s);
            let Some(at) = (0..free.len()).min_by_key(|&at| (cost(&free[at]), free[at])) else {
                break;
            };
            let set = free.swap_remove(at);
            node = self.take(&node, set);
        }
        u64::try_from(node.sum).unwrap_or(0)
    }

    fn root(&self) -> Node {
        Node {
            taken: 0,
            open: self.sets.len(),
            covered: vec![0; self.weight.len().div_ceil(64)],
            sum: i128::from(self.always),
        }
    }

    fn adds(&self, node: &Node, set: usize) -> i128 {
        let (set, back) = &self.sets[set];
        let mut more = 0;
        each(set, &node.covered, |x| more += self.weight[x]);
        i128::from(more) - i128::from(*back)
    }

    fn take(&self, node: &Node, set: usize) -> Node {
        let mut covered = node.covered.clone();
        for (covered, set) in covered.iter_mut().zip(&self.sets[set].0) {
            *covered |= set;
        }
        Node {
            taken: node.taken + 1,
            open: node.open.min(set),
            covered,
            sum: node.sum + self.adds(node, set),
        }
    }

    /// A bound of what is live with `r` sets; exact, or below `high` when the steps ran out.
    pub fn search(&self, r: usize, high: u64, steps: &mut Steps) -> u64 {
        let mut nodes = vec![Some(self.root())];
        let mut heap = BinaryHeap::from([(Reverse(0i128), 0usize)]);
        while let Some((Reverse(bound), at)) = heap.pop() {
            let known = u64::try_from(bound).unwrap_or(0);
            let Some(node) = nodes[at].take() else {
                continue;
            };
            if known >= high || node.taken == r {
                return known;
            }
            let set = node.open - 1;
            let with = self.take(&node, set);
            let without = Node { open: set, ..node };
            for node in [with, without] {
                if node.taken + node.open < r {
                    continue;
                }
                let Some(own) = self.bound(&node, r - node.taken, steps) else {
                    return known;
                };
                heap.push((Reverse(own.max(bound)), nodes.len()));
                nodes.push(Some(node));
            }
        }
        high
    }

    /// What is live at least with `more` of the sets that are open.
    fn bound(&self, node: &Node, more: usize, steps: &mut Steps) -> Option<i128> {
        if more == 0 {
            return Some(node.sum);
        }
        let sets = &self.sets[..node.open];
        let mut looked = NODE;
        let fresh: Vec<u64> = sets
            .iter()
            .map(|(set, _)| {
                let mut sum = 0;
                each(set, &node.covered, |x| {
                    looked += ROUNDS + 1;
                    sum += self.weight[x];
                });
                sum
            })
            .collect();
        if !steps.take(looked) {
            return None;
        }
        let least = fresh.iter().copied().filter(|f| *f > 0).min().unwrap_or(1);
        let part = |f: &u64| ((least << 16) / (*f).max(1)).clamp(1, 1 << 20);
        let mut parts: Vec<u64> = fresh.iter().map(part).collect();
        let mut best = i64::MIN;
        for _ in 0..ROUNDS {
            let shares = self.shares(node, &parts);
            let mut sorted = shares.clone();
            let (least, last, _) = sorted.select_nth_unstable(more - 1);
            let last = *last;
            best = best.max(least.iter().sum::<i64>() + last);
            // Those with less than the last that counts get more the next time, and the other way.
            for ((part, share), (_, back)) in parts.iter_mut().zip(shares).zip(sets) {
                let back = *back as i64;
                let (has, wanted) = ((share + back).max(1) as u128, (last + back).max(1) as u128);
                let factor = ((wanted << 8) / has).clamp(64, 1024) as u64;
                *part = ((*part * factor) >> 8).clamp(1, 1 << 20);
            }
        }
        Some(node.sum + i128::from(best))
    }

    /// What each open set has if each item is divided in these parts, less what it gives back.
    fn shares(&self, node: &Node, parts: &[u64]) -> Vec<i64> {
        let sets = &self.sets[..node.open];
        let mut rate = vec![0u64; self.weight.len()];
        for ((set, _), &part) in sets.iter().zip(parts) {
            each(set, &node.covered, |x| rate[x] += part);
        }
        for (rate, weight) in rate.iter_mut().zip(&self.weight) {
            *rate = (weight << 16) / (*rate).max(1);
        }
        let share = |((set, back), &part): (&(Vec<u64>, u64), &u64)| {
            let mut sum = 0;
            each(set, &node.covered, |x| sum += (rate[x] * part) >> 16);
            sum as i64 - *back as i64
        };
        sets.iter().zip(parts).map(share).collect()
    }
}

/// Calls `see` with what is in a set and not covered.
fn each(set: &[u64], covered: &[u64], mut see: impl FnMut(usize)) {
    for (at, (set, covered)) in set.iter().zip(covered).enumerate() {
        let mut rest = set & !covered;
        while rest != 0 {
            see(at * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cut::Steps;
    use super::Unions;
    use crate::place::rng::Rng;

    #[test]
    fn the_search_finds_the_lightest_union() {
        let mut rng = Rng::new(8);
        for round in 0..300 {
            let (items, sets) = (1 + rng.below(12), 2 + rng.below(7));
            let weight = (0..items).map(|_| 1 + rng.below(20) as u64).collect();
            let mut set = || (vec![rng.next() & ((1 << items) - 1)], rng.below(10) as u64);
            let all = (0..sets).map(|_| set()).collect();
            let unions = Unions::new(7, weight, all);
            let r = 1 + rng.below(sets);
            let of = |chosen: u32| {
                let mut node = unions.root();
                for set in (0..sets).filter(|s| chosen >> s & 1 != 0) {
                    node = unions.take(&node, set);
                }
                u64::try_from(node.sum).unwrap_or(0)
            };
            let all = (0..1u32 << sets).filter(|c| c.count_ones() as usize == r);
            let least = all.map(of).min().unwrap();
            let found = unions.search(r, u64::MAX, &mut Steps(u64::MAX));
            assert_eq!(found, least, "round {round}");
        }
    }
}
