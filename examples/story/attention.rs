//! Keys and values of the tokens so far, and attention over them.

use super::exp::exp;
use super::graph::{HEAD, SEQ, attend, remember};

/// Positions that are worked on together.
const LANES: usize = 16;
/// Elements of a head that are worked on together.
const COLUMNS: usize = 8;

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
    values[pos * d.n..][..d.n].copy_from_slice(v);
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
    const { assert!(SEQ.is_multiple_of(LANES) && HEAD.is_multiple_of(COLUMNS)) };
    let head = head as usize;
    let sharing = d.m / d.n;
    let past = pos as usize + 1;
    let mut room = [0.0; SEQ];
    // Whole groups of lanes; what lies past the last token is kept out of it.
    let scores = &mut room[..past.next_multiple_of(LANES)];
    let heads = q.chunks_exact(head).zip(out.chunks_exact_mut(head));
    for (h, (q, out)) in heads.enumerate() {
        let first = h / sharing * head;
        match_keys(q, &keys[first * d.seq..], d.seq, scores);
        scores[past..].fill(f32::NEG_INFINITY);
        let largest = fold(scores, |a, b| if a > b { a } else { b });
        for score in scores.iter_mut() {
            *score = exp(*score - largest);
        }
        scores[past..].fill(0.0);
        let scale = 1.0 / fold(scores, |a, b| a + b);
        for (out, at) in out
            .as_chunks_mut()
            .0
            .iter_mut()
            .zip((first..).step_by(COLUMNS))
        {
            *out = sum_of_values(scores, values, d.n, at).map(|sum| sum * scale);
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

/// The sum of rows of `n` values by their weights, in the columns from `at` on.
#[inline(always)]
fn sum_of_values(weights: &[f32], values: &[f32], n: usize, at: usize) -> [f32; COLUMNS] {
    // Four sums at a time, as an addition takes as long as four can be begun.
    let mut sums = [[0.0; COLUMNS]; 4];
    for (weights, rows) in weights
        .as_chunks::<4>()
        .0
        .iter()
        .zip(values.chunks_exact(4 * n))
    {
        for ((sums, weight), row) in sums.iter_mut().zip(weights).zip(rows.chunks_exact(n)) {
            for (sum, value) in sums.iter_mut().zip(&row[at..][..COLUMNS]) {
                *sum += weight * value;
            }
        }
    }
    std::array::from_fn(|i| (sums[0][i] + sums[1][i]) + (sums[2][i] + sums[3][i]))
}

/// Of all elements, in some order. There are whole groups of them.
#[inline(always)]
fn fold(x: &[f32], op: impl Fn(f32, f32) -> f32) -> f32 {
    let [first, rest @ ..] = x.as_chunks::<LANES>().0 else {
        return f32::NAN;
    };
    let mut lanes = *first;
    for group in rest {
        for (lane, x) in lanes.iter_mut().zip(group) {
            *lane = op(*lane, *x);
        }
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] = op(lanes[lane], lanes[lane + half]);
        }
        half /= 2;
    }
    lanes[0]
}
