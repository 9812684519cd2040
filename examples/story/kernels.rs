//! The small kernels of the model; see [`matrix`](super::matrix) and [`attention`](super::attention)
//! for the others.

use super::exp::exp;
use super::graph::{embed, gate, largest, rms_norm, rotate, rotation};

pub fn embed(table: &[f32], token: u32, out: &mut [f32], d: embed::Dims) {
    out.copy_from_slice(&table[token as usize * d.n..][..d.n]);
}

pub fn rotation(pos: u32, out: &mut [f32], d: rotation::Dims) {
    for (pair, out) in out.chunks_exact_mut(2).enumerate() {
        let slower = 10_000_f32.powf((2 * pair) as f32 / d.head as f32);
        let (sin, cos) = (pos as f32 / slower).sin_cos();
        out.copy_from_slice(&[cos, sin]);
    }
}

pub fn rms_norm(x: &[f32], weight: &[f32], out: &mut [f32], d: rms_norm::Dims) {
    let (groups, rest) = x.as_chunks::<16>();
    let mut lanes = [0.0; 16];
    for group in groups {
        for (lane, x) in lanes.iter_mut().zip(group) {
            *lane += x * x;
        }
    }
    let squares = lanes.iter().sum::<f32>() + rest.iter().map(|x| x * x).sum::<f32>();
    let scale = 1.0 / (squares / d.n as f32 + 1e-5).sqrt();
    for (out, (x, weight)) in out.iter_mut().zip(x.iter().zip(weight)) {
        *out = weight * (scale * x);
    }
}

pub fn rotate(x: &mut [f32], angles: &[f32], d: rotate::Dims) {
    for head in x.chunks_exact_mut(d.head) {
        for (pair, angle) in head.chunks_exact_mut(2).zip(angles.chunks_exact(2)) {
            let ([a, b], [cos, sin]) = ([pair[0], pair[1]], [angle[0], angle[1]]);
            pair.copy_from_slice(&[a * cos - b * sin, a * sin + b * cos]);
        }
    }
}

pub fn gate(x: &[f32], by: &[f32], out: &mut [f32], _: gate::Dims) {
    for (out, (x, by)) in out.iter_mut().zip(x.iter().zip(by)) {
        *out = x / (1.0 + exp(-x)) * by;
    }
}

pub fn largest(x: &[f32], out: &mut [u32], _: largest::Dims) {
    let (groups, rest) = x.as_chunks::<16>();
    let mut lanes = [f32::NEG_INFINITY; 16];
    for group in groups {
        for (lane, x) in lanes.iter_mut().zip(group) {
            *lane = if *x > *lane { *x } else { *lane };
        }
    }
    let most = lanes
        .iter()
        .chain(rest)
        .fold(f32::NEG_INFINITY, |a, b| a.max(*b));
    out[0] = x.iter().position(|x| *x == most).unwrap_or(0) as u32;
}
