//! Which blocks clash, as bits: for sets of which most pairs do, and which a greedy placement may be
//! all that they need.

use super::problem::{Block, Live, Problem};
use crate::order::bits::{BitRows, each_bit};

/// Which blocks clash.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    /// Bit `b` of row `a`: the two do.
    rows: BitRows,
    /// How many do.
    count: Vec<usize>,
}

impl Near {
    /// The clashes of `blocks` of one buffer each. `over`, if there is one, says which buffer is over
    /// before which.
    pub(crate) fn new(problem: &Problem, blocks: &[Block], over: Option<&BitRows>) -> Self {
        let n = problem.buffers.len();
        let mut of = vec![None; n];
        for (b, block) in blocks.iter().enumerate() {
            block.members.iter().for_each(|&m| of[m] = Some(b));
        }
        // An index into a `Vec` is three calls where this runs unoptimised.
        let of = of.as_slice();
        let mut near = BitRows::new(blocks.len(), blocks.len());
        let mut add = |i: usize, j: usize| {
            if let (Some(a), Some(b)) = (of[i], of[j]) {
                near.set(a, b);
                near.set(b, a);
            }
        };
        match (&problem.live, over) {
            (Live::Times(times), _) => super::graph::sweep(&times[..n], &mut add),
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
        let ones = |a: usize| near.row(a).iter().map(|w| w.count_ones() as usize).sum();
        Self {
            count: (0..blocks.len()).map(ones).collect(),
            rows: near,
        }
    }

    /// The clashes of a block.
    pub(crate) fn row(&self, a: usize) -> &[u64] {
        self.rows.row(a)
    }

    /// How many there are.
    pub(crate) fn count(&self, a: usize) -> usize {
        self.count[a]
    }

    /// All pairs.
    pub(crate) fn pairs(&self) -> usize {
        self.rows.ones() / 2
    }
}

/// Calls `add` for each pair of the first `n` of which neither is before the other, the larger first.
pub(crate) fn unordered(over: &BitRows, n: usize, add: &mut impl FnMut(usize, usize)) {
    let mut related = over.clone();
    for i in 0..n {
        each_bit(over.row(i), |j| related.set(j, i));
    }
    for i in 0..n {
        let row = related.row(i);
        let mut k = 0;
        while k <= i / 64 {
            let mut rest = !row[k];
            if k == i / 64 {
                rest &= (1 << (i % 64)) - 1;
            }
            while rest != 0 {
                add(i, k * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
            k += 1;
        }
    }
}
