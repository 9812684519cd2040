//! Products of extents: dims that are computed from others.
//!
//! An [`Expr`] is affine. A product of two that both depend on dims is a dim of its own, with its
//! factors in [`Dim::product`]. Factors are in a canonical form: what divides all their numbers
//! stands in front, none of them is a product, and they are sorted; so equal products of the same
//! factors are one dim. Its bounds are those of the product. Whatever is proved for all values
//! within bounds holds for the products among them.

#[cfg(test)]
pub(super) mod tests;

use super::extreme::{entangled, largest_product, smallest_product};
use super::{Expr, Term, gcd};
use crate::model::{Dim, Site};

/// Why there is no such product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoProduct {
    /// It may leave 64 bits.
    Overflow,
    /// This factor may be negative.
    Negative(Expr),
    /// There are too many dims.
    Dims,
}

/// `scale * Π list`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Factors {
    pub(super) scale: i64,
    /// Sorted.
    pub(super) list: Vec<Expr>,
}

impl Factors {
    /// The factors of `expr`, each without a common divisor of its numbers.
    fn of(expr: &Expr, dims: &[Dim]) -> Self {
        if let Some(scale) = expr.as_constant() {
            let list = Vec::new();
            return Self { scale, list };
        }
        if let ([term], 0) = (expr.terms(), expr.constant)
            && term.is_linear()
            && let Some(dim) = dims.get(usize::from(term.dim))
            && !dim.is_declared()
        {
            let (scale, list) = (term.scale, dim.product.clone());
            return Self { scale, list };
        }
        let numbers = expr.terms.iter().map(|t| t.scale);
        let common = numbers.fold(i128::from(expr.constant), |all, n| gcd(all, n.into()));
        // The magnitude of the smallest number has no counterpart.
        let scale = i64::try_from(common).unwrap_or(1);
        let divided = |term: &Term| Term {
            scale: term.scale / scale,
            ..*term
        };
        let list = vec![Expr {
            constant: expr.constant / scale,
            terms: expr.terms.iter().map(divided).collect(),
        }];
        Self { scale, list }
    }

    /// The factors of all of `exprs`; `None` on overflow.
    pub(super) fn of_all(exprs: &[Expr], dims: &[Dim]) -> Option<Self> {
        let one = Self {
            scale: 1,
            list: Vec::new(),
        };
        exprs
            .iter()
            .try_fold(one, |all, expr| all.times(Self::of(expr, dims)))
    }

    fn times(mut self, other: Self) -> Option<Self> {
        self.scale = self.scale.checked_mul(other.scale)?;
        self.list.extend(other.list);
        self.list.sort();
        Some(self)
    }

    /// What is left of it without the factors of `other`, if it has them all.
    fn without(&self, other: &Self) -> Option<Self> {
        let mut list = self.list.clone();
        for factor in &other.list {
            let at = list.iter().position(|f| f == factor)?;
            list.remove(at);
        }
        let scale = self.scale.checked_div(other.scale)?;
        (scale.checked_mul(other.scale)? == self.scale).then_some(Self { scale, list })
    }

    /// Takes out of both what both have.
    pub(super) fn cancel(&mut self, other: &mut Self, same: impl Fn(&Expr, &Expr) -> bool) {
        let mine = std::mem::take(&mut self.list);
        for factor in mine {
            match other.list.iter().position(|f| same(f, &factor)) {
                Some(at) => drop(other.list.remove(at)),
                None => self.list.push(factor),
            }
        }
        let common = gcd(self.scale.into(), other.scale.into());
        if let Ok(common @ 2..) = i64::try_from(common) {
            self.scale /= common;
            other.scale /= common;
        }
    }

    /// The product, a new one of `dims` where there is none of these factors yet.
    fn product(self, dims: &mut Vec<Dim>, site: Site) -> Result<Expr, NoProduct> {
        let Self { scale, list } = self;
        if scale == 0 || list.is_empty() {
            return Ok(Expr::constant(scale));
        }
        if let [one] = &list[..] {
            return one.scale(scale).ok_or(NoProduct::Overflow);
        }
        let known = dims.iter().position(|dim| dim.product == list);
        let index = match known {
            Some(index) => index,
            None => {
                dims.push(of_factors(list, dims, site)?);
                dims.len() - 1
            }
        };
        let index = u16::try_from(index).map_err(|_| NoProduct::Dims)?;
        Expr::dim(index).scale(scale).ok_or(NoProduct::Overflow)
    }
}

/// The dim that is the product of `factors`.
fn of_factors(factors: Vec<Expr>, dims: &[Dim], site: Site) -> Result<Dim, NoProduct> {
    let zero = Expr::constant(0);
    if let Some(negative) = factors.iter().find(|f| !zero.always_le(f, dims)) {
        return Err(NoProduct::Negative(negative.clone()));
    }
    let name = factors.iter().map(|factor| {
        let text = factor.display(dims).to_string();
        match factor.as_dim() {
            Some(_) => text,
            None => format!("({text})"),
        }
    });
    let name: Vec<_> = name.collect();
    let (min, max) = bounds(&factors, dims);
    if max > i64::MAX as u64 {
        return Err(NoProduct::Overflow);
    }
    Ok(Dim {
        name: name.join(" * "),
        min,
        max,
        product: factors,
        site,
    })
}

