//! One order of blocks, however the buffers were listed and the lanes of clocks were numbered.
//!
//! Blocks are told apart by what they are and, where the lifetimes are relations, by what the blocks
//! are that they are related to, a few steps far (the refinement of Weisfeiler and Leman). Blocks that
//! are still equal then are taken to be interchangeable.

use std::cmp::Reverse;

use super::problem::{Block, Live, Problem};
use super::rng::mix;
use crate::order::bits::{BitRows, each_bit};

/// How far relations are followed.
const ROUNDS: usize = 3;

/// Sorts `blocks`.
pub(crate) fn sort(problem: &Problem, blocks: &mut Vec<Block>, over: Option<&BitRows>) {
    let n = problem.buffers.len();
    let mut of = vec![0; n];
    for (b, block) in blocks.iter().enumerate() {
        for &m in &block.members {
            of[m] = b;
        }
    }
    let own = |block: &Block| {
        let sizes = block
            .members
            .iter()
            .map(|&m| mix(problem.buffers[m].size ^ times(problem, m)));
        let sizes = sizes.fold(0u64, u64::wrapping_add);
        let fixed = block.fixed.map_or(0, |f| mix(f ^ 1));
        mix(sizes ^ mix(block.align ^ mix(fixed)))
    };
    let mut hash: Vec<u64> = blocks.iter().map(own).collect();
    let rows = match &problem.live {
        Live::Clashes(rows) => Some(rows),
        _ => over,
    };
    if rows.is_some() || !problem.apart.is_empty() {
        for _ in 0..ROUNDS {
            hash = refine(problem, &of, &hash, rows);
        }
    }
    let span = |block: &Block| match &problem.live {
        Live::Times(t) => {
            let all = block.members.iter().flat_map(|&m| &t[m]);
            let from = all.clone().map(|p| p.0).min();
            (from.unwrap_or(0), all.map(|p| p.1).max().unwrap_or(0))
        }
        _ => (0, 0),
    };
    let mut keyed: Vec<_> = std::mem::take(blocks)
        .into_iter()
        .zip(hash)
        .map(|(b, h)| ((span(&b), Reverse(b.size), b.align, b.fixed, h), b))
        .collect();
    keyed.sort_by_key(|k| k.0);
    blocks.extend(keyed.into_iter().map(|k| k.1));
}

fn times(problem: &Problem, buffer: usize) -> u64 {
    match &problem.live {
        Live::Times(times) => times[buffer].iter().fold(0, |h, &(from, to)| {
            mix(h ^ mix(from as u64 ^ mix(to as u64)))
        }),
        _ => 0,
    }
}

/// One step further.
fn refine(problem: &Problem, of: &[usize], hash: &[u64], rows: Option<&BitRows>) -> Vec<u64> {
    let n = of.len();
    let told: Vec<u64> = (0..n)
        .map(|m| mix(hash[of[m]] ^ mix(problem.buffers[m].size)))
        .collect();
    // An index into a `Vec` is three calls where this runs unoptimised.
    let told = told.as_slice();
    let mut heard = vec![[0u64; 3]; n].into_boxed_slice();
    if let Some(rows) = rows {
        for a in 0..n {
            let mut after = 0u64;
            each_bit(rows.row(a), |b| {
                if b < n {
                    after = after.wrapping_add(told[b]);
                    heard[b][1] = heard[b][1].wrapping_add(told[a]);
                }
            });
            heard[a][0] = after;
        }
    }
    for &(a, b) in &problem.apart {
        heard[a][2] = heard[a][2].wrapping_add(told[b]);
        heard[b][2] = heard[b][2].wrapping_add(told[a]);
    }
    let mut next: Vec<u64> = hash.iter().map(|&h| mix(h)).collect();
    for m in 0..n {
        let [after, before, apart] = heard[m];
        let all = mix(told[m] ^ mix(after ^ mix(before ^ mix(apart))));
        next[of[m]] = next[of[m]].wrapping_add(all);
    }
    next
}
