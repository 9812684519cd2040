//! What no placement is below.

use std::collections::BTreeMap;

use super::problem::{Block, Live, Problem, common_divisor};
use crate::antichain::heaviest;
use crate::order::bits::{BitRows, each_bit};

/// What divides all offsets: the greatest common divisor of the alignments.
pub(crate) fn unit(blocks: &[Block]) -> u64 {
    let gcd = blocks.iter().fold(0, |g, b| common_divisor(b.align, g));
    gcd.max(1)
}

/// What divides every peak worth looking at: a block lies at 0, at a fixed offset, or right upon
/// another one, as far as its alignment lets it.
pub(crate) fn grain(problem: &Problem, blocks: &[Block]) -> u64 {
    let mut grain = blocks
        .iter()
        .fold(0, |g, b| common_divisor(b.fixed.unwrap_or(0), g));
    for block in blocks {
        for &m in &block.members {
            grain = common_divisor(problem.buffers[m].size, grain);
        }
    }
    loop {
        let uneven = |b: &&Block| !grain.is_multiple_of(b.align) && !b.align.is_multiple_of(grain);
        match blocks.iter().filter(|_| grain > 0).find(uneven) {
            Some(block) => grain = common_divisor(block.align, grain),
            None => return grain.max(1),
        }
    }
}

/// The height of blocks of `sizes` one upon the other at multiples of `unit`, in any order: each but
/// the last takes whole units.
pub(crate) fn stack(sizes: impl Iterator<Item = u64>, unit: u64) -> u64 {
    let (mut sum, mut loss) = (0u64, 0);
    for size in sizes {
        let whole = size.next_multiple_of(unit);
        sum = sum.saturating_add(whole);
        loss = loss.max(whole - size);
    }
    sum - loss
}

/// Buffers that must not overlap, one of a block, and how high they are one upon the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clique {
    pub(crate) height: u64,
    /// Ascending.
    pub(crate) members: Vec<usize>,
}

impl Clique {
    fn new(problem: &Problem, mut members: Vec<usize>, unit: u64) -> Self {
        members.sort_unstable();
        Self {
            height: stack(members.iter().map(|&m| problem.buffers[m].size), unit),
            members,
        }
    }
}

/// The highest clique that is known, and a lower bound: that, or the end of a fixed offset.
pub(crate) fn bound(problem: &Problem, blocks: &[Block], over: Option<&BitRows>) -> (u64, Clique) {
    let unit = unit(blocks);
    let top = |b: &Block| b.fixed.unwrap_or(0) + b.size;
    let fixed = blocks.iter().map(top).max().unwrap_or(0);
    let members = match (&problem.live, over) {
        (Live::Times(times), _) => fullest(problem, blocks, times, unit),
        (_, Some(over)) => antichain(problem, blocks, over, unit),
        (Live::Clashes(rows), _) => densest(problem, blocks, rows, unit),
        _ => Vec::new(),
    };
    let clique = Clique::new(problem, members, unit);
    (fixed.max(clique.height), clique)
}

/// When a block is live and how high it is then: disjoint pieces, ascending.
pub(crate) fn profile(
    problem: &Problem,
    block: &Block,
    times: &[Vec<(i64, i64)>],
) -> Vec<(i64, i64, u64)> {
    let mut pieces: Vec<(i64, i64, u64)> = Vec::new();
    let add = |pieces: &mut Vec<(i64, i64, u64)>, from: i64, to: i64, height: u64| match pieces
        .last_mut()
    {
        Some(last) if last.1 == from && last.2 == height => last.1 = to,
        _ if from < to && height > 0 => pieces.push((from, to, height)),
        _ => {}
    };
    if let [only] = block.members[..] {
        for &(from, to) in &times[only] {
            add(&mut pieces, from, to, problem.buffers[only].size);
        }
        return pieces;
    }
    let mut events: Vec<(i64, bool, u64)> = Vec::new();
    for &m in &block.members {
        for &(from, to) in times[m].iter().filter(|p| p.0 < p.1) {
            events.push((from, true, problem.buffers[m].size));
            events.push((to, false, problem.buffers[m].size));
        }
    }
    events.sort_unstable();
    let mut heights: BTreeMap<u64, usize> = BTreeMap::new();
    let mut since = i64::MIN;
    for (at, begins, height) in events {
        let highest = heights.keys().next_back().copied().unwrap_or(0);
        add(&mut pieces, since, at, highest);
        since = at;
        let count = heights.entry(height).or_default();
        match begins {
            true => *count += 1,
            false => *count -= 1,
        }
        if *count == 0 {
            heights.remove(&height);
        }
    }
    pieces
}

