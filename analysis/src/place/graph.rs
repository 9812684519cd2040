//! Which blocks clash, pair by pair.

use super::near::unordered;
use super::problem::{Block, Live, Problem};
use crate::order::bits::{BitRows, each_bit};

/// A neighbour of a block in the graph of clashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clash {
    /// The other block.
    pub(crate) with: u32,
    /// How far the other lies above this one at least, if it lies above.
    pub(crate) below: u64,
    /// How far this one lies above the other at least, if it lies above.
    pub(crate) above: u64,
}

/// The clashes of all blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    start: Vec<usize>,
    list: Vec<Clash>,
}

impl Graph {
    /// The clashes of each block, by ascending number of the other.
    pub(crate) fn of(&self, block: usize) -> &[Clash] {
        &self.list[self.start[block]..self.start[block + 1]]
    }

    /// All pairs.
    pub(crate) fn pairs(&self) -> usize {
        self.list.len() / 2
    }

    /// The graph of `blocks`, which are in their final order. `over`, if there is one, says which
    /// buffer is over before which.
    pub(crate) fn new(problem: &Problem, blocks: &[Block], over: Option<&BitRows>) -> Self {
        let n = problem.buffers.len();
        let mut of = vec![u32::MAX; n];
        for (b, block) in blocks.iter().enumerate() {
            for &m in &block.members {
                of[m] = b as u32;
            }
        }
        let each = |add: &mut dyn FnMut(usize, usize)| {
            let mut add = |i: usize, j: usize| {
                let (a, b) = (of[i], of[j]);
                let sized = problem.buffers[i].size > 0 && problem.buffers[j].size > 0;
                if a != b && a != u32::MAX && b != u32::MAX && sized {
                    add(i, j);
                }
            };
            match (&problem.live, over) {
                (Live::Times(times), _) => sweep(&times[..n], &mut add),
                (Live::Clashes(rows), _) => {
                    for i in 0..n {
                        each_bit(rows.row(i), |j| {
                            if j < i {
                                add(i, j);
                            }
                        });
                    }
                }
                (_, Some(over)) => unordered(over, n, &mut add),
                (_, None) => {}
            }
            for &(i, j) in &problem.apart {
                add(i, j);
            }
        };
        // Counted first, so that each goes where it stays.
        let mut start = vec![0; blocks.len() + 1];
        each(&mut |i, j| {
            start[of[i] as usize + 1] += 1;
            start[of[j] as usize + 1] += 1;
        });
        for b in 0..blocks.len() {
            start[b + 1] += start[b];
        }
        let none = Clash {
            with: 0,
            below: 0,
            above: 0,
        };
        let (mut list, mut next) = (vec![none; start[blocks.len()]], start.clone());
        each(&mut |i, j| {
            for (i, j) in [(i, j), (j, i)] {
                let at = &mut next[of[i] as usize];
                list[*at] = Clash {
                    with: of[j],
                    below: problem.buffers[i].size,
                    above: problem.buffers[j].size,
                };
                *at += 1;
            }
        });
        let mut graph = Self { start, list };
        graph.tidy();
        graph
    }

    /// Sorts each row, and makes several clashes of two blocks one.
    fn tidy(&mut self) {
        let (mut kept, mut from) = (0, 0);
        for b in 0..self.start.len() - 1 {
            let to = self.start[b + 1];
            let first = kept;
            self.start[b] = first;
            let row = &mut self.list[from..to];
            if !row.is_sorted_by_key(|c| c.with) {
                row.sort_unstable_by_key(|c| c.with);
            }
            for at in from..to {
                let clash = self.list[at];
                if kept > first && self.list[kept - 1].with == clash.with {
                    let last = &mut self.list[kept - 1];
                    last.below = last.below.max(clash.below);
                    last.above = last.above.max(clash.above);
                } else {
                    self.list[kept] = clash;
                    kept += 1;
                }
            }
            from = to;
        }
        if let Some(end) = self.start.last_mut() {
            *end = kept;
        }
        self.list.truncate(kept);
    }
}

/// Calls `add` for all pairs that are live together, some more than once.
pub(crate) fn sweep(times: &[Vec<(i64, i64)>], add: &mut impl FnMut(usize, usize)) {
    let mut pieces: Vec<(i64, i64, usize)> = Vec::new();
    for (i, list) in times.iter().enumerate() {
        let real = list.iter().filter(|p| p.0 < p.1);
        pieces.extend(real.map(|&(from, to)| (from, to, i)));
    }
    pieces.sort_unstable();
    let mut live: Vec<(i64, usize)> = Vec::new();
    for (from, to, i) in pieces {
        live.retain(|l| l.0 > from);
        for &(_, j) in &live {
            add(i, j);
        }
        live.push((to, i));
    }
}

/// Which buffer is over before which, for lifetimes that say so.
pub(crate) fn over_before(problem: &Problem) -> Option<BitRows> {
    let n = problem.buffers.len();
    match &problem.live {
        Live::Order(rows) => Some(rows.clone()),
        Live::Clocks(clocks) => {
            let mut over = BitRows::new(n, n);
            for (i, (_, upper)) in clocks.iter().take(n).enumerate() {
                for (j, (lower, _)) in clocks.iter().take(n).enumerate() {
                    if i != j && upper.iter().zip(lower).all(|(u, l)| u <= l) {
                        over.set(i, j);
                    }
                }
            }
            Some(over)
        }
        Live::Times(_) | Live::Clashes(_) => None,
    }
}
