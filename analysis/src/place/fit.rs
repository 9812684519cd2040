//! Greedy placement: one block after the other, each into a gap between those that it clashes with.

use super::graph::Graph;
use super::near::Near;
use super::problem::Block;
use crate::order::bits::each_bit;

/// Which gap a block takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    /// The lowest that fits.
    First,
    /// The one that leaves the least.
    Best,
}

/// The peak of `offsets`.
pub(crate) fn peak(blocks: &[Block], offsets: &[u64]) -> u64 {
    let top = |(b, o): (&Block, &u64)| o + b.size;
    blocks.iter().zip(offsets).map(top).max().unwrap_or(0)
}

/// Open intervals in which an offset must not lie.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forbidden {
    /// Lower and upper end, ascending as [`gather`](Self::gather) leaves them.
    pub(crate) list: Vec<(i64, i64)>,
}

impl Forbidden {
    /// What the placed neighbours of `block` forbid. Offsets that are negative are not placed.
    pub(crate) fn gather(&mut self, graph: &Graph, block: usize, offsets: &[i64]) {
        self.list.clear();
        for clash in graph.of(block) {
            let at = offsets[clash.with as usize];
            if at >= 0 {
                self.list
                    .push((at - clash.below as i64, at + clash.above as i64));
            }
        }
        self.list.sort_unstable();
    }

    /// The gap for something of `align`, whatever it ends at.
    pub(crate) fn gap(&self, align: u64, rule: Gap) -> i64 {
        let mut scan = Scan::new(align, rule);
        for &(lower, upper) in &self.list {
            if scan.passes(lower, upper) {
                break;
            }
        }
        scan.chosen.unwrap_or(scan.free)
    }
}

/// What is known of the gaps below some height.
struct Scan {
    align: u64,
    rule: Gap,
    /// From here on nothing is in the way so far.
    free: i64,
    /// The best gap so far, and what it leaves.
    chosen: Option<i64>,
    room: i64,
}

impl Scan {
    fn new(align: u64, rule: Gap) -> Self {
        Self {
            align,
            rule,
            free: 0,
            chosen: None,
            room: i64::MAX,
        }
    }

    /// Goes by the next interval that is forbidden; whether no other one matters.
    fn passes(&mut self, lower: i64, upper: i64) -> bool {
        if lower >= self.free && lower - self.free < self.room {
            (self.chosen, self.room) = (Some(self.free), lower - self.free);
            if self.rule == Gap::First {
                return true;
            }
        }
        if upper > self.free {
            self.free = up(upper, self.align);
        }
        false
    }
}

/// The next multiple of `align`.
pub(crate) fn up(offset: i64, align: u64) -> i64 {
    match align {
        1 => offset,
        _ => (offset as u64).next_multiple_of(align) as i64,
    }
}

/// What says which blocks clash.
#[derive(Clone, Copy)]
pub(crate) enum Clashes<'a> {
    /// Bits, of blocks of one buffer each without fixed offsets.
    Bits(&'a Near),
    /// Lists.
    Lists(&'a Graph),
}

impl Clashes<'_> {
    /// Steps of one placement.
    pub(crate) fn steps(&self) -> u64 {
        match self {
            Self::Bits(near) => 2 * near.pairs() as u64,
            Self::Lists(graph) => 8 * graph.pairs() as u64,
        }
    }

    fn count(&self, block: usize) -> usize {
        match self {
            Self::Bits(near) => near.count(block),
            Self::Lists(graph) => graph.of(block).len(),
        }
    }

    /// Sizes of all that clash with a block.
    fn weight(&self, blocks: &[Block], block: usize) -> u128 {
        let mut sum = 0;
        match self {
            Self::Bits(near) => {
                each_bit(near.row(block), |b| sum += u128::from(blocks[b].size));
            }
            Self::Lists(graph) => {
                let heights = graph.of(block).iter().map(|c| u128::from(c.above));
                sum = heights.sum();
            }
        }
        sum
    }
}

/// Places blocks in the order of `sequence`. Those with fixed offsets lie there already.
pub(crate) fn place(
    blocks: &[Block],
    clashes: Clashes<'_>,
    sequence: &[u32],
    rule: Gap,
) -> Vec<u64> {
    let graph = match clashes {
        Clashes::Bits(near) => return place_by_bits(blocks, near, sequence, rule),
        Clashes::Lists(graph) => graph,
    };
    let fixed = |b: &Block| b.fixed.map_or(-1, |f| f as i64);
    let mut offsets: Vec<i64> = blocks.iter().map(fixed).collect();
    let mut forbidden = Forbidden::default();
    for &i in sequence {
        let i = i as usize;
        if blocks[i].fixed.is_none() {
            forbidden.gather(graph, i, &offsets);
            offsets[i] = forbidden.gap(blocks[i].align, rule);
        }
    }
    offsets.into_iter().map(|o| o.max(0) as u64).collect()
}

/// The same over bits. What is placed is kept sorted, so that the many that are in the way of a block
/// need not be: unoptimised, as in a macro, sorting would take most of the time.
fn place_by_bits(blocks: &[Block], near: &Near, sequence: &[u32], rule: Gap) -> Vec<u64> {
    let mut offsets = vec![-1i64; blocks.len()];
    let mut placed: Vec<(i64, u32)> = Vec::with_capacity(blocks.len());
    let mut forbidden = Forbidden::default();
    for &i in sequence {
        let block = &blocks[i as usize];
        let (size, row) = (block.size as i64, near.row(i as usize));
        let at = if near.count(i as usize) < placed.len() / 16 {
            forbidden.list.clear();
            each_bit(row, |j| {
                if offsets[j] >= 0 {
                    let end = offsets[j] + blocks[j].size as i64;
                    forbidden.list.push((offsets[j] - size, end));
                }
            });
            forbidden.list.sort_unstable();
            forbidden.gap(block.align, rule)
        } else {
            let mut scan = Scan::new(block.align, rule);
            let placed = placed.as_slice();
            let mut k = 0;
            while k < placed.len() {
                let (at, j) = placed[k];
                let j = j as usize;
                if row[j / 64] >> (j % 64) & 1 != 0
                    && scan.passes(at - size, at + blocks[j].size as i64)
                {
                    break;
                }
                k += 1;
            }
            scan.chosen.unwrap_or(scan.free)
        };
        offsets[i as usize] = at;
        let here = placed.partition_point(|p| *p < (at, i));
        placed.insert(here, (at, i));
    }
    offsets.into_iter().map(|o| o.max(0) as u64).collect()
}

/// Orders worth trying: by size, by what a block clashes with, and by both.
pub(crate) const SEQUENCES: usize = 4;

/// One of them.
pub(crate) fn sequence(which: usize, blocks: &[Block], clashes: Clashes<'_>) -> Vec<u32> {
    let size = |i: usize| u128::from(blocks[i].size);
    let near = |i: usize| clashes.weight(blocks, i);
    let key = |i: usize| match which {
        0 => size(i),
        1 => size(i) * clashes.count(i) as u128,
        2 => near(i),
        _ => near(i).saturating_mul(size(i)),
    };
    let mut keyed: Vec<(std::cmp::Reverse<u128>, u32)> = (0..blocks.len())
        .map(|i| (std::cmp::Reverse(key(i)), i as u32))
        .collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, i)| i).collect()
}
