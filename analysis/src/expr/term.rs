//! One part of an extent, over one dim.

/// One term, `scale * floor((mul * dim + add) / div)`.
///
/// Inside an [`Expr`](super::Expr) a term is either linear (`mul = 1`, `add = 0`, `div = 1`) or a proper fraction
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

    pub(super) fn linear(dim: u16, scale: i64) -> Self {
        Self {
            dim,
            div: 1,
            mul: 1,
            add: 0,
            scale,
        }
    }

    pub(super) fn eval(&self, dim: i128) -> Option<i128> {
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
    pub(super) fn shape(&self) -> (u16, i64, i64, i64) {
        (self.dim, self.div, self.mul, self.add)
    }
}
