//! A quick proof that one bound is below another.
//!
//! A bound with at most one proper fraction, taken once, is the floor of an affine function: whole
//! numbers move in and out of a floor. Floors grow with what is in them, so comparing the two affine
//! functions at the corners of the box is proof enough, whatever the divisors.

use crate::expr::Expr;
use crate::model::Dim;

/// An affine function over the dims, times `div`.
struct Affine {
    div: i128,
    constant: i128,
    /// Dims ascend.
    factors: Vec<(u16, i128)>,
}

impl Affine {
    /// What `expr` is the floor of.
    fn under(expr: &Expr) -> Option<Self> {
        let mut fractions = expr.terms().iter().filter(|t| !t.is_linear());
        let fraction = fractions.next();
        if fractions.next().is_some() || fraction.is_some_and(|t| t.scale != 1) {
            return None;
        }
        let div = fraction.map_or(1, |t| i128::from(t.div));
        let mut constant = div.checked_mul(i128::from(expr.constant_part()))?;
        let mut factors: Vec<(u16, i128)> = Vec::new();
        for t in expr.terms() {
            let factor = if t.is_linear() {
                div.checked_mul(i128::from(t.scale))?
            } else {
                constant = constant.checked_add(i128::from(t.add))?;
                i128::from(t.mul)
            };
            match factors.last_mut() {
                Some((dim, sum)) if *dim == t.dim => *sum = sum.checked_add(factor)?,
                _ => factors.push((t.dim, factor)),
            }
        }
        Some(Self {
            div,
            constant,
            factors,
        })
    }
}

/// Whether `a <= b` for all admitted dims, as far as it shows at once. `false` proves nothing.
pub(super) fn below(a: &Expr, b: &Expr, dims: &[Dim]) -> bool {
    let (Some(a), Some(b)) = (Affine::under(a), Affine::under(b)) else {
        return false;
    };
    least_difference(&a, &b, dims).is_some_and(|least| least >= 0)
}

/// The least of `b - a` over the box, times both divisors.
fn least_difference(a: &Affine, b: &Affine, dims: &[Dim]) -> Option<i128> {
    let apart = |x: i128, y: i128| y.checked_mul(a.div)?.checked_sub(x.checked_mul(b.div)?);
    let mut least = apart(a.constant, b.constant)?;
    let factor = |of: &Affine, dim: u16| {
        let found = of.factors.iter().find(|f| f.0 == dim);
        found.map_or(0, |f| f.1)
    };
    let only_b = b.factors.iter().filter(|f| factor(a, f.0) == 0);
    for &(dim, _) in a.factors.iter().chain(only_b) {
        let slope = apart(factor(a, dim), factor(b, dim))?;
        let bounds = dims.get(usize::from(dim))?;
        let at = if slope < 0 { bounds.max } else { bounds.min };
        least = least.checked_add(slope.checked_mul(i128::from(at))?)?;
    }
    Some(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Site;

    #[test]
    fn it_shows_only_what_holds() {
        let dims: Vec<Dim> = [(3, 40), (0, 7)]
            .iter()
            .map(|&(min, max)| Dim {
                name: String::new(),
                min,
                max,
                site: Site(0),
            })
            .collect();
        let mut all = Vec::new();
        for dim in 0..2 {
            for scale in -1..4 {
                for div in 1..5 {
                    for add in -2..3 {
                        let e = Expr::dim(dim).scale(scale).unwrap();
                        let e = e.add(&Expr::constant(add)).unwrap().floor_div(div).unwrap();
                        all.push(e);
                    }
                }
            }
        }
        let mut shown = 0;
        for a in &all {
            for b in &all {
                if below(a, b, &dims) {
                    assert!(a.always_le(b, &dims), "{a:?} {b:?}");
                    shown += 1;
                }
            }
        }
        assert!(shown > 5_000, "{shown}");
        // Neighbouring bands of a thousand.
        let band = |i| Expr::dim(0).scale(i).unwrap().floor_div(1000).unwrap();
        assert!((0..1000).all(|i| below(&band(i), &band(i + 1), &dims)));
        assert!(!below(&band(2), &band(1), &dims));
    }
}
