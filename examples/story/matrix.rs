//! Products of a matrix and a vector: almost all of the time goes here.
//!
//! Rows are cut into bands of 32, then of 8, then of 1, and those of a band are interleaved: first all
//! first elements, then all second ones. So sums of a whole band stay in registers while memory is read
//! in order, on the host as in a warp, and nothing has to be added across lanes.

use super::graph::{add_product, product};

/// The rows of a matrix of `n` columns, behind one another, in the order that the kernels read.
pub fn interleaved(rows: &[f32], n: usize) -> Vec<f32> {
    let mut rest = rows;
    let mut to = Vec::with_capacity(rows.len());
    for width in [32, 8, 1] {
        while rest.len() >= width * n {
            let (band, below) = rest.split_at(width * n);
            let column = |j| band.chunks_exact(n).map(move |row| row[j]);
            to.extend((0..n).flat_map(column));
            rest = below;
        }
    }
    to
}

pub fn product(w: &[f32], x: &[f32], out: &mut [f32], _: product::Dims) {
    every_row(w, x, out, |out, sum| *out = sum);
}

pub fn add_product(y: &mut [f32], w: &[f32], x: &[f32], _: add_product::Dims) {
    every_row(w, x, y, |y, sum| *y += sum);
}

#[inline(always)]
fn every_row(w: &[f32], x: &[f32], out: &mut [f32], put: impl Fn(&mut f32, f32) + Copy) {
    let (w, out) = bands::<32>(w, x, out, put);
    let (w, out) = bands::<8>(w, x, out, put);
    bands::<1>(w, x, out, put);
}

/// Does as many bands as there are, and returns what is left.
#[inline(always)]
fn bands<'a, const WIDTH: usize>(
    w: &'a [f32],
    x: &[f32],
    out: &'a mut [f32],
    put: impl Fn(&mut f32, f32),
) -> (&'a [f32], &'a mut [f32]) {
    let rows = out.len() / WIDTH * WIDTH;
    let (w, w_rest) = w.split_at(rows * x.len());
    let (out, out_rest) = out.split_at_mut(rows);
    for (band, out) in w
        .chunks_exact(WIDTH * x.len())
        .zip(out.chunks_exact_mut(WIDTH))
    {
        let mut sums = [0.0; WIDTH];
        for (column, x) in band.as_chunks::<WIDTH>().0.iter().zip(x) {
            for (sum, w) in sums.iter_mut().zip(column) {
                *sum += w * x;
            }
        }
        for (out, sum) in out.iter_mut().zip(sums) {
            put(out, sum);
        }
    }
    (w_rest, out_rest)
}