/// Bounds of the product of `factors`, none of which is negative.
fn bounds(factors: &[Expr], dims: &[Dim]) -> (u64, u64) {
    (least_product(factors, dims), most_product(factors, dims))
}

/// The smallest value of the product of `factors`, none of which is negative, or a bound below that where a
/// search ends; saturates.
pub(crate) fn least_product(factors: &[Expr], dims: &[Dim]) -> u64 {
    let least = apart(factors, |factor| factor.min_over(dims));
    match entangled(factors, dims) {
        true => least.max(natural(smallest_product(factors, dims).bound)),
        false => least,
    }
}

/// The largest value of such a product, or a bound above that; saturates.
pub(crate) fn most_product(factors: &[Expr], dims: &[Dim]) -> u64 {
    let most = apart(factors, |factor| factor.max_over(dims));
    match entangled(factors, dims) {
        true => most.min(natural(largest_product(factors, dims).bound)),
        false => most,
    }
}

/// The product of what each factor has by itself.
fn apart(factors: &[Expr], of: impl Fn(&Expr) -> i128) -> u64 {
    let values = factors.iter().map(|factor| of(factor).max(0));
    natural(values.fold(1, i128::saturating_mul))
}

fn natural(value: i128) -> u64 {
    u64::try_from(value.max(0)).unwrap_or(u64::MAX)
}

/// Gives products among `dims` the bounds that follow from those of the others.
pub(crate) fn rebound(dims: &mut [Dim]) {
    for i in 0..dims.len() {
        let (before, rest) = dims.split_at_mut(i);
        if !rest[0].is_declared() {
            (rest[0].min, rest[0].max) = bounds(&rest[0].product, before);
        }
    }
}

/// Values of all `dims`, where those that are no products have the values `given`, in their order.
/// `None` where some have none, or a product leaves 64 bits.
pub fn values(dims: &[Dim], given: &[u64]) -> Option<Vec<u64>> {
    let mut given = given.iter();
    let mut all = Vec::with_capacity(dims.len());
    for dim in dims {
        let value = match &dim.product[..] {
            [] => *given.next()?,
            factors => factors.iter().try_fold(1u64, |product, factor| {
                product.checked_mul(factor.eval(&all)?.try_into().ok()?)
            })?,
        };
        all.push(value);
    }
    Some(all)
}

/// Values of all `dims`, where those that are no products have what `pick` says.
pub(crate) fn corner(dims: &[Dim], pick: fn(&Dim) -> u64) -> Option<Vec<u64>> {
    let given = dims.iter().filter(|dim| dim.is_declared()).map(pick);
    values(dims, &given.collect::<Vec<_>>())
}

/// `Π exprs`; see [`Expr::times`].
pub fn product(exprs: &[Expr], dims: &mut Vec<Dim>, site: Site) -> Result<Expr, NoProduct> {
    let factors = Factors::of_all(exprs, dims).ok_or(NoProduct::Overflow)?;
    factors.product(dims, site)
}

/// `expr * Π by / Π over`, where that is a product or a sum of products for all values of the dims;
/// `None` where it is not known to be one.
pub fn quotient(
    expr: &Expr,
    by: &[Expr],
    over: &[Expr],
    dims: &mut Vec<Dim>,
    site: Site,
) -> Option<Expr> {
    let (mut by, mut over) = (Factors::of_all(by, dims)?, Factors::of_all(over, dims)?);
    by.cancel(&mut over, |a, b| a == b);
    let part = |part: &Expr, dims: &mut Vec<Dim>| {
        if part.as_constant() == Some(0) {
            return Some(part.clone());
        }
        let all = Factors::of(part, dims).times(by.clone())?;
        all.without(&over)?.product(dims, site).ok()
    };
    if let Some(whole) = part(expr, dims) {
        return Some(whole);
    }
    let constant = Expr::constant(expr.constant);
    let terms = expr.terms.iter().map(|term| Expr {
        constant: 0,
        terms: vec![*term],
    });
    let mut parts = terms.chain([constant]);
    parts.try_fold(Expr::constant(0), |sum, of| sum.add(&part(&of, dims)?))
}

impl Expr {
    /// `self * other`, over one more of `dims` where both depend on dims and no such product is
    /// among them yet; `site` is where it is written.
    ///
    /// # Errors
    /// On overflow, and where a factor may be negative.
    pub fn times(&self, other: &Self, dims: &mut Vec<Dim>, site: Site) -> Result<Self, NoProduct> {
        match self.mul(other) {
            Some(product) => Ok(product),
            None => product(&[self.clone(), other.clone()], dims, site),
        }
    }

    /// `self / factor` for a factor of products in it; `None` where it is not in all its terms.
    pub(super) fn divided(&self, factor: &Self, dims: &mut Vec<Dim>) -> Option<Self> {
        let site = dims.first()?.site;
        quotient(self, &[], std::slice::from_ref(factor), dims, site)
    }

    /// The factors of the first product in it.
    pub(super) fn factors<'a>(&self, dims: &'a [Dim]) -> &'a [Self] {
        let of = |term: &Term| dims.get(usize::from(term.dim)).map(|dim| &dim.product[..]);
        let mut products = self.terms.iter().filter_map(of);
        products.find(|product| !product.is_empty()).unwrap_or(&[])
    }
}
