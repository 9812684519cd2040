//! What is live when all but a few tasks of an antichain are completed, at least.
//!
//! Every execution comes by a moment at which exactly `r` tasks `R` of an antichain are left and the
//! others, `S`, are completed, with all before them; all behind `R` is left, too. Then each item is
//! live that has a user among the former and one among the latter: of each item, some of the
//! antichain would begin it, `a`, and some hold it, `b`, and it is live if `S` meets `a` and `R`
//! meets `b`. If `a` has more than `r` tasks, `S` does so; else it does unless `R` has one of them
//! that is picked. So at least the bytes of all items whose `b` meets `R` are live, less those that
//! are picked with a task of `R`: what is sought is the union of `r` sets that weighs least, which is
//! NP-hard to find (minimum k-union), and which branch and bound finds or bounds.
//!
//! A bound of what `r` further sets add is had by dividing each item's bytes among the sets that have
//! it: the union weighs no less than the shares of its sets. Sets that weigh little get the larger
//! shares, so that all shares are about equal, and the `r` least of them are added up.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::cut::Steps;
use super::set::Set;
use super::view::View;

/// Tasks that are left, as parts of the antichain: so many of 128.
const PARTS: [usize; 9] = [2, 4, 8, 12, 16, 20, 26, 34, 48];

/// Antichains with their number of tasks left that are searched at most.
const TRIED: usize = 4;

/// How often shares are divided anew for one bound.
const ROUNDS: usize = 3;

/// Items of more bytes are not multiplied here.
const MOST: u64 = 1 << 40;

/// A bound of the least peak, between `low` and `high`, which are known.
pub(super) fn left<const N: usize>(
    view: &View<'_, N>,
    low: u64,
    high: u64,
    steps: &mut Steps,
) -> u64 {
    if view.instance.total() > MOST {
        return low;
    }
    let mut all = Vec::new();
    for tasks in levels(view) {
        let mut last = 0;
        for part in PARTS {
            let r = (tasks.len() * part / 128).max(1);
            if r == last || r >= tasks.len() {
                continue;
            }
            last = r;
            if !steps.take(tasks.len() * view.instance.things.len() / 16) {
                return low;
            }
            let unions = Unions::new(view, &tasks, r);
            all.push((unions.greedy(r), unions, r));
        }
    }
    all.sort_by_key(|(greedy, unions, _)| (Reverse(*greedy), unions.first));
    let mut best = low;
    for (greedy, unions, r) in all.into_iter().take(TRIED) {
        // No more than that can come of it.
        if greedy <= best || best >= high {
            continue;
        }
        let found = steps.lend(steps.0 / 2, |own| unions.search(r, high, own));
        best = best.max(found.min(high));
    }
    best
}

/// Tasks by how many are before them at least, one behind the other.
fn levels<const N: usize>(view: &View<'_, N>) -> Vec<Vec<u32>> {
    let tasks = view.instance.tasks();
    let mut by_count: Vec<u32> = (0..tasks as u32).collect();
    by_count.sort_by_key(|&t| view.ancestors[t as usize].count());
    let mut level = vec![0; tasks];
    let mut all: Vec<Vec<u32>> = Vec::new();
    for t in by_count {
        let before = view.instance.before[t as usize].iter();
        let own = before.map(|&b| level[b as usize] + 1).max().unwrap_or(0);
        level[t as usize] = own;
        if own == all.len() {
            all.push(Vec::new());
        }
        all[own].push(t);
    }
    all.retain(|level| level.len() > 1);
    all.iter_mut().for_each(|level| level.sort_unstable());
    all
}

