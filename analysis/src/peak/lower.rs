//! `P_lower`: the least peak of all executions.

use std::collections::BinaryHeap;

use super::anneal::anneal;
use super::beam::beam;
use super::climb::{Climb, Spent};
use super::count::counted;
use super::cut::Steps;
use super::left::left;
use super::list::{Quick, peak};
use super::set::Set;
use super::view::View;
use super::window::window;
use super::{Effort, Proof};

/// Bounds of the least peak, and a sequence of the tasks whose peak is `at_most`.
#[derive(Clone, Debug)]
pub(super) struct Lower {
    pub at_least: u64,
    pub at_most: u64,
    /// Why no execution has less; tasks in the numbers of the instance.
    pub proof: Proof<u32>,
    pub order: Vec<u32>,
}

/// Of more bytes, networks are not made.
pub(super) const MOST: u64 = 1 << 60;

/// Numbers of tasks of the parts that bound the whole.
const WINDOWS: [usize; 6] = [32, 48, 64, 96, 128, 192];

/// How often a better sequence is looked for at most, since chance has a part in it, and the steps that
/// each search has at least.
const RUNS: u64 = 3;
const RUN: u64 = 10_000_000;

/// Limits that are tried for each half at most.
const TRIES: usize = 64;

/// The bounds, with about as many steps as `effort` allows.
pub(super) fn lower(quick: &Quick<'_>, effort: &Effort) -> Lower {
    match quick.instance.tasks() {
        _ if quick.instance.total() > MOST => plain(quick),
        0..=64 => Halves::<1>::bounds(quick, effort),
        65..=256 => Halves::<4>::bounds(quick, effort),
        257..=1024 => Halves::<16>::bounds(quick, effort),
        _ => vast(quick, effort),
    }
}

/// What a task uses while it runs is live, and so are at the end those that are live to the end; the
/// sequence is one that takes no search.
pub(super) fn plain(quick: &Quick<'_>) -> Lower {
    let instance = quick.instance;
    let used = |t: u32| {
        let things = instance.uses[t as usize].iter();
        things.fold(0u64, |sum, &r| {
            sum.saturating_add(instance.things[r as usize].bytes)
        })
    };
    let known = instance.in_order().filter(|_| !instance.part);
    let most = known.map(|t| (used(t), t)).max().unwrap_or((0, 0));
    let (at_most, order) = quick.get().clone();
    let [_, end] = peak(instance, &order);
    Lower {
        at_least: most.0.max(end),
        at_most,
        proof: match most.0 < end {
            true => Proof::AtEnd,
            false => Proof::WhileRuns(most.1),
        },
        order,
    }
}

/// The same with a sequence that moves have made better.
fn vast(quick: &Quick<'_>, effort: &Effort) -> Lower {
    let (instance, plain) = (quick.instance, plain(quick));
    let steps = &mut Steps(effort.moves);
    let (at_most, order) = anneal(instance, plain.order, plain.at_least, 0, steps);
    Lower {
        at_most,
        order,
        ..plain
    }
}

/// The tasks up to the least cut, and those behind it backward: both descend to it.
struct Halves<'a, const N: usize> {
    views: [View<'a, N>; 2],
    targets: [Set<N>; 2],
    /// The best sequence of each, and its peak.
    best: [(u64, Vec<u32>); 2],
}

