//! The relaxed problem that bounds what can be live at one cut, and the parts into which all cuts
//! are split.

use std::cmp::Reverse;

use super::cut::{Closure, Steps};
use super::instance::{Instance, Thing};
use super::upper::is_live;
use crate::order::bits::{BitRows, each_bit};

/// What is settled of a task: whether it is completed at the cut.
type Settled = Option<bool>;

/// A part of all cuts.
#[derive(Clone, Default)]
pub(super) struct Part {
    pub settled: Vec<Settled>,
    /// Things of which no first user can run.
    pub unbegun: Vec<u32>,
}

/// What bounds a part.
pub(super) struct Relaxed {
    pub bound: u64,
    /// The tasks completed there.
    pub completed: Vec<bool>,
    /// The things counted there, which need not all be live.
    counted: Vec<u32>,
}

/// An instance for which sums are bounded.
pub(super) struct Relaxation<'a> {
    pub instance: &'a Instance,
    /// All tasks before each, and behind each.
    ancestors: BitRows,
    descendants: BitRows,
    /// Of each thing the nearest tasks that are before all its first users, and behind all its
    /// last ones.
    pub near: Vec<[Vec<u32>; 2]>,
    /// Pairs of things of which the first, with several last users, is over before the other, with
    /// several first users, can begin.
    barred: Vec<(u32, u32)>,
}

impl<'a> Relaxation<'a> {
    /// `None` if the steps ran out.
    pub fn new(instance: &'a Instance, steps: &mut Steps) -> Option<Self> {
        let (tasks, words) = (instance.tasks(), instance.tasks().div_ceil(64));
        let arcs: usize = instance.before.iter().map(Vec::len).sum();
        if !steps.take(arcs * words / 4) {
            return None;
        }
        let mut found = Self {
            instance,
            ancestors: BitRows::new(tasks, tasks),
            descendants: BitRows::new(tasks, tasks),
            near: Vec::new(),
            barred: Vec::new(),
        };
        // Numbers grow along the order.
        for t in 0..tasks {
            for &b in &instance.before[t] {
                found.ancestors.join(t, b as usize);
                found.ancestors.set(t, b as usize);
            }
        }
        for t in (0..tasks).rev() {
            for &a in &instance.after[t] {
                found.descendants.join(t, a as usize);
                found.descendants.set(t, a as usize);
            }
        }
        for thing in &instance.things {
            let first = found.nearest(&thing.firsts, false, steps)?;
            let last = match thing.to_end {
                true => Vec::new(),
                false => found.nearest(&thing.lasts, true, steps)?,
            };
            found.near.push([first, last]);
        }
        let things = || instance.things.iter().zip(0u32..);
        let starts = things().filter(|(t, _)| t.firsts.len() > 1 && !t.from_start);
        let starts: Vec<_> = starts.collect();
        let ends = things().filter(|(t, _)| t.lasts.len() > 1 && !t.to_end);
        for (end, r) in ends.filter(|_| !starts.is_empty()) {
            let behind = found.common(&end.lasts, true);
            if !steps.take(words * end.lasts.len() + starts.len()) {
                return None;
            }
            for (start, s) in &starts {
                if start.firsts.iter().all(|&f| behind.get(0, f as usize)) {
                    found.barred.push((r, *s));
                }
            }
        }
        Some(found)
    }

    /// The tasks before all of `from`, or behind all.
    fn common(&self, from: &[u32], behind: bool) -> BitRows {
        let rows = if behind {
            &self.descendants
        } else {
            &self.ancestors
        };
        let mut common = BitRows::new(1, self.instance.tasks());
        for (at, &t) in from.iter().enumerate() {
            match at {
                0 => common.copy_words(0, rows.row(t as usize)),
                _ => common.meet_words(0, rows.row(t as usize)),
            }
        }
        common
    }

    /// Those of them that are nearest; of one task, those right beside it, or behind itself it.
    fn nearest(&self, from: &[u32], behind: bool, steps: &mut Steps) -> Option<Vec<u32>> {
        if let [one] = from {
            return Some(match behind {
                true => vec![*one],
                false => self.instance.before[*one as usize].clone(),
            });
        }
        let common = self.common(from, behind);
        let toward = match behind {
            true => &self.instance.before,
            false => &self.instance.after,
        };
        let (mut found, mut visited) = (Vec::new(), from.len() * common.row(0).len() / 4);
        each_bit(common.row(0), |t| {
            let mut nearer = toward[t].iter();
            visited += 1;
            if !nearer.any(|&b| common.get(0, b as usize)) {
                found.push(t as u32);
            }
        });
        steps.take(visited).then_some(found)
    }
}

/// Where an item is, as far as tasks are settled.
struct Status {
    begun: bool,
    stays: bool,
    /// First users that can still be the one that begins it.
    firsts: Vec<u32>,
    /// Last users that can still be the one that it waits for.
    lasts: Vec<u32>,
}

