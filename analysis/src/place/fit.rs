//! Greedy placement: one block after the other, each into a gap between those that it clashes with.

use super::graph::Graph;
use super::problem::Block;

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
    /// Lower and upper end, ascending once [`sort`](Self::sort)ed.
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
        let (mut free, mut chosen) = (0i64, None);
        let mut room = i64::MAX;
        for &(lower, upper) in &self.list {
            if lower >= free && lower - free < room {
                (chosen, room) = (Some(free), lower - free);
                if rule == Gap::First {
                    break;
                }
            }
            if upper > free {
                free = up(upper, align);
            }
        }
        chosen.unwrap_or(free)
    }
}

/// The next multiple of `align`.
pub(crate) fn up(offset: i64, align: u64) -> i64 {
    match align {
        1 => offset,
        _ => (offset as u64).next_multiple_of(align) as i64,
    }
}

/// Places blocks in the order of `sequence`. Those with fixed offsets lie there already.
pub(crate) fn place(blocks: &[Block], graph: &Graph, sequence: &[u32], rule: Gap) -> Vec<u64> {
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

/// Orders worth trying: by size, by what a block clashes with, and by both.
pub(crate) fn sequences(blocks: &[Block], graph: &Graph) -> Vec<Vec<u32>> {
    let near = |i: usize| -> u128 {
        let heights = graph.of(i).iter().map(|c| u128::from(c.above));
        heights.sum()
    };
    let near: Vec<u128> = (0..blocks.len()).map(near).collect();
    let keys: [&dyn Fn(usize) -> u128; 4] = [
        &|i| u128::from(blocks[i].size),
        &|i| u128::from(blocks[i].size) * graph.of(i).len() as u128,
        &|i| near[i],
        &|i| (near[i] >> 20) * u128::from(blocks[i].size),
    ];
    let sorted = |key: &&dyn Fn(usize) -> u128| {
        let mut list: Vec<u32> = (0..blocks.len() as u32).collect();
        list.sort_by_key(|&i| std::cmp::Reverse(key(i as usize)));
        list
    };
    keys.iter().map(sorted).collect()
}
