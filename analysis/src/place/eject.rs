//! Local search for a placement below a capacity: what does not fit throws others out.
//!
//! A block that has no gap takes the place where those in its way weigh least, and they are placed
//! anew. Each time a block has no gap it weighs more from then on, so what is hard to place stays
//! where it is (ejection with counters, as Nagata and Bräysy do for vehicle routing, 2009).

use super::fit::{Forbidden, Gap, peak, up};
use super::graph::Graph;
use super::interval::Found;
use super::problem::Block;
use super::rng::Rng;
use super::swap;

/// Lowers the peak of `found`, until it is `enough` or the bound, or for `steps` steps in all.
pub(crate) fn improve(
    blocks: &[Block],
    graph: &Graph,
    mut found: Found,
    enough: u64,
    grain: u64,
    steps: u64,
) -> Found {
    let goal = found.bound.max(enough);
    // Down by a part of what is left, and by less of it, but for longer, where that fails.
    let below = |peak: u64, part: u64| {
        let left = peak - goal;
        peak - (left / part).max(grain).min(left)
    };
    let mut share = steps.saturating_sub(found.steps) / 16;
    let mut search = Eject::new(blocks, graph, 0);
    let mut part = 4;
    while found.peak > goal && found.steps < steps {
        let before = search.steps;
        let rest = share.min(steps - found.steps);
        let lower = search.run(&found.offsets, below(found.peak, part), rest);
        found.steps += (search.steps - before).max(1);
        if let Some(offsets) = lower {
            found.peak = peak(blocks, &offsets);
            found.offsets = offsets;
            part = 4;
            continue;
        }
        // Perhaps all that is lacking lies between blocks.
        let (known, until) = (found.peak, found.steps + share / 4);
        found = swap::improve(blocks, graph, found, enough, until.min(steps));
        part = if found.peak < known { 4 } else { 12 };
        share = share.saturating_mul(3) / 2 + 1;
    }
    found
}

/// The weight of a block that cannot be moved.
const FIXED: u64 = 1 << 63;

/// A search for one capacity.
pub(crate) struct Eject<'a> {
    blocks: &'a [Block],
    graph: &'a Graph,
    rng: Rng,
    weight: Vec<u64>,
    /// Negative where not placed.
    offsets: Vec<i64>,
    /// What is not placed.
    waiting: Vec<u32>,
    forbidden: Forbidden,
    ends: Vec<(i64, u64)>,
    begins: Vec<(i64, u64)>,
    /// Clashes looked at.
    pub(crate) steps: u64,
}

impl<'a> Eject<'a> {
    pub(crate) fn new(blocks: &'a [Block], graph: &'a Graph, seed: u64) -> Self {
        Self {
            blocks,
            graph,
            rng: Rng::new(seed),
            weight: vec![1; blocks.len()],
            offsets: vec![-1; blocks.len()],
            waiting: Vec::new(),
            forbidden: Forbidden::default(),
            ends: Vec::new(),
            begins: Vec::new(),
            steps: 0,
        }
    }

    /// Searches below `capacity`, from `start`, for about `steps` steps.
    pub(crate) fn run(&mut self, start: &[u64], capacity: u64, steps: u64) -> Option<Vec<u64>> {
        self.waiting.clear();
        for (i, block) in self.blocks.iter().enumerate() {
            let fits = start[i] + block.size <= capacity;
            if !fits && block.fixed.is_some() {
                return None;
            }
            self.offsets[i] = if fits { start[i] as i64 } else { -1 };
            if !fits {
                self.waiting.push(i as u32);
            }
        }
        self.waiting.sort_by_key(|&i| self.blocks[i as usize].size);
        let limit = self.steps.saturating_add(steps);
        while let Some(i) = self.waiting.pop() {
            if self.steps > limit || !self.insert(i as usize, capacity as i64) {
                return None;
            }
            if !self.waiting.is_empty() {
                self.shake(capacity as i64);
            }
        }
        Some(self.offsets.iter().map(|&o| o as u64).collect())
    }

