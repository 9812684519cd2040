//! The dims that count for an extreme, and what expressions do over a part of their box.

use std::collections::{BTreeMap, BTreeSet};

use super::super::bracket::{Range, bracket};
use super::super::{Expr, Term};
use crate::model::{Dim, Site};

/// The dims that some expressions depend on, renumbered.
pub(super) struct Space {
    /// As in the graph, with the bounds of the box that is looked at.
    pub(super) dims: Vec<Dim>,
    /// The index in the graph of each that is declared, with that here.
    pub(super) declared: Vec<(u16, usize)>,
}

/// Values of the declared dims, from and to.
pub(super) type Region = Vec<(u64, u64)>;

impl Space {
    pub(super) fn new(exprs: &[Expr], dims: &[Dim]) -> (Self, Vec<Expr>) {
        let mut used = BTreeSet::new();
        let mut open: Vec<u16> = exprs.iter().flat_map(|e| &e.terms).map(|t| t.dim).collect();
        while let Some(dim) = open.pop() {
            if used.insert(dim)
                && let Some(of) = dims.get(usize::from(dim))
            {
                open.extend(of.product.iter().flat_map(|e| &e.terms).map(|t| t.dim));
            }
        }
        let numbers: BTreeMap<u16, u16> = used.iter().copied().zip(0..).collect();
        let renumbered = |e: &Expr| {
            let dim = |t: &Term| Term {
                dim: numbers[&t.dim],
                ..*t
            };
            Expr {
                constant: e.constant,
                terms: e.terms.iter().map(dim).collect(),
            }
        };
        let local = used.iter().map(|&dim| match dims.get(usize::from(dim)) {
            Some(of) => Dim {
                name: String::new(),
                product: of.product.iter().map(renumbered).collect(),
                ..*of
            },
            // A dim that is not declared may be anything.
            None => Dim {
                name: String::new(),
                min: 0,
                max: u64::MAX,
                product: Vec::new(),
                site: Site(0),
            },
        });
        let dims: Vec<Dim> = local.collect();
        let declared = used
            .iter()
            .zip(0..)
            .filter(|(_, i): &(_, usize)| dims[*i].is_declared());
        let declared = declared.map(|(&dim, i)| (dim, i)).collect();
        let exprs = exprs.iter().map(renumbered).collect();
        (Self { dims, declared }, exprs)
    }

    /// The product of `factors` as a dim.
    pub(super) fn product(&mut self, mut factors: Vec<Expr>) -> u16 {
        if factors.is_empty() {
            factors.push(Expr::constant(1));
        }
        let index = self.dims.len() as u16;
        self.dims.push(Dim {
            name: String::new(),
            min: 0,
            max: u64::MAX,
            product: factors,
            site: Site(0),
        });
        index
    }

    /// The value where the declared dims are at `point`; `None` where it leaves `i128`.
    pub(super) fn at(&self, of: &Expr, point: &[u64]) -> Option<i128> {
        let mut point = point.iter();
        let mut values: Vec<i128> = Vec::with_capacity(self.dims.len());
        let value = |of: &Expr, values: &[i128]| {
            of.terms
                .iter()
                .try_fold(of.constant.into(), |sum: i128, t| {
                    sum.checked_add(t.eval(*values.get(usize::from(t.dim))?)?)
                })
        };
        for dim in &self.dims {
            let next = match &dim.product[..] {
                [] => i128::from(*point.next()?),
                factors => factors.iter().try_fold(1i128, |all, factor| {
                    all.checked_mul(value(factor, &values)?)
                })?,
            };
            values.push(next);
        }
        value(of, &values)
    }

    /// Gives declared dims the values of `region`, and products the bounds that follow.
    pub(super) fn enter(&mut self, region: &[(u64, u64)]) {
        for (&(_, i), &(lo, hi)) in self.declared.iter().zip(region) {
            (self.dims[i].min, self.dims[i].max) = (lo, hi);
        }
        for i in 0..self.dims.len() {
            let (before, rest) = self.dims.split_at_mut(i);
            let dim = &mut rest[0];
            if !dim.is_declared() {
                let of = |pick: fn(Range) -> i128| {
                    let each = dim
                        .product
                        .iter()
                        .map(|f| pick(f.sum(before, bracket)).max(0));
                    let product = each.fold(1, i128::saturating_mul);
                    u64::try_from(product).unwrap_or(u64::MAX)
                };
                (dim.min, dim.max) = (of(|r| r.0), of(|r| r.1));
            }
        }
    }

    /// By how much `of` changes as declared dim `d` grows by one, anywhere in the region that was
    /// entered; `None` if that leaves `i128`.
    pub(super) fn step(&self, of: &Expr, d: usize) -> Option<Range> {
        let mut all = (0i128, 0i128);
        for t in &of.terms {
            let i = usize::from(t.dim);
            let dim = self.dims.get(i)?;
            let inner = match dim.is_declared() {
                true => (i128::from(i == d), i128::from(i == d)),
                false => self.product_step(&dim.product, d)?,
            };
            if inner == (0, 0) {
                continue;
            }
            let (mul, div) = (i128::from(t.mul), i128::from(t.div));
            let low = inner.0.checked_mul(mul)?.div_euclid(div);
            let high = -(-inner.1.checked_mul(mul)?).div_euclid(div);
            let (a, b) = (
                low.checked_mul(t.scale.into())?,
                high.checked_mul(t.scale.into())?,
            );
            all = (all.0.checked_add(a.min(b))?, all.1.checked_add(a.max(b))?);
        }
        Some(all)
    }

    /// The same of the product of `factors`: one after the other takes its step.
    fn product_step(&self, factors: &[Expr], d: usize) -> Option<Range> {
        let ranges: Vec<Range> = factors
            .iter()
            .map(|f| {
                let (lo, hi) = f.sum(&self.dims, bracket);
                (lo.max(0), hi.max(0))
            })
            .collect();
        let mut all = (0i128, 0i128);
        for (k, factor) in factors.iter().enumerate() {
            let step = self.step(factor, d)?;
            if step == (0, 0) {
                continue;
            }
            let others = (0..).zip(&ranges).filter(|(j, _)| *j != k);
            let (mut lo, mut hi) = (1i128, 1i128);
            for (_, range) in others {
                (lo, hi) = (lo.checked_mul(range.0)?, hi.checked_mul(range.1)?);
            }
            let least = step.0.checked_mul(if step.0 < 0 { hi } else { lo })?;
            let most = step.1.checked_mul(if step.1 < 0 { lo } else { hi })?;
            all = (all.0.checked_add(least)?, all.1.checked_add(most)?);
        }
        Some(all)
    }
}
