//! Candidates that leave in-place updates.
//!
//! An update saves room while its task runs, and makes one live range of two, which lies in one place.
//! So what lives beside the operand alone, and what lives beside the result alone, cannot share storage
//! with either; and where the update rests on order that is added, this order stays for its sake. From
//! the best candidates on updates are left, one after the other as long as that is better, and up to
//! three together.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::choose::prefers;
use super::search::{Laid, Searched, steps};
use super::{Asked, Candidate, Ground, Kind, Realised, work};
use crate::alias::declared;
use crate::model::{ResourceId, Task, TaskId, TaskKind};

/// Candidates that it begins with.
const SEEDS: usize = 4;
/// Updates that are left together where none of them gains by itself.
const TOGETHER: usize = 3;

impl Searched {
    /// Leaves updates of the best of the candidates from that number on, if something is minimised.
    pub(super) fn leave(&mut self, ground: &Ground, from: usize) {
        if ground.model.declared.minimize.is_none() {
            return;
        }
        let cut_before = self.cut;
        (self.steps, self.cut) = (steps(ground) / 2, false);
        for seed in self.seeds(ground, from) {
            let price = work::settled(own(ground, &self.candidates[seed]));
            if self.steps == 0 || !self.work.has(price) {
                self.cut = true;
                break;
            }
            self.settle(ground, seed);
            let mut at = Some(seed);
            while let Some(best) = at {
                at = self.left_from(ground, best);
            }
        }
        self.cut |= cut_before;
    }

    /// Sets work aside for that, where there may be updates to leave.
    pub(super) fn aside_to_leave(&mut self, ground: &Ground) -> u64 {
        let updates = |t: &Task| matches!(&t.kind, TaskKind::Kernel(l) if l.in_place.is_some());
        let model = &ground.model;
        match model.declared.minimize.is_some() && model.tasks.iter().any(updates) {
            true => self.work.set_aside(1),
            false => 0,
        }
    }

    /// Lays that candidate out as well as it can be.
    pub(crate) fn settle(&mut self, ground: &Ground, at: usize) {
        let price = work::settled(own(ground, &self.candidates[at]));
        self.candidates[at].settle(ground);
        let found = &self.candidates[at].realised;
        self.work.take(price + work::searched(ground, found));
    }

    /// The candidates from that number on that updates are left of, the best first.
    fn seeds(&self, ground: &Ground, from: usize) -> Vec<usize> {
        let of = |c: usize| &self.candidates[c];
        // The first one may be there a second time, with less between its slots.
        let close = |c: &usize| of(*c).realised.asked.spacing == ground.spacing();
        let all = from..self.candidates.len();
        let mut open: Vec<usize> = all
            .filter(close)
            .filter(|&c| !options(own(ground, of(c)), &of(c).realised).is_empty())
            .collect();
        let better = |a: usize, b: usize| prefers(&ground.model, &of(a).realised, &of(b).realised);
        let mut seeds = Vec::new();
        while seeds.len() < SEEDS && !open.is_empty() {
            let best = |&c: &usize| !open.iter().any(|&other| better(other, c));
            let at = open.iter().position(best).unwrap_or(0);
            seeds.push(open.remove(at));
        }
        seeds
    }

    /// The best of what comes of candidate `at` where updates are left, as few as make it better.
    fn left_from(&mut self, ground: &Ground, at: usize) -> Option<usize> {
        let model = &ground.model;
        let Candidate {
            kind,
            realised,
            remade,
        } = &self.candidates[at];
        let (kind, remade, asked) = (kind.clone(), remade.clone(), realised.asked.clone());
        let first = options(own(ground, &self.candidates[at]), realised);
        let mut level = vec![(asked.left.clone(), first)];
        let mut seen = BTreeSet::new();
        for _ in 0..TOGETHER {
            let (mut best, mut next) = (at, Vec::new());
            for (left, tasks) in &level {
                for &task in tasks {
                    let mut left = left.clone();
                    left.push(task);
                    left.sort_unstable();
                    if !seen.insert(left.clone()) {
                        continue;
                    }
                    let own = remade.as_ref().map_or(ground, |remade| &remade.ground);
                    if !self.step(work::laid(own)) {
                        return (best != at).then_some(best);
                    }
                    let asked = Asked {
                        left: left.clone(),
                        ..asked.clone()
                    };
                    let Some(found) = own.realised(asked) else {
                        continue;
                    };
                    self.work.take(work::searched(own, &found));
                    next.push((left.clone(), options(own, &found)));
                    let better = prefers(model, &found, &self.candidates[best].realised);
                    let kind = leaving(&kind, &pairs(own, &left));
                    if self.keep(kind, found, remade.as_ref()) && better {
                        best = self.candidates.len() - 1;
                    }
                }
            }
            if best != at {
                return Some(best);
            }
            level = next;
        }
        None
    }
}

/// The graph that `candidate` is of; `ground` is that as it was written.
fn own<'a>(ground: &'a Ground, candidate: &'a Candidate) -> &'a Ground {
    let remade = candidate.remade.as_deref();
    remade.map_or(ground, |remade| &remade.ground)
}

/// Updates of `plan` without which it might be better, those of the largest resources first.
///
/// What cannot overlap, two by two, is no lighter where one of them is left: what lives beside the
/// operand alone is over when the task begins, and what lives beside the result alone begins behind it,
/// so that no two of these belong to one such set. So the arena becomes smaller only where none fills it,
/// or where pairs are kept apart that are not live together.
fn options(ground: &Ground, plan: &Realised) -> Vec<TaskId> {
    let open = || Laid::of(plan).fills.is_none() || !ground.demands.separate.is_empty();
    let room = ground.weighs_bytes() && open();
    let useful = plan.ranges.groups.taken.iter().filter(|m| {
        let lacking = || ground.lacking(m.operand, m.result, Some(m.task));
        let rests = || !plan.added.is_empty() && !lacking().is_empty();
        !ground.demanded(m.operand, m.result) && (room || rests())
    });
    let bytes = |m: ResourceId| ground.sizes[m.0 as usize];
    let mut tasks: Vec<_> = useful.map(|m| (Reverse(bytes(m.result)), m.task)).collect();
    tasks.sort_unstable();
    tasks.into_iter().map(|(_, task)| task).collect()
}

/// What the tasks could update into what.
fn pairs(ground: &Ground, left: &[TaskId]) -> Vec<(ResourceId, ResourceId)> {
    let found = left.iter().filter_map(|&t| declared(&ground.model, t));
    found.collect()
}

/// `kind` with these updates left.
fn leaving(kind: &Kind, pairs: &[(ResourceId, ResourceId)]) -> Kind {
    match kind {
        Kind::Again(with) => Kind::Again(Box::new(leaving(with, pairs))),
        Kind::Leaving(_, with) => Kind::Leaving(pairs.to_vec(), with.clone()),
        kind => Kind::Leaving(pairs.to_vec(), Box::new(kind.clone())),
    }
}
