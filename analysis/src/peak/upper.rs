//! `P_upper`: the greatest peak of all executions.
//!
//! At a cut with `C` completed, most is live if all that is ready runs: an item is live if some
//! first user of it has all tasks before it in `C`, and some last user of it is not in `C`. So the
//! peak is the greatest such sum over down-sets `C`. With one first and one last user for each item
//! this is a closure of the greatest profit, and by duality the heaviest antichain of the items
//! under "wholly before" (Dilworth; Picard 1976). With several it is NP-hard: a set of items of which
//! any two can be live at once need not be live in one cut. Then an item counts as begun as soon as
//! what is before all its first users is completed, and as over only when some task behind all its
//! last users is, which bounds the sum from above; branch and bound settles which user it is.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cut::Steps;
use super::flip::flip;
use super::instance::{Instance, Thing};
use super::mixed::mixed;
use super::pick::pick;
use super::relax::{Part, Relaxation};
use super::{Effort, Proof};
use crate::model::TaskId;

/// Bounds of the greatest peak, and the tasks completed at a cut with `at_least` live.
#[derive(Clone, Debug)]
pub(super) struct Upper {
    pub at_least: u64,
    pub at_most: u64,
    pub completed: Vec<bool>,
    pub proof: Proof<TaskId>,
}

/// The bounds, with about as many steps as `effort` allows.
pub(super) fn upper(instance: &Instance, effort: &Effort) -> Upper {
    let mut best = searched(instance, effort);
    if best.at_least < best.at_most {
        let moves = &mut Steps(effort.moves);
        let completed = flip(instance, &best.completed, best.at_most, moves);
        best.see(instance, &completed);
    }
    let steps = &mut Steps(effort.cuts / 8);
    if best.at_least < best.at_most
        && let Some(search) = Relaxation::new(instance, steps)
    {
        let most = mixed(&search, best.at_most, steps, |completed| {
            best.see(instance, completed)
        });
        best.at_most = most.max(best.at_least);
    }
    best
}

/// The same by branch and bound alone.
fn searched(instance: &Instance, effort: &Effort) -> Upper {
    let steps = &mut Steps(effort.steps);
    let tasks = instance.tasks();
    let mut best = Upper {
        at_least: 0,
        at_most: instance.total(),
        completed: vec![false; tasks],
        proof: Proof::Sum,
    };
    best.see_levels(instance);
    let Some(search) = Relaxation::new(instance, steps) else {
        return best;
    };
    let whole = Part {
        settled: vec![None; tasks],
        unbegun: Vec::new(),
    };
    let Some(relaxed) = search.relax(&whole, steps) else {
        return best;
    };
    best.see(instance, &relaxed.completed);
    pick(instance, steps, |completed| best.see(instance, completed));
    best.proof = Proof::Relaxed;
    let mut heap = BinaryHeap::from([(relaxed.bound, Reverse(0usize))]);
    let mut nodes = vec![(whole, relaxed)];
    while let Some((bound, Reverse(at))) = heap.pop() {
        best.at_most = bound.max(best.at_least);
        if bound <= best.at_least {
            best.proof = Proof::Search;
            return best;
        }
        // Without a split, what is counted is live, and has been seen.
        for part in search.split(&nodes[at].0, &nodes[at].1) {
            let Some(relaxed) = search.relax(&part, steps) else {
                return best;
            };
            best.see(instance, &relaxed.completed);
            if relaxed.bound > best.at_least {
                heap.push((relaxed.bound, Reverse(nodes.len())));
                nodes.push((part, relaxed));
            }
        }
        nodes[at].0 = Part::default();
    }
    best.at_most = best.at_least;
    best.proof = Proof::Search;
    best
}

impl Upper {
    /// The cuts of an execution in which all that is ready runs at once, round by round.
    fn see_levels(&mut self, instance: &Instance) {
        let mut level = vec![0usize; instance.tasks()];
        for t in 0..instance.tasks() {
            let before = instance.before[t].iter();
            level[t] = before.map(|&b| level[b as usize] + 1).max().unwrap_or(0);
        }
        let rounds = level.iter().max().map_or(0, |l| l + 1);
        let mut change = vec![(0u64, 0u64); rounds + 1];
        for thing in &instance.things {
            let at = |t: &u32| level[*t as usize];
            let from = thing
                .firsts
                .iter()
                .map(at)
                .min()
                .filter(|_| !thing.from_start);
            let to = thing.lasts.iter().map(at).max().filter(|_| !thing.to_end);
            change[from.unwrap_or(0)].0 += thing.bytes;
            change[to.map_or(rounds, |to| to + 1)].1 += thing.bytes;
        }
        let (mut live, mut most) = (0, (0, 0));
        for (round, (more, less)) in change.into_iter().enumerate() {
            live = live + more - less;
            most = most.max((live, round));
        }
        let completed: Vec<bool> = level.iter().map(|&l| l < most.1).collect();
        self.see(instance, &completed);
    }

    fn see(&mut self, instance: &Instance, completed: &[bool]) {
        let live = instance
            .things
            .iter()
            .filter(|t| is_live(instance, t, completed));
        let sum = live.fold(0u64, |sum, t| sum.saturating_add(t.bytes));
        if sum > self.at_least {
            self.at_least = sum;
            self.completed = completed.to_vec();
        }
    }
}

/// Whether an item is live when all that is ready runs.
pub(super) fn is_live(instance: &Instance, thing: &Thing, completed: &[bool]) -> bool {
    let ready = |f: &u32| {
        let mut before = instance.before[*f as usize].iter();
        before.all(|&b| completed[b as usize])
    };
    let begun = thing.from_start || thing.firsts.iter().any(ready);
    begun && (thing.to_end || thing.lasts.iter().any(|&l| !completed[l as usize]))
}
