//! Which search is made for which problem.

use std::borrow::Cow;

use super::bound::{self, Clique, profile};
use super::canon;
use super::eject;
use super::exact::{self, Exact};
use super::fit::{self, Clashes, Gap};
use super::graph::{Graph, over_before};
use super::interval::{Found, Intervals};
use super::interval_order;
use super::lanes::lanes;
use super::large;
use super::near::Near;
use super::problem::{Block, Live, Problem, Wrong};
use super::relation::{Members, Spans, fixed_apart, pairs};
use super::swap;
use super::{Limits, Placement};
use crate::order::bits::BitRows;

/// Clashes are listed up to this number.
const PAIRS: usize = 3_000_000;
/// Up to this number of blocks they are listed as bits, too: of intervals, which lie in the same time as
/// few, and of others.
const BITS: [usize; 2] = [4_000, 32_768];
/// Intervals up to this number are searched.
const SEARCHED: usize = 4_000;
/// Steps that are left for the search of any order first, where intervals are searched.
const LOCAL: u64 = 14_000_000;

/// A problem in canonical order, and the best that is known of it.
struct Solver<'a> {
    problem: &'a Problem,
    blocks: Vec<Block>,
    over: Option<BitRows>,
    /// Good enough.
    enough: u64,
    limit: u64,
    best: Found,
}

/// A problem in the form in which it is searched.
pub(super) struct Form<'a> {
    problem: Cow<'a, Problem>,
    blocks: Vec<Block>,
    over: Option<BitRows>,
}

impl<'a> Form<'a> {
    /// An order of intervals is taken as intervals.
    pub(super) fn new(problem: &'a Problem) -> Result<Self, Wrong> {
        let blocks = problem.blocks()?;
        let over = over_before(problem);
        let times = over.as_ref().and_then(interval_order::times);
        Ok(match times {
            None => Self {
                problem: Cow::Borrowed(problem),
                blocks,
                over,
            },
            Some(times) => {
                let times = times.into_iter().map(|time| vec![time]);
                let problem = Problem {
                    buffers: problem.buffers.clone(),
                    live: Live::Times(times.collect()),
                    same: problem.same.clone(),
                    apart: problem.apart.clone(),
                };
                Self {
                    problem: Cow::Owned(problem),
                    blocks,
                    over: None,
                }
            }
        })
    }

    pub(super) fn bound(&self) -> (u64, Clique) {
        bound::bound(&self.problem, &self.blocks, self.over.as_ref())
    }
}

pub(super) fn solve(problem: &Problem, limits: &Limits) -> Result<Placement, Wrong> {
    let form = Form::new(problem)?;
    let (bound, clique) = form.bound();
    let Form {
        problem,
        mut blocks,
        over,
    } = form;
    let problem = &*problem;
    fixed_apart(problem, &blocks, over.as_ref())?;
    canon::sort(problem, &mut blocks, over.as_ref());
    // What clashes with nothing lies anywhere.
    let (blocks, idle): (Vec<Block>, Vec<Block>) =
        blocks.into_iter().partition(|b| can_clash(problem, b));
    let enough = limits.capacity.unwrap_or(0);
    let mut solver = Solver {
        problem,
        over,
        enough,
        limit: limits.steps.unwrap_or_else(|| worthwhile(problem)),
        best: Found {
            offsets: Vec::new(),
            peak: u64::MAX,
            bound,
            steps: 0,
        },
        blocks,
    };
    // Where the capacity is out of reach, any placement will do.
    if limits.capacity.is_some_and(|c| c < bound) {
        solver.limit = 0;
    }
    solver.run();
    if limits.capacity.is_some_and(|c| solver.best.peak > c) && solver.limit > 0 {
        solver.run_on();
    }
    let mut offsets = vec![0; problem.buffers.len()];
    let mut peak = 0;
    for (block, &at) in solver.blocks.iter().zip(&solver.best.offsets) {
        block.members.iter().for_each(|&m| offsets[m] = at);
        peak = peak.max(at + block.size);
    }
    for block in &idle {
        let at = block.fixed.unwrap_or(0);
        block.members.iter().for_each(|&m| offsets[m] = at);
        peak = peak.max(at + block.size);
    }
    Ok(Placement {
        offsets,
        peak,
        lower_bound: solver.best.bound.min(peak),
        clique: clique.members,
        steps: solver.best.steps,
    })
}