impl Relaxation<'_> {
    /// `None` if the item is not live at any cut of this part.
    fn status(&self, thing: &Thing, settled: &[Settled]) -> Option<Status> {
        let before = |f: &u32| self.instance.before[*f as usize].iter();
        let startable = |f: &&u32| before(f).all(|&b| settled[b as usize] != Some(false));
        let started = |f: &u32| before(f).all(|&b| settled[b as usize] == Some(true));
        let open = |l: &&u32| settled[**l as usize] != Some(true);
        let status = Status {
            begun: thing.from_start || thing.firsts.iter().any(started),
            stays: thing.to_end
                || thing
                    .lasts
                    .iter()
                    .any(|&l| settled[l as usize] == Some(false)),
            firsts: thing.firsts.iter().filter(startable).copied().collect(),
            lasts: thing.lasts.iter().filter(open).copied().collect(),
        };
        let can = (status.begun || !status.firsts.is_empty())
            && (status.stays || !status.lasts.is_empty());
        can.then_some(status)
    }

    /// The greatest sum of the relaxed problem.
    pub fn relax(&self, part: &Part, steps: &mut Steps) -> Option<Relaxed> {
        let (instance, settled) = (self.instance, &part.settled);
        let tasks = instance.tasks();
        if !steps.take(2 * (tasks + instance.things.len())) {
            return None;
        }
        let mut closure = Closure::new(tasks);
        let free = |t: u32| settled[t as usize].is_none();
        for t in (0..tasks as u32).filter(|&t| free(t)) {
            for &b in instance.before[t as usize].iter().filter(|&&b| free(b)) {
                closure.demand(t, b);
            }
        }
        let mut base = 0u64;
        // Of each thing that can be live: its number, the node of its begin and that of its end.
        let mut nodes: Vec<(u32, Option<u32>, Option<u32>)> = Vec::new();
        for (r, thing) in instance.things.iter().enumerate() {
            let Some(status) = self.status(thing, settled) else {
                continue;
            };
            if part.unbegun.contains(&(r as u32)) {
                continue;
            }
            let (mut begin, mut end) = (None, None);
            if status.begun {
                base += thing.bytes;
            } else {
                let node = closure.node();
                closure.pays(node, thing.bytes);
                let fewer = status.firsts.len() < thing.firsts.len();
                let again = match fewer {
                    true => self.nearest(&status.firsts, false, steps)?,
                    false => Vec::new(),
                };
                let near = if fewer { &again } else { &self.near[r][0] };
                for &t in near.iter().filter(|t| free(**t)) {
                    closure.demand(node, t);
                }
                begin = Some(node);
            }
            if !status.stays {
                let node = closure.node();
                closure.costs(node, thing.bytes);
                let fewer = status.lasts.len() < thing.lasts.len();
                let again = match fewer {
                    true => self.nearest(&status.lasts, true, steps)?,
                    false => Vec::new(),
                };
                let near = if fewer { &again } else { &self.near[r][1] };
                for &t in near.iter().filter(|t| free(**t)) {
                    closure.demand(t, node);
                }
                end = Some(node);
            }
            nodes.push((r as u32, begin, end));
        }
        for &(r, s) in &self.barred {
            let node = |wanted: u32| {
                let at = nodes.binary_search_by_key(&wanted, |n| n.0).ok()?;
                Some(nodes[at])
            };
            if let (Some((.., Some(end))), Some((_, Some(begin), _))) = (node(r), node(s)) {
                closure.demand(begin, end);
            }
        }
        let (gain, chosen) = closure.best(steps)?;
        let is = |node: u32| chosen[node as usize];
        let counted = nodes
            .iter()
            .filter(|(_, begin, end)| begin.is_none_or(is) && !end.is_some_and(is));
        Some(Relaxed {
            bound: base + gain,
            counted: counted.map(|n| n.0).collect(),
            completed: (0..tasks)
                .map(|t| settled[t].unwrap_or(chosen[t]))
                .collect(),
        })
    }

    /// Parts that together have all cuts of `part`, by a user of the largest thing that is counted
    /// and not live; none if all are.
    pub fn split(&self, part: &Part, relaxed: &Relaxed) -> Vec<Part> {
        let instance = self.instance;
        let things = relaxed.counted.iter();
        let wrong = things
            .filter(|&&r| !is_live(instance, &instance.things[r as usize], &relaxed.completed));
        let largest = wrong.max_by_key(|&&r| (instance.things[r as usize].bytes, Reverse(r)));
        let Some(&r) = largest else {
            return Vec::new();
        };
        let thing = &instance.things[r as usize];
        let Some(status) = self.status(thing, &part.settled) else {
            return Vec::new();
        };
        let (mut parts, mut rest) = (Vec::new(), part.clone());
        let completed = |t: &u32| relaxed.completed[*t as usize];
        if !status.stays && status.lasts.iter().all(completed) {
            // Some last user is not completed, or all are.
            for &l in &status.lasts {
                let mut part = rest.clone();
                if settle(&mut part.settled, l, false, &instance.after) {
                    parts.push(part);
                }
                if !settle(&mut rest.settled, l, true, &instance.before) {
                    return parts;
                }
            }
        } else {
            // Some first user can run, or none can.
            for &f in &status.firsts {
                let mut part = rest.clone();
                let mut before = instance.before[f as usize].iter();
                if before.all(|&b| settle(&mut part.settled, b, true, &instance.before)) {
                    parts.push(part);
                }
            }
            rest.unbegun.push(r);
        }
        parts.push(rest);
        parts
    }
}

/// Settles a task and what follows for others; whether that contradicts nothing.
fn settle(settled: &mut [Settled], task: u32, value: bool, rows: &[Vec<u32>]) -> bool {
    let mut stack = vec![task];
    while let Some(t) = stack.pop() {
        match settled[t as usize] {
            Some(known) if known == value => {}
            Some(_) => return false,
            None => {
                settled[t as usize] = Some(value);
                stack.extend(&rows[t as usize]);
            }
        }
    }
    true
}