    fn look(&mut self, i: usize) {
        self.forbidden.gather(self.graph, i, &self.offsets);
        self.steps += 4 * self.graph.of(i).len() as u64 + 16;
    }

    /// Places a block; false if even an empty arena has no room.
    fn insert(&mut self, i: usize, capacity: i64) -> bool {
        self.look(i);
        let block = &self.blocks[i];
        let at = self.forbidden.gap(block.align, Gap::Best);
        if at + block.size as i64 <= capacity {
            self.offsets[i] = at;
            return true;
        }
        self.weight[i] += 1;
        let Some(at) = self.cheapest(i, capacity) else {
            return false;
        };
        let first = self.waiting.len();
        for clash in self.graph.of(i) {
            let other = self.offsets[clash.with as usize];
            let clear =
                other < 0 || at >= other + clash.above as i64 || other >= at + clash.below as i64;
            if !clear {
                self.offsets[clash.with as usize] = -1;
                self.waiting.push(clash.with);
            }
        }
        self.waiting[first..].sort_by_key(|&j| self.blocks[j as usize].size);
        self.offsets[i] = at;
        true
    }

    /// The place where what is in the way weighs least.
    fn cheapest(&mut self, i: usize, capacity: i64) -> Option<i64> {
        let block = &self.blocks[i];
        let most = capacity - block.size as i64;
        if most < 0 {
            return None;
        }
        let last = most - most % block.align as i64;
        self.begins.clear();
        self.ends.clear();
        let mut places = vec![0, last];
        for clash in self.graph.of(i) {
            let j = clash.with as usize;
            let other = self.offsets[j];
            if other < 0 {
                continue;
            }
            let weight = match self.blocks[j].fixed {
                Some(_) => FIXED,
                None => self.weight[j]
                    .saturating_mul(self.blocks[j].size.isqrt() + 1)
                    .min(1 << 50),
            };
            let (lower, upper) = (other - clash.below as i64, other + clash.above as i64);
            self.begins.push((lower, weight));
            self.ends.push((upper, weight));
            places.push(up(upper, block.align));
            if lower > 0 {
                places.push(lower - lower % block.align as i64);
            }
        }
        self.begins.sort_unstable();
        self.ends.sort_unstable();
        places.retain(|&p| p <= last);
        places.sort_unstable();
        places.dedup();
        self.steps += 4 * places.len() as u64;
        let (mut b, mut e, mut cost) = (0, 0, 0u128);
        let (mut best, mut least, mut equal) = (None, u128::MAX, 0);
        for &p in &places {
            while b < self.begins.len() && self.begins[b].0 < p {
                cost += u128::from(self.begins[b].1);
                b += 1;
            }
            while e < self.ends.len() && self.ends[e].0 <= p {
                cost -= u128::from(self.ends[e].1);
                e += 1;
            }
            if cost < least {
                (best, least, equal) = (Some(p), cost, 1);
            } else if cost == least {
                equal += 1;
                if self.rng.below(equal) == 0 {
                    best = Some(p);
                }
            }
        }
        best.filter(|_| least < u128::from(FIXED))
    }

    /// Moves a few blocks to other gaps, so that the same is not tried again.
    fn shake(&mut self, capacity: i64) {
        for _ in 0..4 {
            let i = self.rng.below(self.blocks.len());
            if self.offsets[i] < 0 || self.blocks[i].fixed.is_some() {
                continue;
            }
            self.look(i);
            let block = &self.blocks[i];
            let most = capacity - block.size as i64;
            let (mut free, mut seen) = (0i64, 0);
            let end = (most + 1, most + 1);
            for &(lower, upper) in self.forbidden.list.iter().chain([&end]) {
                if lower.min(most) >= free {
                    // The gap's lower or upper end.
                    let high = lower.min(most);
                    for at in [free, high - high % block.align as i64] {
                        seen += 1;
                        if self.rng.below(seen) == 0 {
                            self.offsets[i] = at;
                        }
                    }
                }
                if upper > free {
                    free = up(upper, block.align);
                }
            }
        }
    }
}
