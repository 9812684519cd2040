//! Bounds of expressions over the declared box of dims.
//!
//! An expression is a sum of functions of one dim each, so its extremes are the sums of theirs. With
//! `K` the least common multiple of the divisors, such a function is affine on each residue class
//! modulo `K` and all classes share the slope: the extremes lie in the first or the last `K` points.
//! Looking at them is the last resort; most questions are settled by the corners of the box and by a
//! bracket that costs a few multiplications. Where products share dims a [search](super::extreme)
//! finds the extremes.

use super::bracket::{Range, bracket, period};
use super::extreme::entangled;
use super::{Expr, Term};
use crate::model::Dim;

/// Points looked at per dim; beyond, bounds are a sound bracket.
const POINTS: i128 = 1 << 14;

impl Expr {
    /// The smallest value over the declared bounds of `dims`.
    ///
    /// Exact unless one dim has more than 16384 values and the divisors of its terms a least common
    /// multiple above that, or the search over products that share dims ends, or the value leaves
    /// `i128`; then it is a lower bound.
    pub fn min_over(&self, dims: &[Dim]) -> i128 {
        let (least, _) = self.sum(dims, exact);
        match entangled(std::slice::from_ref(self), dims) {
            true => self.raised(least, dims),
            false => least,
        }
    }

    /// The largest value over the declared bounds of `dims`; exact where
    /// [`min_over`](Self::min_over) is, an upper bound elsewhere.
    pub fn max_over(&self, dims: &[Dim]) -> i128 {
        let (_, most) = self.sum(dims, exact);
        match entangled(std::slice::from_ref(self), dims) {
            true => self.lowered(most, dims),
            false => most,
        }
    }

    /// [`min_over`](Self::min_over) and [`max_over`](Self::max_over) in one pass.
    pub fn range_over(&self, dims: &[Dim]) -> (i128, i128) {
        let (least, most) = self.sum(dims, exact);
        match entangled(std::slice::from_ref(self), dims) {
            true => (self.raised(least, dims), self.lowered(most, dims)),
            false => (least, most),
        }
    }

    /// `least`, which is a lower bound, as far as a search raises it.
    fn raised(&self, least: i128, dims: &[Dim]) -> i128 {
        let found = self.smallest(dims);
        found.map_or(least, |found| least.max(found.bound))
    }

    /// `most`, which is an upper bound, as far as a search lowers it.
    fn lowered(&self, most: i128, dims: &[Dim]) -> i128 {
        most.min(self.largest(dims).bound)
    }

    /// A lower bound of [`min_over`](Self::min_over) and an upper bound of
    /// [`max_over`](Self::max_over), at a fraction of the cost.
    pub fn bracket_over(&self, dims: &[Dim]) -> (i128, i128) {
        self.sum(dims, bracket)
    }

    /// Whether `self <= other` for all admitted dims. `false` also where that cannot be shown; see
    /// [`min_over`](Self::min_over) for when that can be.
    pub fn always_le(&self, other: &Self, dims: &[Dim]) -> bool {
        if self.terms == other.terms {
            return self.constant <= other.constant;
        }
        let Some(difference) = self.sub(other) else {
            return self.max_over(dims) <= other.min_over(dims);
        };
        let positive = |value: i128| value > 0;
        !difference.corners(dims).into_iter().flatten().any(positive)
            && (difference.falls_short(dims) || difference.is_never_above_zero(dims))
    }

    /// Whether it is at most 0, as far as ranges of its terms show that, with and without factors.
    fn falls_short(&self, dims: &[Dim]) -> bool {
        self.bracket_over(dims).1 <= 0
            || self.sum(dims, exact).1 <= 0
            || self.but_for_a_factor(dims, Self::falls_short)
            || self.in_parts(dims)
    }

    /// Whether `self == other` for all admitted dims, as [`always_le`](Self::always_le).
    pub fn always_eq(&self, other: &Self, dims: &[Dim]) -> bool {
        if self.terms == other.terms {
            return self.constant == other.constant;
        }
        self.sub(other).is_some_and(|difference| {
            let off = |value| value != 0;
            let above = |of: Option<Self>| of.is_none_or(|of| !of.is_never_above_zero(dims));
            !difference.corners(dims).into_iter().flatten().any(off)
                && (difference.vanishes(dims)
                    || !above(difference.scale(-1)) && !above(Some(difference)))
        })
    }

    /// Whether it is 0, as far as ranges of its terms show that, with and without factors.
    fn vanishes(&self, dims: &[Dim]) -> bool {
        self.sum(dims, exact) == (0, 0) || self.but_for_a_factor(dims, Self::vanishes)
    }