/// Sets of weights, of which some are taken.
struct Unions {
    /// What is live whatever is taken.
    always: u64,
    /// Of each element what it weighs.
    weight: Vec<u64>,
    /// Sets of elements, the least first, and what each gives back.
    sets: Vec<(Vec<u64>, u64)>,
    first: u32,
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
    fn new<const N: usize>(view: &View<'_, N>, tasks: &[u32], r: usize) -> Self {
        let instance = view.instance;
        let antichain = tasks.iter().fold(Set::EMPTY, |set: Set<N>, &t| set.with(t));
        // By the tasks that would hold them: what items weigh together.
        let mut items: BTreeMap<Set<N>, u64> = BTreeMap::new();
        let mut back: BTreeMap<u32, u64> = BTreeMap::new();
        let mut always = 0;
        for thing in &instance.things {
            let (mut begin, mut hold) = (Set::<N>::EMPTY, Set::<N>::EMPTY);
            for &u in &thing.users {
                let around = view.comparable[u as usize];
                let before = view.ancestors[u as usize];
                hold = hold.or(&before.with(u));
                begin = begin.or(&around.minus(&before).with(u));
            }
            let (begin, hold) = (begin.and(&antichain), hold.and(&antichain));
            let begun = thing.from_start || begin.count() > r;
            if thing.to_end && begun {
                always += thing.bytes;
                continue;
            }
            let hold = if thing.to_end { antichain } else { hold };
            if hold.is_empty() || !begun && begin.is_empty() {
                continue;
            }
            *items.entry(hold).or_default() += thing.bytes;
            if !begun && let Some(picked) = begin.iter().next() {
                *back.entry(picked).or_default() += thing.bytes;
            }
        }
        let weight: Vec<u64> = items.values().copied().collect();
        let mut sets: Vec<(Vec<u64>, u64)> = tasks
            .iter()
            .map(|t| {
                let mut set = vec![0u64; items.len().div_ceil(64)];
                for (at, _) in items.keys().enumerate().filter(|(_, hold)| hold.has(*t)) {
                    set[at / 64] |= 1 << (at % 64);
                }
                (set, back.get(t).copied().unwrap_or(0))
            })
            .collect();
        sets.sort_by_key(|(set, back)| {
            let mut sum = 0;
            each(set, &vec![0; set.len()], |x| sum += weight[x]);
            (sum, *back)
        });
        Self {
            always,
            weight,
            sets,
            first: tasks[0],
        }
    }

    /// What is live with `r` sets that are taken one after the other, each as cheap as can be.
    fn greedy(&self, r: usize) -> u64 {
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
    fn search(&self, r: usize, high: u64, steps: &mut Steps) -> u64 {
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
        let mut looked = node.open;
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
        let part = |f: &u64| ((least << 16) / (*f).max(1)).max(1);
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
    use super::super::random;
    use super::super::set::Set;
    use super::super::view::View;
    use super::{Unions, levels};
    use crate::place::rng::Rng;

    #[test]
    fn no_cut_that_leaves_so_many_has_less_live() {
        let mut rng = Rng::new(5);
        let (mut equal, mut all, mut short) = (0, 0, 0);
        for round in 0..200 {
            let tasks = 4 + rng.below(8);
            let instance = random::instance(&mut rng, tasks);
            let view = View::<1>::new(&instance);
            let sets = random::down_sets(&instance);
            for level in levels(&view) {
                for r in 1..level.len() {
                    let left =
                        |set: &&Vec<u32>| level.iter().filter(|t| !set.contains(t)).count() == r;
                    let lives = sets
                        .iter()
                        .filter(left)
                        .map(|set| view.level(&set.iter().fold(Set::EMPTY, |s, &t| s.with(t))));
                    let least = lives.min().unwrap_or(u64::MAX);
                    let unions = Unions::new(&view, &level, r);
                    let found = unions.search(r, u64::MAX, &mut Steps(u64::MAX));
                    assert!(
                        found <= least,
                        "round {round}: {level:?} {r}: {found} > {least}"
                    );
                    assert!(found <= unions.greedy(r), "round {round}");
                    let early = unions.search(r, u64::MAX, &mut Steps(60));
                    assert!(early <= found, "round {round}");
                    equal += usize::from(found == least);
                    short += usize::from(early < found);
                    all += 1;
                }
            }
        }
        assert!(6 * equal > all && short > 50, "{equal} of {all}, {short}");
    }

    #[test]
    fn the_search_finds_the_lightest_union() {
        let mut rng = Rng::new(8);
        for round in 0..300 {
            let (items, sets) = (1 + rng.below(12), 2 + rng.below(7));
            let unions = Unions {
                always: rng.below(9) as u64,
                weight: (0..items).map(|_| 1 + rng.below(20) as u64).collect(),
                sets: (0..sets)
                    .map(|_| (vec![rng.next() & ((1 << items) - 1)], rng.below(10) as u64))
                    .collect(),
                first: 0,
            };
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
