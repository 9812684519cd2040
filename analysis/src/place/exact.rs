//! Exact search for a small set, whatever its clashes are.
//!
//! Blocks are placed in order of their offsets, each at the lowest that the placed ones leave it, as
//! in MiniMalloc (Moffitt and Fernando, ASPLOS 2023). Some best placement arises so: let each block
//! that is not fixed sink as far as it goes. A block that lies where another one, still to be placed,
//! has room below it is not worth trying. Cliques bound what the rest needs.

use super::bound::stack;
use super::fit::up;
use super::graph::Graph;
use super::problem::Block;

/// Sets up to this size are searched.
pub(crate) const MOST: usize = 96;

/// A search for a placement below the best known.
pub(crate) struct Exact<'a> {
    blocks: &'a [Block],
    graph: &'a Graph,
    unit: u64,
    /// Blocks that clash with each other, and their least heights there.
    cliques: Vec<Vec<(u32, u64)>>,
    offsets: Vec<i64>,
    placed: Vec<bool>,
    /// The best known peak, and its offsets once there are any.
    best: u64,
    found: Option<Vec<u64>>,
    /// What is good enough.
    bound: u64,
    limit: u64,
    pub(crate) steps: u64,
    list: Vec<(i64, u64)>,
}

impl<'a> Exact<'a> {
    pub(crate) fn new(blocks: &'a [Block], graph: &'a Graph, unit: u64) -> Self {
        Self {
            blocks,
            graph,
            unit,
            cliques: cliques(blocks, graph),
            offsets: vec![0; blocks.len()],
            placed: vec![false; blocks.len()],
            best: 0,
            found: None,
            bound: 0,
            limit: 0,
            steps: 0,
            list: Vec::new(),
        }
    }

    /// Searches for peaks below `best`, until one is `bound` or less. Gives the best offsets found, and
    /// whether nothing better is left.
    pub(crate) fn run(&mut self, best: u64, bound: u64, steps: u64) -> (Option<Vec<u64>>, bool) {
        (self.best, self.bound, self.limit) = (best, bound, steps);
        let fixed = |b: &Block| b.fixed.map_or(0, |f| f as i64);
        let least: Vec<i64> = self.blocks.iter().map(fixed).collect();
        let done = self.search(&least, (-1, 0), 0, 0);
        (self.found.take(), done)
    }

    /// Places the rest above `least`, behind what was placed `last`; false if the steps ran out.
    fn search(&mut self, least: &[i64], last: (i64, usize), count: usize, peak: u64) -> bool {
        if count == self.blocks.len() {
            self.best = peak;
            self.found = Some(self.offsets.iter().map(|&o| o as u64).collect());
            return true;
        }
        if self.steps > self.limit {
            return false;
        }
        self.steps += self.blocks.len() as u64 * 4;
        let open = (0..self.blocks.len()).filter(|&i| !self.placed[i]);
        let top = |i: usize| least[i] + self.blocks[i].size as i64;
        let lowest = open.clone().map(top).min().unwrap_or(0);
        let fixed = open.clone().filter(|&i| self.blocks[i].fixed.is_some());
        let fixed = fixed.map(|i| least[i]).min().unwrap_or(i64::MAX);
        let usable = |&i: &usize| (least[i], i) > last && least[i] < lowest && least[i] <= fixed;
        let mut choices: Vec<usize> = open.filter(usable).collect();
        choices.sort_unstable_by_key(|&i| (least[i], i));
        for i in choices {
            let peak = peak.max(least[i] as u64 + self.blocks[i].size);
            if peak >= self.best {
                continue;
            }
            let mut next = least.to_vec();
            let mut fits = true;
            for clash in self.graph.of(i) {
                let j = clash.with as usize;
                if !self.placed[j] {
                    let at = up(least[i] + clash.below as i64, self.blocks[j].align);
                    fits &= self.blocks[j].fixed.is_none() || at <= next[j];
                    next[j] = next[j].max(at);
                }
            }
            self.placed[i] = true;
            self.offsets[i] = least[i];
            let done = !fits
                || !self.room(&next, least[i])
                || self.search(&next, (least[i], i), count + 1, peak);
            self.placed[i] = false;
            if !done {
                return false;
            }
            if self.best <= self.bound {
                return true;
            }
        }
        true
    }

    /// Whether every clique has room for its rest below the best peak.
    fn room(&mut self, least: &[i64], floor: i64) -> bool {
        for clique in &self.cliques {
            self.steps += clique.len() as u64;
            self.list.clear();
            let open = clique.iter().filter(|c| !self.placed[c.0 as usize]);
            let list = open.map(|&(i, height)| (least[i as usize].max(floor), height));
            self.list.extend(list);
            self.list.sort_unstable();
            let mut end = 0u64;
            for k in 0..self.list.len() {
                let first = self.list[k].0 as u64;
                let heights = self.list[k..].iter().map(|l| l.1);
                if first >= end || k == 0 {
                    end = end.max(first + stack(heights, self.unit));
                }
            }
            if end >= self.best {
                return false;
            }
        }
        true
    }
}

/// From each block a clique with as large neighbours as it has.
fn cliques(blocks: &[Block], graph: &Graph) -> Vec<Vec<(u32, u64)>> {
    let clash = |a: u32, b: u32| {
        let list = graph.of(a as usize);
        list.binary_search_by_key(&b, |c| c.with).map(|at| list[at])
    };
    let mut all: Vec<Vec<u32>> = Vec::new();
    for first in 0..blocks.len() {
        let mut near: Vec<u32> = graph.of(first).iter().map(|c| c.with).collect();
        near.sort_by_key(|&j| std::cmp::Reverse(blocks[j as usize].size));
        let mut clique = vec![first as u32];
        for j in near {
            if clique.iter().all(|&c| clash(c, j).is_ok()) {
                clique.push(j);
            }
        }
        clique.sort_unstable();
        all.push(clique);
    }
    all.sort_unstable();
    all.dedup();
    let height = |clique: &[u32], i: u32| {
        let others = clique.iter().filter(|&&j| j != i);
        let heights = others.filter_map(|&j| clash(i, j).ok()).map(|c| c.below);
        heights.min().unwrap_or(blocks[i as usize].size)
    };
    let weigh = |c: &Vec<u32>| c.iter().map(|&i| (i, height(c, i))).collect();
    all.iter().map(weigh).collect()
}
