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
mod polynomial;
mod product;
#[cfg(test)]
mod tests;

pub use display::Named;
pub use polynomial::same_product;
pub use product::{NoProduct, product, quotient, values};
pub(crate) use product::{corner, rebound};

use std::cmp::Ordering;

/// One term, `scale * floor((mul * dim + add) / div)`.
///
/// Inside an [`Expr`] a term is either linear (`mul = 1`, `add = 0`, `div = 1`) or a proper fraction
/// in lowest terms (`0 < mul < div`, `0 <= add < div`, `mul` and `div` coprime). So every floored
/// fraction grows with its dim, and the sign of `scale` says which way the term goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term {
    /// Index of the dim, in the graph's or the kernel's list.
    pub dim: u16,
    /// Divisor, at least 1.
    pub div: i64,
    /// Factor of the dim inside the fraction.
    pub mul: i64,
    /// Addend inside the fraction.
    pub add: i64,
    /// Factor in front of the floored fraction; never 0.
    pub scale: i64,
}

impl Term {
    /// Whether the term is `scale * dim`.
    pub fn is_linear(&self) -> bool {
        self.div == 1
    }

    fn linear(dim: u16, scale: i64) -> Self {
        Self {
            dim,
            div: 1,
            mul: 1,
            add: 0,
            scale,
        }
    }

    fn eval(&self, dim: i128) -> Option<i128> {
        if self.div == 1 && self.mul == 1 && self.add == 0 {
            return dim.checked_mul(i128::from(self.scale));
        }
        let inner = dim
            .checked_mul(i128::from(self.mul))?
            .checked_add(i128::from(self.add))?;
        inner
            .checked_div_euclid(i128::from(self.div))?
            .checked_mul(i128::from(self.scale))
    }

    /// All but the scale; terms that agree here are merged.
    fn shape(&self) -> (u16, i64, i64, i64) {
        (self.dim, self.div, self.mul, self.add)
    }
}

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

    /// `floor(self / divisor)`.
    ///
    /// `None` where `divisor` is less than 1, on overflow, and where one fraction per dim cannot say
    /// it, such as `(h + w) / 2`. Whole multiples of the divisor come out of the fraction first, so
    /// `(2 * h + w) / 2` can be said.
    pub fn floor_div(&self, divisor: i64) -> Option<Self> {
        if divisor < 1 {
            return None;
        }
        if divisor == 1 {
            return Some(self.clone());
        }
        // floor((d * whole + rest) / d) = whole + floor(rest / d), and constants split the same way.
        let mut whole = Self::constant(self.constant.div_euclid(divisor));
        let constant = self.constant.rem_euclid(divisor);
        let mut rest = Vec::new();
        for t in &self.terms {
            if t.scale % divisor == 0 {
                whole.terms.push(Term {
                    scale: t.scale / divisor,
                    ..*t
                });
            } else {
                rest.push(*t);
            }
        }
        if rest.is_empty() {
            return Some(whole);
        }
        whole.add(&fraction(&rest, constant, divisor)?)
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

    /// `scale * floor((mul * dim + add) / div)` in canonical form; `div` is at least 1.
    fn from_term(scale: i128, dim: u16, mul: i128, add: i128, div: i128) -> Option<Self> {
        let linear = scale.checked_mul(mul.div_euclid(div))?;
        let constant = scale.checked_mul(add.div_euclid(div))?;
        let (mul, add) = (mul.rem_euclid(div), add.rem_euclid(div));
        let mut result = Self::constant(narrow(constant)?);
        if linear != 0 {
            result.terms.push(Term::linear(dim, narrow(linear)?));
        }
        if mul != 0 && scale != 0 {
            // `mul * dim` is a multiple of the common divisor, so what `add` has beyond one is lost
            // to the floor anyway.
            let common = gcd(mul, div);
            result.terms.push(Term {
                dim,
                div: narrow(div / common)?,
                mul: narrow(mul / common)?,
                add: narrow(add / common)?,
                scale: narrow(scale)?,
            });
        }
        Some(result)
    }
}

/// `floor((Σ terms + constant) / divisor)`: a linear part and at most one fraction, over one dim.
fn fraction(terms: &[Term], constant: i64, divisor: i64) -> Option<Expr> {
    let dim = terms.first()?.dim;
    let mut linear = 0;
    let mut floored = None;
    for t in terms {
        if t.dim != dim || (!t.is_linear() && floored.is_some()) {
            return None;
        } else if t.is_linear() {
            linear = i128::from(t.scale);
        } else {
            floored = Some(t);
        }
    }
    let (constant, divisor) = (i128::from(constant), i128::from(divisor));
    let Some(t) = floored else {
        return Expr::from_term(1, dim, linear, constant, divisor);
    };
    // A factor common to all parts and the divisor goes; what the constant has beyond it is lost to
    // the floor.
    let common = gcd(gcd(linear, i128::from(t.scale)), divisor);
    let (linear, scale) = (linear / common, i128::from(t.scale) / common);
    let (constant, divisor) = (constant.div_euclid(common), divisor / common);
    let (mul, add, div) = (i128::from(t.mul), i128::from(t.add), i128::from(t.div));
    // -floor(n / d) = floor((-n + d - 1) / d)
    let (mul, add) = match scale {
        1 => (mul, add),
        -1 => (-mul, div - 1 - add),
        _ => return None,
    };
    // floor((linear * x + floor(n / div) + constant) / divisor) is one fraction over div * divisor.
    let mul = linear.checked_mul(div)?.checked_add(mul)?;
    let add = constant.checked_mul(div)?.checked_add(add)?;
    Expr::from_term(1, dim, mul, add, div.checked_mul(divisor)?)
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
