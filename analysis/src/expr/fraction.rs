//! Floored division, as far as one fraction per dim can say it.

use super::{Expr, Term, gcd, narrow};

impl Expr {
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

    /// `scale * floor((mul * dim + add) / div)` in canonical form; `div` is at least 1.
    pub(super) fn from_term(
        scale: i128,
        dim: u16,
        mul: i128,
        add: i128,
        div: i128,
    ) -> Option<Self> {
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
