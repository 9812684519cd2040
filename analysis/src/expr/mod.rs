//! Extents over dims: sums of floored fractions of single dims, in a canonical form. A product of dims
//! is a dim of its own.
//!
//! An [`Expr`] is `constant + Σ scale * floor((mul * dim + add) / div)`, each term over one dim. The
//! form is closed under addition, scaling and, as far as one fraction per dim can say it, floored
//! division. Equal expressions usually have equal forms; [`Expr::always_eq`] decides the rest over
//! the declared bounds of the dims.

mod bound;
mod bracket;
mod display;
mod extreme;
mod fraction;
mod polynomial;
mod product;
mod term;
#[cfg(test)]
mod tests;

pub use display::Named;
pub(crate) use extreme::largest_product;
pub use polynomial::same_product;
pub use product::{NoProduct, product, quotient, values};
pub(crate) use product::{corner, least_product, most_product, rebound};
pub use term::Term;

use std::cmp::Ordering;

/// An extent: `constant + Σ terms`, in elements, rows or threads.
///
/// ```
/// use gpu_graph_analysis::expr::Expr;
/// let h = Expr::dim(0);
/// let half = h.floor_div(2).unwrap().add(&Expr::constant(1)).unwrap(); // h / 2 + 1
/// assert_eq!(half.eval(&[9]), Some(5));
/// // (2 * h + 2) / 4 is (h + 1) / 2
/// let a = h.scale(2).unwrap().add(&Expr::constant(2)).unwrap().floor_div(4);
/// assert_eq!(a, h.add(&Expr::constant(1)).unwrap().floor_div(2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expr {
    constant: i64,
    /// Sorted, no two of one shape.
    terms: Vec<Term>,
}

impl Expr {
    /// A number.
    pub fn constant(value: i64) -> Self {
        Self {
            constant: value,
            terms: Vec::new(),
        }
    }

    /// The dim of that index.
    pub fn dim(index: u16) -> Self {
        Self {
            constant: 0,
            terms: vec![Term::linear(index, 1)],
        }
    }

    /// The part that depends on no dim.
    pub fn constant_part(&self) -> i64 {
        self.constant
    }

    /// The parts that depend on one dim each, sorted by dim.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The value, if no dim is in it.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The dim's index, if the expression is that dim and nothing else.
    pub fn as_dim(&self) -> Option<u16> {
        match self.terms[..] {
            [t] if self.constant == 0 && t.is_linear() && t.scale == 1 => Some(t.dim),
            _ => None,
        }
    }

    /// Whether the dim of that index is in it.
    pub fn mentions(&self, dim: u16) -> bool {
        self.terms.iter().any(|t| t.dim == dim)
    }

    /// `self + other`, or `None` on overflow.
    pub fn add(&self, other: &Self) -> Option<Self> {
        self.combine(other, 1)
    }

    /// `self - other`, or `None` on overflow.
    pub fn sub(&self, other: &Self) -> Option<Self> {
        self.combine(other, -1)
    }

    /// `self + sign * other`: a merge of two sorted lists.
    fn combine(&self, other: &Self, sign: i64) -> Option<Self> {
        let constant =
            narrow(i128::from(self.constant) + i128::from(sign) * i128::from(other.constant))?;
        if other.terms.is_empty() {
            return Some(Self {
                constant,
                terms: self.terms.clone(),
            });
        }
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let order = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(x), Some(y)) => x.shape().cmp(&y.shape()),
            };
            let mut term = None;
            let mut scale = 0;
            if order != Ordering::Greater
                && let Some(x) = a.next()
            {
                scale += i128::from(x.scale);
                term = Some(*x);
            }
            if order != Ordering::Less
                && let Some(y) = b.next()
            {
                scale += i128::from(sign) * i128::from(y.scale);
                term = Some(*y);
            }
            if let Some(term) = term
                && scale != 0
            {
                terms.push(Term {
                    scale: narrow(scale)?,
                    ..term
                });
            }
        }
        Some(Self { constant, terms })
    }

    /// `factor * self`, or `None` on overflow.
    pub fn scale(&self, factor: i64) -> Option<Self> {
        if factor == 0 {
            return Some(Self::constant(0));
        }
        let mut result = Self {
            constant: self.constant.checked_mul(factor)?,
            terms: Vec::new(),
        };
        result.terms.reserve(self.terms.len());
        for t in &self.terms {
            result.terms.push(Term {
                scale: t.scale.checked_mul(factor)?,
                ..*t
            });
        }
        Some(result)
    }

    /// `self * other`, or `None` on overflow or where both depend on dims; see
    /// [`times`](Self::times) for those.
    pub fn mul(&self, other: &Self) -> Option<Self> {
        match (self.as_constant(), other.as_constant()) {
            (_, Some(factor)) => self.scale(factor),
            (Some(factor), None) => other.scale(factor),
            (None, None) => None,
        }
    }

    /// The value for `dims`, or `None` where it overflows or names a dim that is not there.
    pub fn eval(&self, dims: &[u64]) -> Option<i128> {
        let mut sum = i128::from(self.constant);
        for t in &self.terms {
            let dim = *dims.get(usize::from(t.dim))?;
            sum = sum.checked_add(t.eval(i128::from(dim))?)?;
        }
        Some(sum)
    }

    /// The expression with each dim `i` replaced by `with[i]`.
    ///
    /// `None` where a dim has no replacement, on overflow, and where the result cannot be said.
    pub fn substitute(&self, with: &[Self]) -> Option<Self> {
        if self.terms.is_empty() {
            return Some(self.clone());
        }
        let mut sum = Self::constant(self.constant);
        for t in &self.terms {
            let dim = with.get(usize::from(t.dim))?;
            let term = if t.is_linear() {
                dim.scale(t.scale)?
            } else {
                dim.scale(t.mul)?
                    .add(&Self::constant(t.add))?
                    .floor_div(t.div)?
                    .scale(t.scale)?
            };
            sum = sum.add(&term)?;
        }
        Some(sum)
    }
}

fn narrow(value: i128) -> Option<i64> {
    i64::try_from(value).ok()
}

/// Greatest common divisor of magnitudes; `gcd(0, x)` is `|x|`.
fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
