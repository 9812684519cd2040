//! Keys and values of the tokens so far, and attention over them.

use super::exp::exp;
use super::graph::{SEQ, attend, remember};

/// Positions that are worked on together.
const LANES: usize = 16;

pub fn remember(
    k: &[f32],
    v: &[f32],
    keys: &mut [f32],
    values: &mut [f32],
    pos: u32,
    d: remember::Dims,
) {
    let pos = pos as usize;
    assert!(
        pos < d.seq,
        "position {pos} is beyond the memory of {}",
        d.seq
    );
    for (row, k) in keys.chunks_exact_mut(d.seq).zip(k) {
        row[pos] = *k;
    }
    for (row, v) in values.chunks_exact_mut(d.seq).zip(v) {
        row[pos] = *v;
    }
}

pub fn attend(
    q: &[f32],
    keys: &[f32],
    values: &[f32],
    head: u32,
    pos: u32,
    out: &mut [f32],
    d: attend::Dims,
) {
    const { assert!(SEQ.is_multiple_of(LANES)) };
    let head = head as usize;
    let sharing = d.m / d.n;
    let past = pos as usize + 1;
    let mut room = [0.0; SEQ];
    // Whole groups of lanes. The weights past the last token are zero, and count for nothing.
    let weights = &mut room[..past.next_multiple_of(LANES)];
    let heads = q.chunks_exact(head).zip(out.chunks_exact_mut(head));
    for (h, (q, out)) in heads.enumerate() {
        let memory = h / sharing * head * d.seq..(h / sharing + 1) * head * d.seq;
        match_keys(q, &keys[memory.clone()], d.seq, weights);
        let sum = soften(&mut weights[..past]);
        weights[past..].fill(0.0);
        for (out, values) in out.iter_mut().zip(values[memory].chunks_exact(d.seq)) {
            *out = dot(weights, values) / sum;
        }
    }
}

/// The scalar product of the query and the key of each position.
fn match_keys(q: &[f32], keys: &[f32], seq: usize, scores: &mut [f32]) {
    let scale = 1.0 / (q.len() as f32).sqrt();
    for (group, scores) in scores.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let mut sums = [0.0; LANES];
        for (q, keys) in q.iter().zip(keys.chunks_exact(seq)) {
            let keys = &keys[group * LANES..][..LANES];
            for (sum, key) in sums.iter_mut().zip(keys) {
                *sum += q * key;
            }
        }
        *scores = sums.map(|sum| sum * scale);
    }
}

/// Makes weights of scores, and returns their sum.
fn soften(scores: &mut [f32]) -> f32 {
    let largest = fold(scores, f32::NEG_INFINITY, |a, b| if a > b { a } else { b });
    for score in scores.iter_mut() {
        *score = exp(*score - largest);
    }
    fold(scores, 0.0, |a, b| a + b)
}

/// Of all elements in some order.
#[inline(always)]
fn fold(x: &[f32], start: f32, op: impl Fn(f32, f32) -> f32) -> f32 {
    let (groups, rest) = x.as_chunks::<LANES>();
    let mut lanes = [start; LANES];
    for group in groups {
        for (lane, x) in lanes.iter_mut().zip(group) {
            *lane = op(*lane, *x);
        }
    }
    lanes.iter().chain(rest).fold(start, |a, b| op(a, *b))
}

/// Over the whole groups of `weights`, which is not the longer one.
#[inline(always)]
fn dot(weights: &[f32], values: &[f32]) -> f32 {
    let groups = weights
        .as_chunks::<LANES>()
        .0
        .iter()
        .zip(values.as_chunks().0);
    let mut lanes = [0.0; LANES];
    for (weights, values) in groups {
        let values: &[f32; LANES] = values;
        for (lane, (weight, value)) in lanes.iter_mut().zip(weights.iter().zip(values)) {
            *lane += weight * value;
        }
    }
    fold(&lanes, 0.0, |a, b| a + b)
}