impl<const N: usize> Halves<'_, N> {
    fn bounds(quick: &Quick<'_>, effort: &Effort) -> Lower {
        let instance = quick.instance;
        // Without a network of all dependencies it is not known where the halves meet.
        let edges: usize = instance.before.iter().map(Vec::len).sum();
        if instance.floor() > 0 && (2 * edges + instance.tasks()) as u64 > effort.steps {
            return vast(quick, effort);
        }
        let mirror = instance.mirror();
        let views = [View::<N>::new(instance), View::<N>::new(&mirror)];
        let all = Set::<N>::below(instance.tasks());
        let mut steps = Steps(effort.steps);
        let first = match instance.floor() {
            // Nothing is less than nothing.
            0 => Set::EMPTY,
            _ => match views[0].dip(&Set::EMPTY, &all, None, &mut steps) {
                Some((_, first)) => first,
                None => return vast(quick, effort),
            },
        };
        let targets = [first, all.minus(&first)];
        let mut spare = Steps(effort.steps / 4);
        let best = [0, 1].map(
            |h| match beam(&views[h], &targets[h], effort.width, &mut spare) {
                Some(found) => found,
                None => {
                    let mut order: Vec<u32> = targets[h].iter().collect();
                    if h == 1 {
                        order.reverse();
                    }
                    (views[h].peak(&order), order)
                }
            },
        );
        let mut halves = Halves {
            views,
            targets,
            best,
        };
        halves.turn(effort.width, &mut spare);
        let (mut at_least, mut proof) = halves.while_some_task_runs(&mut steps);
        steps.0 = steps.0.min(effort.steps / 2);
        for h in 0..2 {
            let low = halves.search(h, at_least, &mut steps);
            if low > at_least {
                (at_least, proof) = (low, Proof::Search);
            }
        }
        let known = halves.join();
        let mut best = (halves.views[0].peak(&known), known);
        if at_least < best.0 {
            let count = (effort.moves / RUN).clamp(1, RUNS);
            let runs = (0..count).map(|seed| {
                let share = &mut Steps(effort.moves / count);
                anneal(instance, best.1.clone(), at_least, seed, share)
            });
            best = runs.min().unwrap_or_default();
        }
        let (at_most, order) = best;
        let low = halves.by_cuts(&order, [at_least, at_most], effort);
        if low > at_least {
            (at_least, proof) = (low, Proof::Search);
        }
        Lower {
            at_least,
            at_most,
            proof,
            order,
        }
    }

    /// What cuts with a number of tasks completed, or left, and parts of the order prove; `order` has
    /// the peak `high`.
    fn by_cuts(&self, order: &[u32], [mut low, high]: [u64; 2], effort: &Effort) -> u64 {
        for view in self.views.iter().filter(|_| effort.cuts > 0) {
            if low < high {
                low = left(view, [low, high], &mut Steps(effort.cuts));
            }
        }
        if low < high {
            low = low.max(self.windows(order, effort));
        }
        if low < high && effort.cuts > 0 {
            low = counted(&self.views[0], order, [low, high], &mut Steps(effort.cuts));
        }
        low.min(high)
    }

    /// Where one half is all: list scheduling in the other direction, too.
    fn turn(&mut self, width: usize, steps: &mut Steps) {
        for h in 0..2 {
            if !self.targets[1 - h].is_empty() {
                continue;
            }
            let found = beam(&self.views[1 - h], &self.targets[h], width, steps);
            if let Some((peak, mut order)) = found
                && peak < self.best[h].0
            {
                order.reverse();
                self.best[h] = (peak, order);
            }
        }
    }

    /// The greatest of the least peaks of parts: of those tasks of `order` that run around its peak,
    /// more and more of them as long as the steps are enough.
    fn windows(&self, order: &[u32], effort: &Effort) -> u64 {
        let view = &self.views[0];
        let profile = view.profile(order);
        let peak = (0..order.len()).max_by_key(|&at| (profile[at].0, order.len() - at));
        let peak = peak.unwrap_or(0);
        let mut best = 0;
        for size in WINDOWS {
            if size * 5 / 4 > order.len() {
                break;
            }
            let from = peak.saturating_sub(size / 2).min(order.len() - size);
            let mut tasks = order[from..from + size].to_vec();
            tasks.sort_unstable();
            let part = window(view, &tasks);
            let found = lower(&Quick::new(&part), &effort.part(3));
            best = best.max(found.at_least);
            if found.at_least < found.at_most {
                break;
            }
        }
        best
    }

    fn join(&self) -> Vec<u32> {
        let [first, then] = &self.best;
        first.1.iter().chain(then.1.iter().rev()).copied().collect()
    }

    /// The greatest bound that one task gives: what is live while it runs, at least. Those first
    /// of which most is known to be possible; a quarter of the steps at most.
    fn while_some_task_runs(&self, steps: &mut Steps) -> (u64, Proof<u32>) {
        let view = &self.views[0];
        let end = view.level(&Set::below(view.instance.tasks()));
        let mut best = (end, Proof::AtEnd);
        // By what is known to be possible, which is worked out for those that come first.
        let known = view.profile(&self.join()).into_iter();
        let mut open: BinaryHeap<_> = known.map(|(high, t)| (high, t, false)).collect();
        steps.lend(steps.0 / 4, |share| {
            while let Some((most, t, exact)) = open.pop().filter(|(most, ..)| *most > best.0) {
                if !exact {
                    let done = &view.ancestors[t as usize];
                    let least = view.step(done, view.level(done), t).0;
                    open.push((most.min(least), t, true));
                    continue;
                }
                match view.while_runs(t, share) {
                    Some(least) if least > best.0 => best = (least, Proof::WhileRuns(t)),
                    Some(_) => {}
                    None => break,
                }
            }
        });
        best
    }

    /// Looks for a sequence of a half below what is known, from `low` on; returns what no sequence
    /// is below. Limits halve the gap; where the steps for one run out, those nearer the ends
    /// are tried.
    fn search(&mut self, half: usize, low: u64, steps: &mut Steps) -> u64 {
        let mut low = low;
        // Limits between these two took too many steps.
        let mut hard: Option<(u64, u64)> = None;
        let cap = steps.0 / 8;
        for turn in 0..TRIES {
            let high = self.best[half].0;
            if low >= high || steps.0 == 0 {
                break;
            }
            let limit = match hard {
                None => low + (high - 1 - low) / 2,
                Some((_, above)) if turn % 2 == 0 && above + 1 < high => above + (high - above) / 2,
                Some((below, _)) if low < below => low + (below - low) / 2,
                Some((_, above)) if above + 1 < high => above + (high - above) / 2,
                Some(_) => break,
            };
            let share = if hard.is_none() { steps.0 / 4 + 1 } else { cap };
            let (found, blocked) = steps.lend(share, |own| {
                let mut climb = Climb::new(&self.views, limit, own);
                (climb.descend(half, &self.targets[half]), climb.blocked)
            });
            match found {
                Ok(Some(way)) => {
                    let peak = self.views[half].peak(&way);
                    self.best[half] = (peak, way);
                    hard = hard.filter(|h| h.0 < peak).map(|h| (h.0, h.1.min(peak)));
                }
                Ok(None) => {
                    low = blocked.min(high);
                    hard = hard.filter(|h| h.1 > low).map(|h| (h.0.max(low), h.1));
                }
                Err(Spent) => {
                    hard = Some(hard.map_or((limit, limit), |h| (h.0.min(limit), h.1.max(limit))));
                }
            }
        }
        low.min(self.best[half].0)
    }
}
