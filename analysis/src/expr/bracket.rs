//! Cheap sound brackets for sums of terms over one dim.

use super::{Term, gcd};

/// A smallest and a largest value.
pub(super) type Range = (i128, i128);

/// Least common multiple of the divisors; `None` on overflow.
pub(super) fn period(terms: &[Term]) -> Option<i128> {
    terms.iter().try_fold(1i128, |k, t| {
        let div = i128::from(t.div);
        (k / gcd(k, div)).checked_mul(div)
    })
}

/// Bracket of the sum of `terms` on `lo..=hi`; `None` on overflow.
pub(super) fn bracket(terms: &[Term], lo: i128, hi: i128) -> Option<Range> {
    let mut range = apart(terms, lo, hi)?;
    if let [_, _, ..] = terms
        && let Some(k) = period(terms)
    {
        for other in [relaxed(terms, k, lo, hi), pair(terms, k, lo, hi)]
            .into_iter()
            .flatten()
        {
            range = (range.0.max(other.0), range.1.min(other.1));
        }
    }
    Some(range)
}

/// Each term's own range, summed.
fn apart(terms: &[Term], lo: i128, hi: i128) -> Option<Range> {
    let mut range = (0i128, 0i128);
    for t in terms {
        let (a, b) = (t.eval(lo)?, t.eval(hi)?);
        range = (
            range.0.checked_add(a.min(b))?,
            range.1.checked_add(a.max(b))?,
        );
    }
    Some(range)
}

/// `(n - d + 1) / d <= floor(n / d) <= n / d`, over the common denominator `k`.
pub(super) fn relaxed(terms: &[Term], k: i128, lo: i128, hi: i128) -> Option<Range> {
    let (mut least, mut most) = (0i128, 0i128);
    let mut slope = 0i128;
    for t in terms {
        let weight = i128::from(t.scale).checked_mul(k / i128::from(t.div))?;
        let (add, lost) = (i128::from(t.add), i128::from(t.div) - 1);
        slope = slope.checked_add(weight.checked_mul(i128::from(t.mul))?)?;
        let (low, high) = if weight > 0 {
            (add - lost, add)
        } else {
            (add, add - lost)
        };
        least = least.checked_add(weight.checked_mul(low)?)?;
        most = most.checked_add(weight.checked_mul(high)?)?;
    }
    let (a, b) = (slope.checked_mul(lo)?, slope.checked_mul(hi)?);
    let (min, max) = (a.min(b).checked_add(least)?, a.max(b).checked_add(most)?);
    // The value is a whole number: round inward.
    Some((ceil(min, k), max.div_euclid(k)))
}

/// For `s * (floor(q) - floor(p))`: `floor(q - p) <= floor(q) - floor(p) <= ceil(q - p)`. This is
/// what orders the bounds of bands, `i * h / n` and `(i + 1) * h / n`.
pub(super) fn pair(terms: &[Term], k: i128, lo: i128, hi: i128) -> Option<Range> {
    let [a, b] = terms else { return None };
    if i128::from(a.scale) + i128::from(b.scale) != 0 {
        return None;
    }
    let (q, p) = if a.scale > 0 { (a, b) } else { (b, a) };
    let at = |x: i128| {
        let [q, p] = [q, p].map(|t| {
            let inner = x.checked_mul(t.mul.into())?.checked_add(t.add.into())?;
            inner.checked_mul(k / i128::from(t.div))
        });
        q?.checked_sub(p?)
    };
    let (a, b) = (at(lo)?, at(hi)?);
    let scale = i128::from(q.scale);
    let min = a.min(b).div_euclid(k).checked_mul(scale)?;
    Some((min, ceil(a.max(b), k).checked_mul(scale)?))
}

/// `ceil(a / b)` for a positive `b`.
fn ceil(a: i128, b: i128) -> i128 {
    a.div_euclid(b) + i128::from(a.rem_euclid(b) != 0)
}
