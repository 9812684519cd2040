//! From luminance to thin edges: blur, gradient, magnitude, suppression.
//!
//! Exact arithmetic throughout, so that every device and every cut into bands gives the same bits.
//! A kernel that looks above and below takes `r` rows of which the first `top` lie above its result.

use super::graph::{blur_x, blur_y, magnitude, sobel_x, sobel_y, suppress};
use std::array::from_fn;

/// Class of a pixel that is no edge.
pub const NOTHING: u8 = 0;
/// Class of a pixel that is an edge; between the two is one that is if it is connected to such a one.
pub const STRONG: u8 = 2;

/// Binomial weights, the integer Gaussian: variance 2, so sigma is 1.4. Their sum is 256.
const TAPS: [u32; 9] = [1, 8, 28, 56, 70, 56, 28, 8, 1];

/// The tangent of 22.5 degrees, the border between two of four directions, in 1/65536.
const TAN: u32 = 27_146;

/// Gaussian blur along the rows.
pub fn blur_x(src: &[u16], out: &mut [u16], d: blur_x::Dims) {
    let end = d.w.min(4);
    for (src, out) in src.chunks_exact(d.w).zip(out.chunks_exact_mut(d.w)) {
        for x in (0..end).chain((d.w - end).max(end)..d.w) {
            let near = from_fn(|k| src[clamped(x + k, 4, d.w)]);
            out[x] = (weigh(near) >> 8) as u16;
        }
        for (out, near) in out[end..].iter_mut().zip(src.windows(9)) {
            *out = (weigh(from_fn(|k| near[k])) >> 8) as u16;
        }
    }
}

/// Gaussian blur along the columns, down to 13 bits: a Sobel sum then fits in 16 with its sign.
pub fn blur_y(src: &[u16], top: u32, out: &mut [i16], d: blur_y::Dims) {
    for (y, out) in (top as usize..).zip(out.chunks_exact_mut(d.w)) {
        let rows: [_; 9] = from_fn(|k| row(src, clamped(y + k, 4, d.r), d.w));
        for (x, out) in out.iter_mut().enumerate() {
            *out = (weigh(rows.map(|row| row[x])) >> 11) as i16;
        }
    }
}

/// Gradient from left to right: Sobel.
pub fn sobel_x(src: &[i16], top: u32, out: &mut [i16], d: sobel_x::Dims) {
    for (y, out) in (top as usize..).zip(out.chunks_exact_mut(d.w)) {
        let rows = from_fn(|k| row(src, clamped(y + k, 1, d.r), d.w));
        sweep(
            rows,
            |end| end,
            out,
            |_, [a, b, c]| (a[2] - a[0]) + 2 * (b[2] - b[0]) + (c[2] - c[0]),
        );
    }
}

/// Gradient from top to bottom: Sobel.
pub fn sobel_y(src: &[i16], top: u32, out: &mut [i16], d: sobel_y::Dims) {
    for (y, out) in (top as usize..).zip(out.chunks_exact_mut(d.w)) {
        let rows = from_fn(|k| row(src, clamped(y + k, 1, d.r), d.w));
        sweep(
            rows,
            |end| end,
            out,
            |_, [a, _, c]| (c[0] - a[0]) + 2 * (c[1] - a[1]) + (c[2] - a[2]),
        );
    }
}

/// Length of the gradient.
pub fn magnitude(gx: &[i16], gy: &[i16], out: &mut [u16], _: magnitude::Dims) {
    for (out, (&gx, &gy)) in out.iter_mut().zip(gx.iter().zip(gy)) {
        let (gx, gy) = (i32::from(gx), i32::from(gy));
        *out = ((gx * gx + gy * gy) as f32).sqrt() as u16;
    }
}

/// Keeps the pixels whose gradient is the longest across the edge, and sorts them by two thresholds.
#[allow(
    clippy::too_many_arguments,
    reason = "one for each argument of the kernel"
)]
pub fn suppress(
    mag: &[u16],
    gx: &[i16],
    gy: &[i16],
    top: u32,
    low: u16,
    high: u16,
    out: &mut [u8],
    d: suppress::Dims,
) {
    let outside = vec![0; d.w];
    let mag = |y: usize| {
        if (1..=d.r).contains(&y) {
            row(mag, y - 1, d.w)
        } else {
            &outside
        }
    };
    let gradients = gx.chunks_exact(d.w).zip(gy.chunks_exact(d.w));
    for ((y, out), (gx, gy)) in (top as usize..)
        .zip(out.chunks_exact_mut(d.w))
        .zip(gradients)
    {
        for (out, (&gx, &gy)) in out.iter_mut().zip(gx.iter().zip(gy)) {
            *out = direction(gx, gy);
        }
        sweep(
            from_fn(|k| mag(y + k)),
            |_| 0,
            out,
            |along, [[a, b, c], [d, m, e], [f, g, h]]| {
                // No branch in here, so that the loop becomes vector code.
                let longest = |before, after| (m > before) & (m >= after);
                let peak = ((along == LEVEL) & longest(d, e))
                    | ((along == STEEP) & longest(b, g))
                    | ((along == FALLING) & longest(a, h))
                    | ((along == RISING) & longest(c, f));
                u8::from(peak & (m > low)) + u8::from(peak & (m > high))
            },
        );
    }
}

// Directions of a gradient; rows are counted downwards.
const LEVEL: u8 = 0;
const STEEP: u8 = 1;
const FALLING: u8 = 2;
const RISING: u8 = 3;

/// The nearest direction.
fn direction(gx: i16, gy: i16) -> u8 {
    let (ax, ay) = (gx.unsigned_abs(), gy.unsigned_abs());
    let narrow = |len: u16| ((u32::from(len) * TAN) >> 16) as u16;
    if ay <= narrow(ax) {
        LEVEL
    } else if ax <= narrow(ay) {
        STEEP
    } else if (gx < 0) == (gy < 0) {
        FALLING
    } else {
        RISING
    }
}

/// Index `at - reach`, held within `0..len`.
fn clamped(at: usize, reach: usize, len: usize) -> usize {
    at.saturating_sub(reach).min(len - 1)
}

/// Row `y` of a picture `w` wide.
fn row<T>(picture: &[T], y: usize, w: usize) -> &[T] {
    &picture[y * w..][..w]
}

/// Sum of nine neighbours by their weights; it has 8 bits more than they have.
fn weigh(near: [u16; 9]) -> u32 {
    TAPS.iter()
        .zip(near)
        .map(|(tap, near)| tap * u32::from(near))
        .sum()
}

/// Sets each element of `out` from what it is and the nine elements of `rows` around it. What lies
/// beyond an end of a row is made from the element there.
fn sweep<T: Copy, O: Copy>(
    rows: [&[T]; 3],
    beyond: impl Fn(T) -> T,
    out: &mut [O],
    f: impl Fn(O, [[T; 3]; 3]) -> O,
) {
    let last = out.len() - 1;
    for x in (0..1).chain(last.max(1)..=last) {
        let left = |row: &[T]| if x == 0 { beyond(row[0]) } else { row[x - 1] };
        let right = |row: &[T]| {
            if x == last {
                beyond(row[x])
            } else {
                row[x + 1]
            }
        };
        out[x] = f(out[x], rows.map(|row| [left(row), row[x], right(row)]));
    }
    let [above, here, below] =
        rows.map(|row| row.windows(3).map(|near| [near[0], near[1], near[2]]));
    for (out, ((above, here), below)) in out[1..].iter_mut().zip(above.zip(here).zip(below)) {
        *out = f(*out, [above, here, below]);
    }
}