    /// Whether `holds` is true of what is left without some factor of all terms. No factor of a
    /// product is negative, so the sign of the rest is that of the whole where that is not 0.
    fn but_for_a_factor(&self, dims: &[Dim], holds: fn(&Self, &[Dim]) -> bool) -> bool {
        self.factors(dims).iter().any(|factor| {
            let mut dims = dims.to_vec();
            let rest = self.divided(factor, &mut dims);
            rest.is_some_and(|rest| holds(&rest, &dims))
        })
    }

    /// Whether it is at most 0, where the terms that share a factor are bounded by that and what is
    /// left of them, and the others apart.
    fn in_parts(&self, dims: &[Dim]) -> bool {
        let bounded = |factor: &Self| {
            let mut dims = dims.to_vec();
            let (mut shared, mut others) = (Self::constant(0), Self::constant(self.constant));
            for term in &self.terms {
                let term = Self {
                    constant: 0,
                    terms: vec![*term],
                };
                match term.divided(factor, &mut dims) {
                    Some(part) => shared = shared.add(&part)?,
                    None => others = others.add(&term)?,
                }
            }
            let most = match shared.sum(&dims, exact).1 {
                1.. if shared.falls_short(&dims) => 0,
                most => most,
            };
            let (least, largest) = factor.sum(&dims, exact);
            let most = most.checked_mul(if most < 0 { least } else { largest })?;
            most.checked_add(others.sum(&dims, exact).1)
        };
        let mut bounds = self.factors(dims).iter().filter_map(bounded);
        bounds.any(|most| most <= 0)
    }

    /// The least value that some admitted dims give, as far as one is known.
    pub(crate) fn least_seen(&self, dims: &[Dim]) -> Option<i128> {
        match entangled(std::slice::from_ref(self), dims) {
            true => self.smallest(dims)?.seen,
            false => Some(self.min_over(dims)),
        }
    }

    /// The values with all dims at their smallest and with all at their largest.
    pub(crate) fn corners(&self, dims: &[Dim]) -> [Option<i128>; 2] {
        [|d: &Dim| d.min, |d: &Dim| d.max].map(|bound| self.at_corner(dims, bound))
    }

    /// The value where each declared dim has what `bound` says.
    fn at_corner(&self, dims: &[Dim], bound: fn(&Dim) -> u64) -> Option<i128> {
        let start = i128::from(self.constant);
        self.terms.iter().try_fold(start, |sum, t| {
            let dim = dims.get(usize::from(t.dim))?;
            let value = match &dim.product[..] {
                [] => bound(dim).into(),
                factors => factors.iter().try_fold(1i128, |product, factor| {
                    product.checked_mul(factor.at_corner(dims, bound)?)
                })?,
            };
            sum.checked_add(t.eval(value)?)
        })
    }

    /// The constant and the ranges of the parts over one dim each, summed.
    pub(super) fn sum(&self, dims: &[Dim], of: fn(&[Term], i128, i128) -> Option<Range>) -> Range {
        let start = i128::from(self.constant);
        let (mut min, mut max) = (Some(start), Some(start));
        let mut rest = self.terms.as_slice();
        while let Some(first) = rest.first() {
            let split = rest.iter().position(|t| t.dim != first.dim);
            let (terms, tail) = rest.split_at(split.unwrap_or(rest.len()));
            rest = tail;
            // A dim that is not declared may be anything.
            let dim = dims.get(usize::from(first.dim));
            let (lo, hi) = dim.map_or((0, u64::MAX), |d| (d.min, d.max));
            let range = of(terms, i128::from(lo.min(hi)), i128::from(lo.max(hi)));
            min = min.zip(range).and_then(|(m, r)| m.checked_add(r.0));
            max = max.zip(range).and_then(|(m, r)| m.checked_add(r.1));
        }
        (min.unwrap_or(i128::MIN), max.unwrap_or(i128::MAX))
    }
}

/// Range of the sum of `terms`, all over one dim, on `lo..=hi`; `None` on overflow.
fn exact(terms: &[Term], lo: i128, hi: i128) -> Option<Range> {
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
    let mut range = (first.min(last), first.max(last));
    let outer = bracket(terms, lo, hi);
    if outer == Some(range) {
        return outer;
    }
    let count = hi - lo + 1;
    let k = period(terms).map_or(count, |k| k.min(count));
    if k > POINTS {
        return outer;
    }
    let head = hi.min(lo + k - 1);
    let tail = (hi - k + 1).max(head + 1);
    for x in (lo..=head).chain(tail..=hi) {
        let value = at(x)?;
        range = (range.0.min(value), range.1.max(value));
    }
    Some(range)
}