/// Steps that a search gains from: what is not an order of intervals is farther from its bound at first.
fn worthwhile(problem: &Problem) -> u64 {
    match problem.live {
        Live::Times(_) => 300_000_000,
        _ => 600_000_000,
    }
}

/// Whether a block has any size and is live or kept apart from something.
fn can_clash(problem: &Problem, block: &Block) -> bool {
    let live = match &problem.live {
        Live::Times(times) => {
            let some = |m: &usize| times[*m].iter().any(|p| p.0 < p.1);
            block.members.iter().any(some)
        }
        _ => true,
    };
    let named = |&(a, b): &(usize, usize)| block.members.contains(&a) || block.members.contains(&b);
    block.size > 0 && (live || problem.apart.iter().any(named))
}

impl Solver<'_> {
    fn done(&self) -> bool {
        let b = &self.best;
        b.peak <= b.bound.max(self.enough) || b.steps >= self.limit
    }

    fn offer(&mut self, offsets: Vec<u64>) {
        let peak = fit::peak(&self.blocks, &offsets);
        if peak < self.best.peak {
            (self.best.offsets, self.best.peak) = (offsets, peak);
        }
    }

    fn run(&mut self) {
        if self.blocks.is_empty() {
            (self.best.offsets, self.best.peak) = (Vec::new(), 0);
            return;
        }
        let filled = self.intervals();
        let limit = self.limit;
        let near = self.near();
        if let Some(near) = &near {
            self.greedy(Clashes::Bits(near));
            if let Some((intervals, true)) = &filled {
                self.search_intervals(intervals, true, self.patience());
            }
            if self.done() {
                return;
            }
        }
        // The lists are made where bits did not do.
        match self.graph() {
            Some(graph) => {
                if near.is_none() {
                    self.greedy(Clashes::Lists(&graph));
                }
                if let Some((intervals, exact)) = &filled {
                    let until = if *exact { self.patience() } else { limit / 4 };
                    self.search_intervals(intervals, *exact, until);
                }
                self.search_graph(&graph);
            }
            None => {
                self.greedy_large(filled.as_ref());
                if let Some((intervals, exact)) = filled
                    && self.blocks.len() <= SEARCHED
                {
                    self.search_intervals(&intervals, exact, limit);
                }
            }
        }
    }

    /// Where no placement was good enough, the search that is made without such a mark, from the start: so
    /// what that finds is never missed.
    fn run_on(&mut self) {
        let start = Found {
            offsets: Vec::new(),
            peak: u64::MAX,
            bound: self.best.bound,
            steps: 0,
        };
        let known = std::mem::replace(&mut self.best, start);
        self.enough = 0;
        self.run();
        let found = &mut self.best;
        found.steps += known.steps;
        if known.peak < found.peak {
            (found.offsets, found.peak) = (known.offsets, known.peak);
        }
    }

    /// Steps after which intervals are searched as any order is: what the search for them finds at once
    /// it finds with few steps, and else only with many.
    fn patience(&self) -> u64 {
        let rest = self.limit.saturating_sub(LOCAL);
        rest.clamp(self.limit / 8, self.limit / 4 * 3)
    }

    /// The blocks as intervals with gaps filled, and whether that is all that they are. `None` where
    /// something else keeps blocks apart or in their places.
    fn intervals(&self) -> Option<(Intervals, bool)> {
        let Live::Times(times) = &self.problem.live else {
            return None;
        };
        if !self.problem.apart.is_empty() || self.blocks.iter().any(|b| b.fixed.is_some()) {
            return None;
        }
        let mut exact = true;
        let mut spans = Vec::with_capacity(self.blocks.len());
        for block in &self.blocks {
            let pieces = profile(self.problem, block, times);
            exact &= pieces.len() == 1;
            spans.push((pieces.first()?.0, pieces.last()?.1));
        }
        let intervals = Intervals {
            times: spans,
            sizes: self.blocks.iter().map(|b| b.size).collect(),
            aligns: self.blocks.iter().map(|b| b.align).collect(),
            unit: bound::unit(&self.blocks),
        };
        Some((intervals, exact))
    }

    fn near(&self) -> Option<Near> {
        let plain = |b: &Block| b.members.len() == 1 && b.fixed.is_none();
        let most = match self.problem.live {
            Live::Times(_) => BITS[0],
            _ => BITS[1],
        };
        let small = self.blocks.len() <= most && self.blocks.iter().all(plain);
        small.then(|| Near::new(self.problem, &self.blocks, self.over.as_ref()))
    }

    fn graph(&self) -> Option<Graph> {
        let pairs = match &self.problem.live {
            Live::Times(times) => pairs(times),
            Live::Clashes(rows) => rows.ones() / 2,
            _ => {
                let n = self.problem.buffers.len();
                n * n.saturating_sub(1) / 2 - self.over.as_ref().map_or(0, BitRows::ones)
            }
        };
        let pairs = pairs + self.problem.apart.len();
        let over = self.over.as_ref();
        (pairs <= PAIRS).then(|| Graph::new(self.problem, &self.blocks, over))
    }

    fn greedy(&mut self, clashes: Clashes<'_>) {
        for which in 0..fit::SEQUENCES {
            let sequence = fit::sequence(which, &self.blocks, clashes);
            for rule in [Gap::Best, Gap::First] {
                let offsets = fit::place(&self.blocks, clashes, &sequence, rule);
                self.offer(offsets);
                self.best.steps += clashes.steps();
                if self.done() {
                    return;
                }
            }
        }
    }

    fn greedy_large(&mut self, intervals: Option<&(Intervals, bool)>) {
        let mut sequence: Vec<u32> = (0..self.blocks.len() as u32).collect();
        sequence.sort_by_key(|&i| std::cmp::Reverse(self.blocks[i as usize].size));
        let n = self.blocks.len() as u64;
        let offsets = match intervals {
            Some((intervals, _)) => large::place(&self.blocks, &Spans(intervals), &sequence),
            None => {
                let over = self.over.as_ref();
                let relation = Members {
                    problem: self.problem,
                    blocks: &self.blocks,
                    over,
                };
                large::place(&self.blocks, &relation, &sequence)
            }
        };
        self.offer(offsets);
        self.best.steps += n * n / 4;
    }

    /// For as long as no more than `until` steps are taken in all.
    fn search_intervals(&mut self, intervals: &Intervals, exact: bool, until: u64) {
        if self.done() || self.best.steps >= until {
            return;
        }
        let mut from = self.best.clone();
        if !exact {
            from.bound = intervals.load();
        }
        let grain = bound::grain(self.problem, &self.blocks);
        let found = intervals.improve(from, self.enough, grain, until);
        self.best.steps = found.steps;
        if exact {
            self.best.bound = found.bound;
        }
        self.offer(found.offsets);
    }

    fn search_graph(&mut self, graph: &Graph) {
        if self.done() {
            return;
        }
        self.lanes();
        if self.blocks.len() <= exact::MOST && !self.done() {
            let mut search = Exact::new(&self.blocks, graph, bound::unit(&self.blocks));
            let bound = self.best.bound.max(self.enough);
            let (found, done) =
                search.run(self.best.peak, bound, (self.limit - self.best.steps) / 2);
            self.best.steps += search.steps;
            found.into_iter().for_each(|f| self.offer(f));
            if done && self.best.peak > bound {
                self.best.bound = self.best.peak;
            }
        }
        if !self.done() {
            let grain = bound::grain(self.problem, &self.blocks);
            let best = std::mem::take(&mut self.best);
            let quick = best.steps + (self.limit - best.steps) / 25;
            let best = swap::improve(&self.blocks, graph, best, self.enough, quick);
            self.best = eject::improve(&self.blocks, graph, best, self.enough, grain, self.limit);
        }
    }

    /// Each thread by itself.
    fn lanes(&mut self) {
        let Some(lanes) = lanes(self.problem, &self.blocks) else {
            return;
        };
        let share = (self.limit - self.best.steps) / 2 / lanes.len() as u64;
        let largest = self.blocks.iter().map(|b| b.align).max().unwrap_or(1);
        let mut offsets = vec![0; self.blocks.len()];
        let mut base = 0u64;
        for lane in &lanes {
            let block = |i: &u32| &self.blocks[*i as usize];
            let intervals = Intervals {
                times: lane.iter().map(|l| l.1).collect(),
                sizes: lane.iter().map(|(i, _)| block(i).size).collect(),
                aligns: lane.iter().map(|(i, _)| block(i).align).collect(),
                unit: bound::unit(&self.blocks),
            };
            let found = intervals.pack(share);
            self.best.steps += found.steps;
            for ((i, _), at) in lane.iter().zip(found.offsets) {
                offsets[*i as usize] = base + at;
            }
            base = (base + found.peak).next_multiple_of(largest);
        }
        if self
            .blocks
            .iter()
            .zip(&offsets)
            .all(|(b, o)| o % b.align == 0)
        {
            self.offer(offsets);
        }
    }
}
