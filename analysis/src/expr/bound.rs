//! Bounds of expressions over the declared box of dims.
//!
//! An expression is a sum of functions of one dim each, so its extremes are the sums of theirs. With
//! `K` the least common multiple of the divisors, such a function is affine on each residue class
//! modulo `K` and all classes share the slope: the extremes lie in the first or the last `K` points.

use super::{Expr, Term, gcd};
use crate::model::Dim;

/// Points looked at per dim; beyond, bounds are a sound bracket.
const POINTS: i128 = 1 << 14;

/// A smallest and a largest value.
type Range = (i128, i128);

impl Expr {
    /// The smallest value over the declared bounds of `dims`.
    ///
    /// Exact unless the divisors of one dim's terms have a least common multiple above 16384 or the
    /// value leaves `i128`; then it is a lower bound.
    pub fn min_over(&self, dims: &[Dim]) -> i128 {
        self.range_over(dims).0
    }

    /// The largest value over the declared bounds of `dims`; exact where
    /// [`min_over`](Self::min_over) is, an upper bound elsewhere.
    pub fn max_over(&self, dims: &[Dim]) -> i128 {
        self.range_over(dims).1
    }

    /// [`min_over`](Self::min_over) and [`max_over`](Self::max_over) in one pass.
    pub fn range_over(&self, dims: &[Dim]) -> (i128, i128) {
        let (mut min, mut max) = (
            Some(i128::from(self.constant)),
            Some(i128::from(self.constant)),
        );
        let mut rest = self.terms.as_slice();
        while let Some(first) = rest.first() {
            let split = rest
                .iter()
                .position(|t| t.dim != first.dim)
                .unwrap_or(rest.len());
            let (terms, tail) = rest.split_at(split);
            rest = tail;
            // A dim that is not declared may be anything.
            let (lo, hi) = dims
                .get(usize::from(first.dim))
                .map_or((0, u64::MAX), |d| (d.min, d.max));
            let range = of_one_dim(terms, i128::from(lo.min(hi)), i128::from(lo.max(hi)));
            min = min.zip(range).and_then(|(m, r)| m.checked_add(r.0));
            max = max.zip(range).and_then(|(m, r)| m.checked_add(r.1));
        }
        (min.unwrap_or(i128::MIN), max.unwrap_or(i128::MAX))
    }

    /// Whether `self <= other` for all admitted dims. `false` also where that cannot be shown; see
    /// [`min_over`](Self::min_over) for when that can be.
    pub fn always_le(&self, other: &Self, dims: &[Dim]) -> bool {
        if self.terms == other.terms {
            return self.constant <= other.constant;
        }
        match self.sub(other) {
            Some(difference) => difference.max_over(dims) <= 0,
            None => self.max_over(dims) <= other.min_over(dims),
        }
    }

    /// Whether `self == other` for all admitted dims, as [`always_le`](Self::always_le).
    pub fn always_eq(&self, other: &Self, dims: &[Dim]) -> bool {
        if self.terms == other.terms {
            return self.constant == other.constant;
        }
        self.sub(other)
            .is_some_and(|difference| difference.range_over(dims) == (0, 0))
    }
}

/// Range of the sum of `terms`, all over one dim, on `lo..=hi`; `None` on overflow.
fn of_one_dim(terms: &[Term], lo: i128, hi: i128) -> Option<Range> {
    let at = |x: i128| {
        terms
            .iter()
            .try_fold(0i128, |sum, t| sum.checked_add(t.eval(x)?))
    };
    let (first, last) = (at(lo)?, at(hi)?);
    // Each floored fraction grows with its dim.
    if terms.iter().all(|t| t.scale > 0) {
        return Some((first, last));
    } else if terms.iter().all(|t| t.scale < 0) {
        return Some((last, first));
    }
    let mut period = Some(1i128);
    for t in terms {
        let div = i128::from(t.div);
        period = period.and_then(|k| (k / gcd(k, div)).checked_mul(div));
    }
    match period {
        Some(k) if k <= POINTS => {
            let mut range = (first.min(last), first.max(last));
            let mut look = |from: i128, to: i128| {
                for x in from..=to {
                    let value = at(x)?;
                    range = (range.0.min(value), range.1.max(value));
                }
                Some(())
            };
            let head = hi.min(lo + k - 1);
            look(lo, head)?;
            look((hi - k + 1).max(head + 1), hi)?;
            Some(range)
        }
        Some(k) => {
            let relaxed = relaxed(terms, k, lo, hi);
            let apart = apart(terms, lo, hi)?;
            Some(relaxed.map_or(apart, |r| (r.0.max(apart.0), r.1.min(apart.1))))
        }
        None => apart(terms, lo, hi),
    }
}

/// Bracket from each term's own range.
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

/// Bracket from `(n - d + 1) / d <= floor(n / d) <= n / d`, over the common denominator `k`.
pub(super) fn relaxed(terms: &[Term], k: i128, lo: i128, hi: i128) -> Option<Range> {
    let (mut slope, mut least, mut most) = (0i128, 0i128, 0i128);
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
    let min = a.min(b).checked_add(least)?;
    let max = a.max(b).checked_add(most)?;
    // The value is a whole number: round the lower bound up and the upper one down.
    Some((-(-min).div_euclid(k), max.div_euclid(k)))
}
