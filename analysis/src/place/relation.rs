//! Clashes of two blocks, found when they are asked for.

use super::interval::Intervals;
use super::large::Relation;
use super::problem::{Block, Live, Problem, Wrong};
use crate::order::bits::BitRows;

/// Refuses fixed offsets of which two cannot be.
pub(super) fn fixed_apart(
    problem: &Problem,
    blocks: &[Block],
    over: Option<&BitRows>,
) -> Result<(), Wrong> {
    let mut fixed: Vec<Block> = blocks
        .iter()
        .filter(|b| b.fixed.is_some())
        .cloned()
        .collect();
    fixed.sort_by_key(|b| b.fixed);
    let relation = Members {
        problem,
        blocks: &fixed,
        over,
    };
    for (j, high) in fixed.iter().enumerate() {
        let at = high.fixed.unwrap_or(0);
        for (i, low) in fixed[..j].iter().enumerate() {
            if low.fixed.unwrap_or(0) + low.size > at
                && let Some((below, _)) = relation.clash(i as u32, j as u32)
                && low.fixed.unwrap_or(0) + below > at
            {
                return Err(Wrong::FixedOverlap(low.members[0], high.members[0]));
            }
        }
    }
    Ok(())
}

/// Pairs that are live together, at most.
pub(super) fn pairs(times: &[Vec<(i64, i64)>]) -> usize {
    let mut events: Vec<(i64, bool)> = Vec::new();
    for &(from, to) in times.iter().flatten().filter(|p| p.0 < p.1) {
        events.push((from, true));
        events.push((to, false));
    }
    events.sort_unstable();
    let (mut live, mut pairs) = (0usize, 0usize);
    for (_, begins) in events {
        match begins {
            true => {
                pairs += live;
                live += 1;
            }
            false => live -= 1,
        }
    }
    pairs
}

/// Blocks that are intervals.
pub(super) struct Spans<'a>(pub(super) &'a Intervals);

impl Relation for Spans<'_> {
    fn clash(&self, a: u32, b: u32) -> Option<(u64, u64)> {
        let (a, b) = (a as usize, b as usize);
        let ((from, to), (other, end)) = (self.0.times[a], self.0.times[b]);
        (from < end && other < to).then(|| (self.0.sizes[a], self.0.sizes[b]))
    }
}

/// Blocks of any kind, by their buffers.
pub(super) struct Members<'a> {
    pub(super) problem: &'a Problem,
    pub(super) blocks: &'a [Block],
    pub(super) over: Option<&'a BitRows>,
}

impl Relation for Members<'_> {
    fn clash(&self, a: u32, b: u32) -> Option<(u64, u64)> {
        let (x, y) = (&self.blocks[a as usize], &self.blocks[b as usize]);
        let mut both = None;
        for &i in &x.members {
            for &j in &y.members {
                let (p, q) = (self.problem.buffers[i].size, self.problem.buffers[j].size);
                if p > 0 && q > 0 && self.together(i, j) {
                    let (below, above) = both.unwrap_or((0, 0));
                    both = Some((p.max(below), q.max(above)));
                }
            }
        }
        both
    }
}

impl Members<'_> {
    fn together(&self, i: usize, j: usize) -> bool {
        let live = match (&self.problem.live, self.over) {
            (Live::Times(times), _) => {
                let meet = |p: &(i64, i64)| times[j].iter().any(|q| p.0.max(q.0) < p.1.min(q.1));
                times[i].iter().any(meet)
            }
            (Live::Clashes(rows), _) => rows.get(i, j),
            (_, Some(over)) => !over.get(i, j) && !over.get(j, i),
            _ => true,
        };
        let named = |&p: &(usize, usize)| p == (i, j) || p == (j, i);
        live || self.problem.apart.iter().any(named)
    }
}
