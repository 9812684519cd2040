//! Where two resources lie, and why there.

#[cfg(feature = "report")]
use std::collections::BTreeSet;

use super::explain::{Obstacle, Relation, Storage};
use super::facts::{Facts, Update};
use crate::table::{Class, Form, Op, Program, Resource, Slot, Source, TaskKind};

/// The in-place updates that the program makes.
pub(in crate::graph) fn updates(source: &Source<'_>, program: &Program<'_>) -> Vec<Update> {
    let update = |op: &Op| {
        let Op::Launch {
            task,
            form: Form::InPlace,
            ..
        } = *op
        else {
            return None;
        };
        let t = source.tasks.get(task as usize)?;
        let TaskKind::Kernel(kernel) = t.kind else {
            return None;
        };
        let position = source.kernels.get(kernel as usize)?.in_place?;
        let accesses = source.accesses_of(t);
        Some(Update {
            operand: accesses.get(usize::from(position))?.resource as usize,
            result: accesses.last()?.resource as usize,
            task: task as usize,
        })
    };
    program.issue.iter().filter_map(update).collect()
}

/// A program and what is known of its tasks.
pub(super) struct Placed<'a> {
    pub(super) source: &'a Source<'static>,
    pub(super) program: &'a Program<'static>,
    pub(super) facts: &'a Facts,
    pub(super) taken: &'a [Update],
}

impl Placed<'_> {
    /// What came of the relation of `x` and `y`.
    pub(super) fn storage(&self, relation: &Relation, x: usize, y: usize) -> Storage {
        let slots = [self.program.slots[x], self.program.slots[y]];
        if let Some(bytes) = shared(slots[0], slots[1]) {
            let demanded = x != y && self.demanded(x, y);
            return Storage::Shared { bytes, demanded };
        }
        if self.separate(x, y) {
            return Storage::Separate;
        }
        match relation {
            Relation::Conditioned { planned: false, .. } | Relation::Refused { .. } => {
                return Storage::NotEligible;
            }
            _ if slots.iter().any(|s| s.bytes == 0) => return Storage::Empty,
            Relation::InPlace { .. } => {
                let left = self.facts.left.iter().find(|(update, _)| {
                    let pair = (update.operand, update.result);
                    pair == (x, y) || pair == (y, x)
                });
                if let Some((_, why)) = left {
                    return Storage::Left(why);
                }
            }
            Relation::Same | Relation::Unconditional { .. } | Relation::Conditioned { .. } => {}
        }
        Storage::Apart([self.obstacles(x, y), self.obstacles(y, x)])
    }

    /// What keeps `r`, with what it is one range with in place, from the place of `other`.
    fn obstacles(&self, r: usize, other: usize) -> Vec<Obstacle> {
        let chain = chain(self.taken, r);
        let mut found = self.in_the_way(r, other, &chain);
        for &member in chain.iter().filter(|&&member| member != r) {
            let name = self.source.resources[member].name;
            found.extend(
                self.in_the_way(member, other, &chain)
                    .into_iter()
                    .map(|why| match why {
                        Obstacle::Occupant(occupant) => Obstacle::InPlace([name, occupant]),
                        why => why,
                    }),
            );
        }
        let mut seen = Vec::new();
        found.retain(|why| {
            !seen.contains(why) && {
                seen.push(*why);
                true
            }
        });
        found
    }

    /// What keeps `r` from the place of `other`, but for `chain`.
    fn in_the_way(&self, r: usize, other: usize, chain: &[usize]) -> Vec<Obstacle> {
        let wanted = Slot {
            offset: self.program.slots[other].offset,
            bytes: self.program.slots[r].bytes,
        };
        let end = wanted.offset.saturating_add(wanted.bytes);
        let mut found = Vec::new();
        let near =
            |q: usize| region(&self.source.resources[q]) == region(&self.source.resources[r]);
        let slots = self.program.slots.iter().enumerate();
        let ends = slots.filter(|(q, _)| near(*q));
        let most = ends.map(|(_, s)| s.offset.saturating_add(s.bytes)).max();
        if end > most.unwrap_or(0) {
            found.push(Obstacle::Beyond(end - most.unwrap_or(0)));
        }
        let (before, after) = self.around(r);
        let live = &self.facts.live;
        for (q, slot) in self.program.slots.iter().enumerate() {
            // That it is over before `r` begins, or the other way round, is known of `other`.
            if chain.contains(&q) || q == other || !near(q) || shared(*slot, wanted).is_none() {
                continue;
            }
            let name = self.source.resources[q].name;
            let over = !live[q].host && live[q].last.iter().all(|&t| before[t]);
            let begins = !live[r].host && live[q].first.iter().all(|&t| after[t]);
            if self.separate(q, r) {
                found.push(Obstacle::Separate(name));
            } else if !over && !begins {
                found.push(Obstacle::Occupant(name));
            }
        }
        found
    }

    /// For each task, whether it comes before all first tasks of `r`, and after all its last ones, in
    /// the order that the plan has.
    fn around(&self, r: usize) -> (Vec<bool>, Vec<bool>) {
        let all = |sets: &mut dyn Iterator<Item = Vec<bool>>| {
            let meet =
                |a: Vec<bool>, b: Vec<bool>| a.iter().zip(&b).map(|(a, b)| *a && *b).collect();
            sets.reduce(meet).unwrap_or_default()
        };
        let live = &self.facts.live[r];
        (
            all(&mut live.first.iter().map(|&t| self.facts.planned_before(t))),
            all(&mut live.last.iter().map(|&t| self.facts.planned_after(t))),
        )
    }

    fn separate(&self, x: usize, y: usize) -> bool {
        let (x, y) = (x as u32, y as u32);
        let mut pairs = self.source.separate.iter();
        pairs.any(|&pair| pair == (x, y) || pair == (y, x))
    }

    /// Whether a chain of demands joins the two.
    fn demanded(&self, x: usize, y: usize) -> bool {
        let mut joined = vec![x as u32];
        let mut at = 0;
        while let Some(&r) = joined.get(at) {
            at += 1;
            for &(a, b) in self.source.aliases {
                let next = match (a == r, b == r) {
                    (true, _) => b,
                    (_, true) => a,
                    _ => continue,
                };
                if !joined.contains(&next) {
                    joined.push(next);
                }
            }
        }
        joined.contains(&(y as u32))
    }
}

