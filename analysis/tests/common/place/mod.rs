//! What a placement must be, by definition and without the solver, and random problems.

pub mod random;

use gpu_graph_analysis::place::{Live, Placement, Problem};

/// Judges placements of a problem.
pub struct Judge<'a> {
    problem: &'a Problem,
    /// Buffers at one offset have the same number.
    block: Vec<usize>,
}

impl<'a> Judge<'a> {
    pub fn new(problem: &'a Problem) -> Self {
        let mut block: Vec<usize> = (0..problem.buffers.len()).collect();
        for _ in 0..block.len() {
            for &(a, b) in &problem.same {
                let low = block[a].min(block[b]);
                (block[a], block[b]) = (low, low);
            }
        }
        Self { problem, block }
    }

    /// Whether two buffers must not overlap.
    pub fn clash(&self, i: usize, j: usize) -> bool {
        if self.block[i] == self.block[j] {
            return false;
        }
        let named = |&p: &(usize, usize)| p == (i, j) || p == (j, i);
        let live = match &self.problem.live {
            Live::Times(times) => {
                let at = |b: usize, t: i64| times[b].iter().any(|p| p.0 <= t && t < p.1);
                let starts = times[i].iter().chain(&times[j]).map(|p| p.0);
                starts.into_iter().any(|t| at(i, t) && at(j, t))
            }
            Live::Clocks(clocks) => {
                let over = |a: usize, b: usize| {
                    let (upper, lower) = (&clocks[a].1, &clocks[b].0);
                    (0..upper.len()).all(|k| upper[k] <= lower[k])
                };
                !over(i, j) && !over(j, i)
            }
            Live::Order(rows) => !rows.get(i, j) && !rows.get(j, i),
            Live::Clashes(rows) => rows.get(i, j),
        };
        live || self.problem.apart.iter().any(named)
    }

    /// Asserts all that a placement promises but that it is a good one.
    pub fn assert_holds(&self, found: &Placement) {
        let (buffers, at) = (&self.problem.buffers, &found.offsets);
        assert_eq!(at.len(), buffers.len());
        let ends = buffers.iter().zip(at).map(|(b, o)| o + b.size);
        assert_eq!(found.peak, ends.max().unwrap_or(0), "{:?}", self.problem);
        assert!(found.lower_bound <= found.peak);
        for (k, &i) in found.clique.iter().enumerate() {
            let clash = |&j: &usize| self.clash(i, j);
            assert!(found.clique[..k].iter().all(clash), "{:?}", self.problem);
        }
        for i in 0..buffers.len() {
            assert_eq!(at[i] % buffers[i].alignment, 0, "{:?}", self.problem);
            assert!(
                buffers[i].fixed.is_none_or(|f| f == at[i]),
                "{:?}",
                self.problem
            );
            for j in 0..i {
                assert!(self.block[i] != self.block[j] || at[i] == at[j]);
                let overlap = at[i] < at[j] + buffers[j].size && at[j] < at[i] + buffers[i].size;
                // Nothing overlaps what has no bytes.
                let bytes = buffers[i].size > 0 && buffers[j].size > 0;
                let wrong = bytes && overlap && self.clash(i, j);
                assert!(
                    !wrong,
                    "{i} and {j} overlap in {:?} at {at:?}",
                    self.problem
                );
            }
        }
    }

    /// The lowest peak of all placements, or `None` where there is none.
    ///
    /// Taken from the lowest offset up, in some best placement each block lies as low as those below
    /// it that it clashes with allow; so trying all orders finds the best.
    pub fn optimum(&self) -> Option<u64> {
        let mut blocks: Vec<usize> = self.block.clone();
        blocks.sort_unstable();
        blocks.dedup();
        let mut best = None;
        self.orders(&mut blocks, 0, &mut Vec::new(), 0, &mut best);
        best
    }

    fn orders(
        &self,
        blocks: &mut Vec<usize>,
        done: usize,
        placed: &mut Vec<(usize, u64)>,
        peak: u64,
        best: &mut Option<u64>,
    ) {
        if best.is_some_and(|b| peak >= b) {
            return;
        }
        if done == blocks.len() {
            *best = Some(peak);
            return;
        }
        for k in done..blocks.len() {
            blocks.swap(done, k);
            if let Some((at, size)) = self.lowest(blocks[done], placed) {
                placed.push((blocks[done], at));
                self.orders(blocks, done + 1, placed, peak.max(at + size), best);
                placed.pop();
            }
            blocks.swap(done, k);
        }
    }

    /// The lowest offset of a block above what is placed, and its size.
    fn lowest(&self, block: usize, placed: &[(usize, u64)]) -> Option<(u64, u64)> {
        let buffers = &self.problem.buffers;
        let of = |b: usize| (0..buffers.len()).filter(move |&i| self.block[i] == b);
        let mut at = 0;
        for &(other, offset) in placed {
            for i in of(block) {
                for j in of(other) {
                    let bytes = buffers[i].size > 0 && buffers[j].size > 0;
                    if bytes && self.clash(i, j) {
                        at = at.max(offset + buffers[j].size);
                    }
                }
            }
        }
        while of(block).any(|i| at % buffers[i].alignment != 0) {
            at += 1;
        }
        let size = of(block).map(|i| buffers[i].size).max().unwrap_or(0);
        match of(block).find_map(|i| buffers[i].fixed) {
            Some(fixed) if fixed < at => None,
            Some(fixed) => Some((fixed, size)),
            None => Some((at, size)),
        }
    }
}
