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

/// The bounds, with about as many steps as `effort` allows. Tasks are looked at that are `before` what may
/// be live together.
pub(super) fn upper(instance: &Instance, effort: &Effort, before: &[bool]) -> Upper {
    let steps = &mut Steps(effort.steps);
    let mut best = Upper {
        at_least: 0,
        at_most: instance.total(),
        completed: vec![false; instance.tasks()],
        proof: Proof::Sum,
    };
    best.see_levels(instance);
    if !before.is_empty() {
        best.see(instance, before);
    }
    let search = Relaxation::new(instance, steps);
    if let Some(search) = &search {
        best.search(search, steps);
    }
    if best.at_least < best.at_most {
        let moves = &mut Steps(effort.moves);
        let completed = flip(instance, &best.completed, best.at_most, moves);
        best.see(instance, &completed);
    }
    if let Some(search) = search.filter(|_| best.at_least < best.at_most) {
        let cuts = &mut Steps(effort.cuts / 8);
        let most = mixed(&search, best.at_most, cuts, |completed| {
            best.see(instance, completed)
        });
        if most < best.at_most {
            best.proof = Proof::Relaxed;
        }
        best.at_most = most.max(best.at_least);
    }
    best
}

impl Upper {
    /// Branch and bound.
    fn search(&mut self, search: &Relaxation<'_>, steps: &mut Steps) {
        let instance = search.instance;
        let whole = Part {
            settled: vec![None; instance.tasks()],
            unbegun: Vec::new(),
        };
        let Some(relaxed) = search.relax(&whole, steps) else {
            return;
        };
        self.see(instance, &relaxed.completed);
        pick(instance, steps, |completed| self.see(instance, completed));
        self.proof = Proof::Relaxed;
        let mut heap = BinaryHeap::from([(relaxed.bound, Reverse(0usize))]);
        let mut nodes = vec![(whole, relaxed)];
        while let Some((bound, Reverse(at))) = heap.pop() {
            self.at_most = bound.max(self.at_least);
            if bound <= self.at_least {
                self.proof = Proof::Search;
                return;
            }
            // Without a split, what is counted is live, and has been seen.
            for part in search.split(&nodes[at].0, &nodes[at].1) {
                let Some(relaxed) = search.relax(&part, steps) else {
                    return;
                };
                self.see(instance, &relaxed.completed);
                if relaxed.bound > self.at_least {
                    heap.push((relaxed.bound, Reverse(nodes.len())));
                    nodes.push((part, relaxed));
                }
            }
            nodes[at].0 = Part::default();
        }
        self.at_most = self.at_least;
        self.proof = Proof::Search;
    }

    /// The cuts of an execution in which all that is ready runs at once, round by round.
    fn see_levels(&mut self, instance: &Instance) {
        let level = instance.levels();
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
