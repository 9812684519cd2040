//! Extents that depend on dims: sums of floored fractions of single dims.

use super::Span;

/// One term, `scale * floor((mul * dim + add) / div)`, over one dim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// Factor in front of the floored fraction.
    pub scale: i64,
    /// Index of the dim, in the graph's or the kernel's list.
    pub dim: u16,
    /// Factor of the dim inside the fraction.
    pub mul: i64,
    /// Addend inside the fraction.
    pub add: i64,
    /// Divisor, at least 1.
    pub div: i64,
}

/// An extent: `constant + Σ terms`, in elements or rows.
///
/// ```
/// use gpu_graph_runtime::table::{Expr, Term};
/// // h / 2 + 1
/// let half = Expr { constant: 1, terms: &[Term { scale: 1, dim: 0, mul: 1, add: 0, div: 2 }] };
/// assert_eq!(half.eval(&[9]), Some(5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Expr<'a> {
    /// The part that depends on no dim.
    pub constant: i64,
    /// The parts that depend on one dim each.
    pub terms: &'a [Term],
}

/// Adds a term for a dim's value to a sum. The usual sizes go without the checked operations, which
/// cannot overflow there: calls are what rustc's evaluator is slow at.
macro_rules! add {
    ($sum:ident, $term:ident, $dim:expr) => {
        let (dim, div) = ($dim as i128, $term.div as i128);
        if div < 1 {
            return None;
        }
        // Neither factor is beyond 64 bits.
        let scaled = $term.mul as i128 * dim;
        let small = 1 << 62;
        if -small < $sum && $sum < small && -small < scaled && scaled < small {
            let inner = scaled + $term.add as i128;
            let floor = if inner >= 0 {
                inner / div
            } else {
                -((div - 1 - inner) / div)
            };
            $sum += floor * $term.scale as i128;
        } else {
            let Some(inner) = scaled.checked_add($term.add as i128) else {
                return None;
            };
            let Some(term) = inner.div_euclid(div).checked_mul($term.scale as i128) else {
                return None;
            };
            let Some(next) = $sum.checked_add(term) else {
                return None;
            };
            $sum = next;
        }
    };
}

impl Expr<'_> {
    /// The value for `dims`, or `None` where it overflows, is negative, divides by less than 1 or
    /// names a dim that is not there.
    pub const fn eval(&self, dims: &[u64]) -> Option<u64> {
        let (terms, count, known) = (self.terms, self.terms.len(), dims.len());
        let mut sum = self.constant as i128;
        let mut i = 0;
        while i < count {
            let t = &terms[i];
            if t.dim as usize >= known {
                return None;
            }
            add!(sum, t, dims[t.dim as usize]);
            i += 1;
        }
        if sum < 0 || sum > u64::MAX as i128 {
            return None;
        }
        Some(sum as u64)
    }

    /// The value for the dims that are `values[bound[i]]`, for the `i` that `of` names. As for
    /// [`eval`](Self::eval), and `None` where an index is not there.
    pub const fn eval_bound(&self, values: &[u64], bound: &[u32], of: Span) -> Option<u64> {
        let (terms, count) = (self.terms, self.terms.len());
        let (binds, known) = (bound.len(), values.len());
        let mut sum = self.constant as i128;
        let mut i = 0;
        while i < count {
            let t = &terms[i];
            let at = of.start as usize + t.dim as usize;
            if t.dim as u32 >= of.len || at >= binds || bound[at] as usize >= known {
                return None;
            }
            add!(sum, t, values[bound[at] as usize]);
            i += 1;
        }
        if sum < 0 || sum > u64::MAX as i128 {
            return None;
        }
        Some(sum as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn term(scale: i64, mul: i64, add: i64, div: i64) -> Term {
        Term {
            scale,
            dim: 0,
            mul,
            add,
            div,
        }
    }

    #[test]
    fn floors_toward_negative_infinity_as_the_analysis_does() {
        let e = Expr {
            constant: 10,
            terms: &[term(1, 1, -5, 4)],
        };
        assert_eq!(e.eval(&[0]), Some(8)); // floor(-5 / 4) = -2
    }

    #[test]
    fn bound_dims_are_looked_up_first() {
        let terms = [
            term(2, 1, 0, 1),
            Term {
                dim: 1,
                ..term(1, 1, 1, 2)
            },
        ];
        let e = Expr {
            constant: 3,
            terms: &terms,
        };
        let (values, bound) = ([10, 20, 7], [9, 2, 0]);
        assert_eq!(
            e.eval_bound(&values, &bound, Span::new(1, 2)),
            e.eval(&[7, 10])
        );
        assert_eq!(e.eval_bound(&values, &bound, Span::new(1, 1)), None);
        assert_eq!(e.eval_bound(&values, &bound, Span::new(2, 2)), None);
        assert_eq!(e.eval_bound(&values, &bound, Span::new(0, 2)), None);
    }

    #[test]
    fn a_negative_value_a_missing_dim_and_an_overflow_have_no_value() {
        assert_eq!(
            Expr {
                constant: -1,
                terms: &[]
            }
            .eval(&[]),
            None
        );
        assert_eq!(
            Expr {
                constant: 0,
                terms: &[term(1, 1, 0, 1)]
            }
            .eval(&[]),
            None
        );
        let big = [term(i64::MAX, i64::MAX, 0, 1)];
        assert_eq!(
            Expr {
                constant: 0,
                terms: &big
            }
            .eval(&[u64::MAX]),
            None
        );
        assert_eq!(
            Expr {
                constant: 0,
                terms: &[term(1, 1, 0, 0)]
            }
            .eval(&[1]),
            None
        );
    }
}
