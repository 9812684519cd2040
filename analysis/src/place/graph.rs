//! Which blocks clash, pair by pair.

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
        let mut rows: Vec<Vec<Clash>> = vec![Vec::new(); blocks.len()];
        let mut add = |i: usize, j: usize| {
            let (a, b) = (of[i], of[j]);
            if a != b && a != u32::MAX && b != u32::MAX {
                let (x, y) = (problem.buffers[i].size, problem.buffers[j].size);
                if x > 0 && y > 0 {
                    rows[a as usize].push(Clash {
                        with: b,
                        below: x,
                        above: y,
                    });
                    rows[b as usize].push(Clash {
                        with: a,
                        below: y,
                        above: x,
                    });
                }
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
            (_, Some(over)) => {
                for i in 0..n {
                    for j in 0..i {
                        if !over.get(i, j) && !over.get(j, i) {
                            add(i, j);
                        }
                    }
                }
            }
            (_, None) => {}
        }
        for &(i, j) in &problem.apart {
            add(i, j);
        }
        let mut graph = Self {
            start: vec![0],
            list: Vec::new(),
        };
        for mut row in rows {
            row.sort_unstable_by_key(|c| c.with);
            for clash in row {
                let first = graph.start[graph.start.len() - 1];
                match graph.list[first..].last_mut() {
                    Some(last) if last.with == clash.with => {
                        last.below = last.below.max(clash.below);
                        last.above = last.above.max(clash.above);
                    }
                    _ => graph.list.push(clash),
                }
            }
            graph.start.push(graph.list.len());
        }
        graph
    }
}

/// Calls `add` for all pairs that are live together, some more than once.
fn sweep(times: &[Vec<(i64, i64)>], add: &mut impl FnMut(usize, usize)) {
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
