//! Expressions as text, in the language's own notation.

use std::fmt;

use super::{Expr, Term};
use crate::fault::raw;
use crate::model::Dim;

/// What has a name that expressions can show.
pub trait Named {
    /// The name.
    fn name(&self) -> &str;
}

impl Named for Dim {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Expr {
    /// The expression as a user would write it, with the names of `dims` (those of a graph or of a
    /// kernel): `h / 2 + 1`.
    pub fn display<'a, N: Named>(&'a self, dims: &'a [N]) -> impl fmt::Display + 'a {
        Shown { expr: self, dims }
    }
}

struct Shown<'a, N> {
    expr: &'a Expr,
    dims: &'a [N],
}

impl<N: Named> Shown<'_, N> {
    fn dim(&self, f: &mut fmt::Formatter<'_>, index: u16) -> fmt::Result {
        match self.dims.get(usize::from(index)) {
            Some(dim) => f.write_str(&raw(dim.name())),
            None => write!(f, "dim{index}"),
        }
    }

    /// `|scale| * floor(…)`.
    fn term(&self, f: &mut fmt::Formatter<'_>, t: &Term) -> fmt::Result {
        let factor = t.scale.unsigned_abs();
        if factor != 1 {
            write!(f, "{factor} * ")?;
        }
        if t.is_linear() {
            return self.dim(f, t.dim);
        }
        if factor != 1 {
            f.write_str("(")?;
        }
        if t.add != 0 {
            f.write_str("(")?;
        }
        if t.mul != 1 {
            write!(f, "{} * ", t.mul)?;
        }
        self.dim(f, t.dim)?;
        if t.add != 0 {
            write!(f, " + {})", t.add)?;
        }
        write!(f, " / {}", t.div)?;
        if factor != 1 {
            f.write_str(")")?;
        }
        Ok(())
    }
}

impl<N: Named> fmt::Display for Shown<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let constant = self.expr.constant_part();
        // What is added comes first, so that no expression starts with a minus needlessly.
        let mut first = true;
        let (plus, minus): (Vec<_>, Vec<_>) = self.expr.terms().iter().partition(|t| t.scale > 0);
        for t in plus {
            f.write_str(if first { "" } else { " + " })?;
            self.term(f, t)?;
            first = false;
        }
        if first && (constant > 0 || minus.is_empty()) {
            write!(f, "{constant}")?;
            first = false;
        } else if constant > 0 {
            write!(f, " + {constant}")?;
        }
        for t in minus {
            f.write_str(if first { "-" } else { " - " })?;
            self.term(f, t)?;
            first = false;
        }
        if constant < 0 && !self.expr.terms().is_empty() {
            write!(f, " - {}", constant.unsigned_abs())?;
        }
        Ok(())
    }
}
