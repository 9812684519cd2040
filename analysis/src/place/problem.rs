//! What is to be placed, and what is wrong with it.

use std::fmt;

use crate::order::bits::BitRows;

/// A buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Bytes.
    pub size: u64,
    /// What its offset is a multiple of; at least 1.
    pub alignment: u64,
    /// Its offset, if that is given.
    pub fixed: Option<u64>,
}

/// When buffers are live, and so which of them clash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Live {
    /// For each buffer half-open times, ascending and apart; what lies between them are gaps. Two
    /// buffers clash if some time is in both. A buffer without times is never live.
    Times(Vec<Vec<(i64, i64)>>),
    /// For each buffer the vector clocks at which it begins and is over. One is over before another
    /// begins if no component of its end is above that of the other's beginning; two buffers clash
    /// if neither is over before the other.
    Clocks(Vec<(Vec<i64>, Vec<i64>)>),
    /// Bit `b` of row `a`: `a` is over before `b` begins. Transitive and without cycles.
    Order(BitRows),
    /// Bit `b` of row `a`: the two clash. Symmetric.
    Clashes(BitRows),
}

/// Buffers of one arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The buffers.
    pub buffers: Vec<Buffer>,
    /// When they are live.
    pub live: Live,
    /// Buffers that must have the same offset, and so may overlap whenever they are live.
    pub same: Vec<(usize, usize)>,
    /// Buffers that must not overlap, whenever they are live.
    pub apart: Vec<(usize, usize)>,
}

/// A demand that nothing can meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// A buffer is named that there is not, or has no lifetime.
    Missing(usize),
    /// The alignment of a buffer is 0.
    NoAlignment(usize),
    /// The lifetime of a buffer ends before it begins, or its times are not ascending.
    Lifetime(usize),
    /// The clocks of a buffer have another number of components than those of the first.
    Width(usize),
    /// The fixed offset is no multiple of the alignment of this buffer.
    Unaligned(usize, usize),
    /// The alignments of two buffers at one offset have no common multiple below 2⁶².
    Alignments(usize, usize),
    /// Two buffers of one offset have different fixed ones.
    TwoOffsets(usize, usize),
    /// Two buffers must have one offset and be apart.
    SameApart(usize, usize),
    /// Two buffers with fixed offsets clash and overlap.
    FixedOverlap(usize, usize),
    /// With this buffer all sizes, alignments and fixed offsets together reach 2⁶².
    TooLarge(usize),
}

impl Wrong {
    /// The buffer to point to, the later one of two, and the other.
    pub fn at(&self) -> (usize, Option<usize>) {
        match *self {
            Self::Missing(a)
            | Self::NoAlignment(a)
            | Self::Lifetime(a)
            | Self::Width(a)
            | Self::TooLarge(a) => (a, None),
            Self::Unaligned(a, b)
            | Self::Alignments(a, b)
            | Self::TwoOffsets(a, b)
            | Self::SameApart(a, b)
            | Self::FixedOverlap(a, b) => (a.max(b), Some(a.min(b))),
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing(_) => "there is no such buffer",
            Self::NoAlignment(_) => "an alignment is at least 1",
            Self::Lifetime(_) => "the lifetime ends before it begins",
            Self::Width(_) => "the clock has another number of components than the others",
            Self::Unaligned(..) => "the fixed offset is no multiple of the alignment",
            Self::Alignments(..) => "the alignments at one offset have no common multiple",
            Self::TwoOffsets(..) => "buffers of one offset have different fixed ones",
            Self::SameApart(..) => "the two must have one offset and be apart",
            Self::FixedOverlap(..) => "the two clash, and their fixed offsets make them overlap",
            Self::TooLarge(_) => "sizes, alignments and offsets together reach 2^62",
        })
    }
}

impl std::error::Error for Wrong {}

/// Buffers at one offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// Of its largest buffer.
    pub(crate) size: u64,
    pub(crate) align: u64,
    pub(crate) fixed: Option<u64>,
    /// Ascending.
    pub(crate) members: Vec<usize>,
}