/// What becomes `r` in place and what it becomes, from the first to the last, with `r` itself.
pub(in crate::graph) fn chain(taken: &[Update], r: usize) -> Vec<usize> {
    let mut found = vec![r];
    // No update comes before itself, so that both ends are come to.
    while let Some(u) = taken.iter().find(|u| u.result == found[0]) {
        found.insert(0, u.operand);
    }
    let mut last = r;
    while let Some(u) = taken.iter().find(|u| u.operand == last) {
        last = u.result;
        found.push(last);
    }
    found
}

/// The first and the last of the [`chain`] of each of so many resources.
#[cfg(feature = "report")]
pub(in crate::graph) fn ends(taken: &[Update], resources: usize) -> Vec<[usize; 2]> {
    let mut ends: Vec<_> = (0..resources).map(|r| [r; 2]).collect();
    let results: BTreeSet<usize> = taken.iter().map(|u| u.result).collect();
    for first in taken
        .iter()
        .map(|u| u.operand)
        .filter(|r| !results.contains(r))
    {
        let chain = chain(taken, first);
        let last = chain[chain.len() - 1];
        chain.into_iter().for_each(|r| ends[r] = [first, last]);
    }
    ends
}

/// What resources must have in common to share storage at all: isolation domain and side.
pub(super) fn region(r: &Resource<'_>) -> (u8, bool) {
    (r.domain, r.class == Class::Staging)
}

/// The bytes that two slots share.
fn shared(a: Slot, b: Slot) -> Option<(u64, u64)> {
    let end = |s: Slot| s.offset.saturating_add(s.bytes);
    let (from, to) = (a.offset.max(b.offset), end(a).min(end(b)));
    (from < to).then_some((from, to))
}
