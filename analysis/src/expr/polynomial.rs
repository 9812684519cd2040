//! Whether two products are equal: by their factors, or multiplied out.

use std::collections::BTreeMap;

use super::Expr;
use super::product::Factors;
use crate::model::Dim;

/// Monomials of a polynomial at most; beyond, two are not compared.
const MONOMIALS: usize = 1 << 10;

/// Whether `Π a == Π b` for all admitted dims. `false` also where that cannot be shown.
pub fn same_product(a: &[Expr], b: &[Expr], dims: &[Dim]) -> bool {
    let (Some(mut a), Some(mut b)) = (Factors::of_all(a, dims), Factors::of_all(b, dims)) else {
        return false;
    };
    a.cancel(&mut b, |a, b| a.always_eq(b, dims));
    if a == b {
        return true;
    }
    let (a, b) = (
        Polynomial::of_factors(&a, dims),
        Polynomial::of_factors(&b, dims),
    );
    a.is_some() && a == b
}

/// A dim or a fraction of one: all of a term but its scale.
type Atom = (u16, i64, i64, i64);

/// A sum of products of atoms with a number each: equal polynomials have one form.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Polynomial(BTreeMap<Vec<Atom>, i128>);

impl Polynomial {
    fn constant(value: i64) -> Self {
        let terms = (value != 0).then(|| (Vec::new(), value.into()));
        Self(terms.into_iter().collect())
    }

    fn of_factors(factors: &Factors, dims: &[Dim]) -> Option<Self> {
        let scale = Self::constant(factors.scale);
        let mut all = factors.list.iter();
        all.try_fold(scale, |all, factor| all.times(&Self::of(factor, dims)?))
    }

    /// `None` on overflow, and where it is too long.
    fn of(expr: &Expr, dims: &[Dim]) -> Option<Self> {
        let mut sum = Self::constant(expr.constant);
        for term in &expr.terms {
            let product = dims.get(usize::from(term.dim)).map(|d| &d.product[..]);
            let part = match product {
                Some([_, ..]) if term.is_linear() => {
                    let list = product.unwrap_or_default().to_vec();
                    let scale = term.scale;
                    Self::of_factors(&Factors { scale, list }, dims)?
                }
                _ => Self([(vec![term.shape()], term.scale.into())].into()),
            };
            for (atoms, scale) in part.0 {
                sum.add(atoms, scale)?;
            }
        }
        Some(sum)
    }

    fn add(&mut self, atoms: Vec<Atom>, scale: i128) -> Option<()> {
        let entry = self.0.entry(atoms.clone()).or_insert(0);
        *entry = entry.checked_add(scale)?;
        if *entry == 0 {
            self.0.remove(&atoms);
        }
        (self.0.len() <= MONOMIALS).then_some(())
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let mut all = Self::constant(0);
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                let mut atoms = [&a[..], b].concat();
                atoms.sort_unstable();
                all.add(atoms, x.checked_mul(*y)?)?;
            }
        }
        Some(all)
    }
}