impl Problem {
    /// The blocks, in the order of their first buffers.
    ///
    /// # Errors
    /// The first demand found that nothing can meet. That fixed offsets overlap is not looked for.
    pub(crate) fn blocks(&self) -> Result<Vec<Block>, Wrong> {
        let n = self.buffers.len();
        self.well_formed()?;
        let mut root: Vec<usize> = (0..n).collect();
        for &(a, b) in &self.same {
            let (a, b) = (find(&mut root, a), find(&mut root, b));
            root[a.max(b)] = a.min(b);
        }
        for &(a, b) in &self.apart {
            if find(&mut root, a) == find(&mut root, b) {
                return Err(Wrong::SameApart(a, b));
            }
        }
        let mut of: Vec<Option<usize>> = vec![None; n];
        let mut blocks: Vec<Block> = Vec::new();
        for i in 0..n {
            let r = find(&mut root, i);
            let buffer = &self.buffers[i];
            let Some(at) = of[r] else {
                of[r] = Some(blocks.len());
                blocks.push(Block {
                    size: buffer.size,
                    align: buffer.alignment,
                    fixed: buffer.fixed,
                    members: vec![i],
                });
                continue;
            };
            let block = &mut blocks[at];
            let first = block.members[0];
            block.align = common_multiple(block.align, buffer.alignment)
                .ok_or(Wrong::Alignments(first, i))?;
            if let (Some(x), Some(y)) = (block.fixed, buffer.fixed)
                && x != y
            {
                let fixed = |&&m: &&usize| self.buffers[m].fixed.is_some();
                let other = block.members.iter().find(fixed);
                return Err(Wrong::TwoOffsets(other.copied().unwrap_or(first), i));
            }
            block.fixed = block.fixed.or(buffer.fixed);
            block.size = block.size.max(buffer.size);
            block.members.push(i);
        }
        self.fits_in_numbers(&blocks)?;
        Ok(blocks)
    }

    fn well_formed(&self) -> Result<(), Wrong> {
        let n = self.buffers.len();
        for &(a, b) in self.same.iter().chain(&self.apart) {
            if a.max(b) >= n {
                return Err(Wrong::Missing(a.max(b)));
            }
        }
        if let Some(i) = self.buffers.iter().position(|b| b.alignment == 0) {
            return Err(Wrong::NoAlignment(i));
        }
        let lifetimes = match &self.live {
            Live::Times(times) => times.len(),
            Live::Clocks(clocks) => clocks.len(),
            Live::Order(rows) | Live::Clashes(rows) => rows.rows().min(rows.bits()),
        };
        if lifetimes < n {
            return Err(Wrong::Missing(lifetimes));
        }
        match &self.live {
            Live::Times(times) => {
                let rises = |t: &Vec<(i64, i64)>| {
                    t.iter().all(|p| p.0 <= p.1) && t.windows(2).all(|w| w[0].1 <= w[1].0)
                };
                match times.iter().take(n).position(|t| !rises(t)) {
                    Some(i) => Err(Wrong::Lifetime(i)),
                    None => Ok(()),
                }
            }
            Live::Clocks(clocks) => {
                let width = clocks.first().map_or(0, |c| c.0.len());
                for (i, (lower, upper)) in clocks.iter().take(n).enumerate() {
                    if lower.len() != width || upper.len() != width {
                        return Err(Wrong::Width(i));
                    }
                    if lower.iter().zip(upper).any(|(l, u)| l > u) {
                        return Err(Wrong::Lifetime(i));
                    }
                }
                Ok(())
            }
            Live::Order(_) | Live::Clashes(_) => Ok(()),
        }
    }

    /// Whether no sum of what the search adds up can overflow.
    fn fits_in_numbers(&self, blocks: &[Block]) -> Result<(), Wrong> {
        const MOST: u128 = 1 << 62;
        let (mut sum, mut fixed) = (0u128, 0u128);
        for block in blocks {
            let first = block.members[0];
            if let Some(offset) = block.fixed {
                let at = |&&m: &&usize| self.buffers[m].fixed.is_some();
                let holder = block.members.iter().find(at).copied().unwrap_or(first);
                let off = |&&m: &&usize| offset % self.buffers[m].alignment != 0;
                if let Some(&m) = block.members.iter().find(off) {
                    return Err(Wrong::Unaligned(holder, m));
                }
                fixed = fixed.max(u128::from(offset));
            }
            sum += u128::from(block.size) + u128::from(block.align);
            if sum + fixed >= MOST {
                let largest = block.members.iter().max_by_key(|&&m| self.buffers[m].size);
                return Err(Wrong::TooLarge(largest.copied().unwrap_or(first)));
            }
        }
        Ok(())
    }
}

fn find(root: &mut [usize], mut a: usize) -> usize {
    while root[a] != a {
        root[a] = root[root[a]];
        a = root[a];
    }
    a
}

pub(crate) fn common_divisor(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => common_divisor(b, a % b),
    }
}

fn common_multiple(a: u64, b: u64) -> Option<u64> {
    let multiple = (a / common_divisor(a, b)).checked_mul(b)?;
    (multiple < 1 << 62).then_some(multiple)
}
