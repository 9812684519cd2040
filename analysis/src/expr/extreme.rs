//! Extremes of expressions in which products share dims.
//!
//! Over a box, a sum of products is bounded by the ranges of its factors, which says too much where
//! one grows as another falls: `n * (1025 - n)` is bounded by `1024 * 1024` and never above
//! `512 * 513`. So the box is halved until its best known value meets the bound (branch and bound,
//! Land and Doig 1960), with the two things that interval methods do for this (Moore, Kearfott and
//! Cloud, "Introduction to Interval Analysis", 2009): where one step of a dim never lowers the value,
//! only the end of that dim's range counts, and from the value in the middle a bound is what steps
//! away from there add at most. What products of sizes people write is settled by the first.

mod search;
mod space;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use self::search::Goal;
use self::space::Space;
use super::{Expr, Term};
use crate::model::Dim;

/// The largest value that an expression has, or what it lies between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Extreme {
    /// No value is above this.
    pub(crate) bound: i128,
    /// The best value that is known; the largest if it is the bound.
    pub(crate) seen: Option<i128>,
    /// Where that is: the value of each declared dim that counts, by the dim's index.
    pub(crate) at: Vec<(u16, u64)>,
}

/// The largest value of the product of `exprs`, none of which is negative, over the bounds of `dims`.
pub(crate) fn largest_product(exprs: &[Expr], dims: &[Dim]) -> Extreme {
    extreme_product(exprs, dims, 1)
}

/// The smallest value of such a product; its bound is below that.
pub(super) fn smallest_product(exprs: &[Expr], dims: &[Dim]) -> Extreme {
    extreme_product(exprs, dims, -1).negative()
}

/// The largest value of the product with `sign`.
fn extreme_product(exprs: &[Expr], dims: &[Dim], sign: i64) -> Extreme {
    let (constant, rest): (Vec<_>, Vec<_>) = exprs
        .iter()
        .cloned()
        .partition(|e| e.as_constant().is_some());
    let scale = constant.iter().filter_map(Expr::as_constant);
    let scale = scale.fold(1i128, |all, c| all.saturating_mul(c.max(0).into()));
    let (mut space, rest) = Space::new(&rest, dims);
    let product = space.product(rest);
    let signed = Expr {
        constant: 0,
        terms: vec![Term::linear(product, sign)],
    };
    let mut found = space.largest(&signed, Goal::Largest);
    found.bound = found.bound.saturating_mul(scale);
    found.seen = found.seen.map(|seen| seen.saturating_mul(scale));
    found
}

impl Extreme {
    fn negative(mut self) -> Self {
        self.bound = self.bound.saturating_neg();
        self.seen = self.seen.map(i128::saturating_neg);
        self
    }
}

impl Expr {
    /// The largest value over the bounds of `dims`.
    pub(super) fn largest(&self, dims: &[Dim]) -> Extreme {
        self.searched(dims, Goal::Largest)
    }

    /// Whether no value over the bounds of `dims` is above 0, where products share dims; `false` also where
    /// a search does not show that soon.
    pub(super) fn is_never_above_zero(&self, dims: &[Dim]) -> bool {
        entangled(std::slice::from_ref(self), dims)
            && self.searched(dims, Goal::AboveZero).bound <= 0
    }

    fn searched(&self, dims: &[Dim], goal: Goal) -> Extreme {
        let (mut space, exprs) = Space::new(std::slice::from_ref(self), dims);
        space.largest(&exprs[0], goal)
    }

    /// The smallest value over the bounds of `dims`; its bound is below that. `None` on overflow.
    pub(super) fn smallest(&self, dims: &[Dim]) -> Option<Extreme> {
        Some(self.scale(-1)?.largest(dims).negative())
    }
}

/// Whether some declared dim is behind two dims of `exprs`, or behind a product twice: then the ranges of
/// these say too much of the product of `exprs`, or of one alone that is a sum.
pub(super) fn entangled(exprs: &[Expr], dims: &[Dim]) -> bool {
    let is_product = |dim: u16| dims.get(usize::from(dim)).is_some_and(|d| !d.is_declared());
    let mut seen = BTreeSet::new();
    exprs.iter().any(|expr| {
        let mut terms = expr.terms.iter();
        let mut own = BTreeSet::new();
        terms.any(|t| match is_product(t.dim) {
            true => !fresh(t.dim, dims, &mut seen),
            // Terms over one dim are bounded together.
            false => own.insert(t.dim) && !seen.insert(t.dim),
        })
    })
}

/// Puts the declared dims behind `dim` into `seen`; whether none was there before.
fn fresh(dim: u16, dims: &[Dim], seen: &mut BTreeSet<u16>) -> bool {
    match dims.get(usize::from(dim)).map(|d| &d.product[..]) {
        Some(factors @ [_, ..]) => factors.iter().all(|factor| {
            let over: BTreeSet<u16> = factor.terms.iter().map(|t| t.dim).collect();
            over.into_iter().all(|dim| fresh(dim, dims, seen))
        }),
        _ => seen.insert(dim),
    }
}
