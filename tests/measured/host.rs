//! What the kernels of `graphs` do.

/// Each element, as often as there is room for.
pub fn widen<D>(x: &[f32], _: u64, out: &mut [f32], _: D) {
    let times = out.len() / x.len();
    let rows = out.chunks_exact_mut(times);
    rows.zip(x).for_each(|(row, x)| row.fill(*x));
}

/// The sum of as many elements as there are for each.
pub fn sum<D>(x: &[f32], out: &mut [f32], _: D) {
    let times = x.len() / out.len();
    let rows = x.chunks_exact(times);
    out.iter_mut()
        .zip(rows)
        .for_each(|(o, row)| *o = row.iter().sum());
}
