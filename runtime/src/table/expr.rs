//! Extents that depend on dims: sums of floored fractions of single dims.

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

impl Expr<'_> {
    /// The value for `dims`, or `None` where it overflows, is negative, divides by less than 1 or
    /// names a dim that is not there.
    pub const fn eval(&self, dims: &[u64]) -> Option<u64> {
        let mut sum = self.constant as i128;
        let mut i = 0;
        while i < self.terms.len() {
            let t = &self.terms[i];
            if t.dim as usize >= dims.len() || t.div < 1 {
                return None;
            }
            let Some(scaled) = (t.mul as i128).checked_mul(dims[t.dim as usize] as i128) else {
                return None;
            };
            let Some(inner) = scaled.checked_add(t.add as i128) else {
                return None;
            };
            let Some(term) = inner.div_euclid(t.div as i128).checked_mul(t.scale as i128) else {
                return None;
            };
            let Some(next) = sum.checked_add(term) else {
                return None;
            };
            sum = next;
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
        Term { scale, dim: 0, mul, add, div }
    }

    #[test]
    fn floors_toward_negative_infinity_as_the_analysis_does() {
        let e = Expr { constant: 10, terms: &[term(1, 1, -5, 4)] };
        assert_eq!(e.eval(&[0]), Some(8)); // floor(-5 / 4) = -2
    }

    #[test]
    fn a_negative_value_a_missing_dim_and_an_overflow_have_no_value() {
        assert_eq!(Expr { constant: -1, terms: &[] }.eval(&[]), None);
        assert_eq!(Expr { constant: 0, terms: &[term(1, 1, 0, 1)] }.eval(&[]), None);
        let big = [term(i64::MAX, i64::MAX, 0, 1)];
        assert_eq!(Expr { constant: 0, terms: &big }.eval(&[u64::MAX]), None);
        assert_eq!(Expr { constant: 0, terms: &[term(1, 1, 0, 0)] }.eval(&[1]), None);
    }
}