/// The highest buffer of each block that is live when the most is.
fn fullest(
    problem: &Problem,
    blocks: &[Block],
    times: &[Vec<(i64, i64)>],
    unit: u64,
) -> Vec<usize> {
    let Some(at) = fullest_time(problem, blocks, times, unit) else {
        return Vec::new();
    };
    let live = |m: &usize| times[*m].iter().any(|p| p.0 <= at && at < p.1);
    let highest = |b: &Block| {
        let live = b.members.iter().copied().filter(live);
        live.max_by_key(|&m| (problem.buffers[m].size, std::cmp::Reverse(m)))
    };
    blocks.iter().filter_map(highest).collect()
}

/// A time at which the most is live.
fn fullest_time(
    problem: &Problem,
    blocks: &[Block],
    times: &[Vec<(i64, i64)>],
    unit: u64,
) -> Option<i64> {
    let mut events: Vec<(i64, bool, u64)> = Vec::new();
    for block in blocks {
        for (from, to, height) in profile(problem, block, times) {
            events.push((from, true, height));
            events.push((to, false, height));
        }
    }
    events.sort_unstable();
    let (mut sum, mut most, mut when) = (0u64, 0, None);
    let mut losses: BTreeMap<u64, usize> = BTreeMap::new();
    for (at, begins, height) in events {
        let whole = height.next_multiple_of(unit);
        let loss = whole - height;
        if begins {
            sum += whole;
            if unit > 1 {
                *losses.entry(loss).or_default() += 1;
            }
        } else {
            sum -= whole;
            if let Some(count) = losses.get_mut(&loss) {
                *count -= 1;
                if *count == 0 {
                    losses.remove(&loss);
                }
            }
        }
        let lost = losses.keys().next_back().copied().unwrap_or(0);
        if sum - lost.min(sum) > most {
            (most, when) = (sum - lost.min(sum), Some(at));
        }
    }
    when
}

/// No two members of one block may be in an antichain, or the block would count twice.
fn antichain(problem: &Problem, blocks: &[Block], over: &BitRows, unit: u64) -> Vec<usize> {
    let mut weights = vec![0u64; problem.buffers.len()];
    for block in blocks {
        let apart = |&a: &usize, &b: &usize| over.get(a, b) || over.get(b, a);
        let chain = block.members.iter().enumerate();
        let chain = chain
            .into_iter()
            .all(|(k, a)| block.members[..k].iter().all(|b| apart(a, b)));
        for &m in &block.members {
            weights[m] = problem.buffers[m].size.next_multiple_of(unit);
        }
        if !chain {
            // Only the largest; of several, the one that is over before the most, and so on, to be the
            // same however they are listed.
            let best = block.members.iter().copied();
            let best = best.max_by_key(|&m| (problem.buffers[m].size, around(problem, over, m)));
            for &m in block.members.iter().filter(|&&m| Some(m) != best) {
                weights[m] = 0;
            }
        }
    }
    heaviest(&weights, over).members
}

/// How many buffers one is over before, how many are over before it, and the bytes of both.
fn around(problem: &Problem, over: &BitRows, m: usize) -> (usize, usize, u128, u128) {
    let all = || 0..problem.buffers.len();
    let bytes = |b: usize| u128::from(problem.buffers[b].size);
    let (after, before) = (
        all().filter(|&b| over.get(m, b)),
        all().filter(|&b| over.get(b, m)),
    );
    (
        after.clone().count(),
        before.clone().count(),
        after.map(bytes).sum(),
        before.map(bytes).sum(),
    )
}

/// Of cliques gathered greedily, the largest neighbours first, one from each buffer, the highest.
fn densest(problem: &Problem, blocks: &[Block], rows: &BitRows, unit: u64) -> Vec<usize> {
    let mut best = Clique::default();
    let lone: Vec<usize> = blocks
        .iter()
        .filter(|b| b.members.len() == 1)
        .map(|b| b.members[0])
        .collect();
    let mut by_size = lone.clone();
    by_size.sort_by_key(|&m| std::cmp::Reverse(problem.buffers[m].size));
    for &first in &lone {
        let mut near = vec![false; problem.buffers.len()];
        each_bit(rows.row(first), |j| {
            if let Some(near) = near.get_mut(j) {
                *near = true;
            }
        });
        let mut clique = vec![first];
        for &m in by_size.iter().filter(|&&m| near[m]) {
            if clique.iter().all(|&c| rows.get(m, c)) {
                clique.push(m);
            }
        }
        let clique = Clique::new(problem, clique, unit);
        if clique.height > best.height {
            best = clique;
        }
    }
    best.members
}
