//! Types of expressions.

use std::fmt;

use crate::model::Elem;

/// The type of an expression: an element type, or what a comparison gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// Only between a comparison and the `if` that asks; no tensor holds it.
    Bool,
    /// A number.
    Elem(Elem),
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Bool => f.write_str("bool"),
            Ty::Elem(elem) => elem.fmt(f),
        }
    }
}

/// It has a point.
pub(super) fn is_float(elem: Elem) -> bool {
    elem.int_range().is_none()
}

/// It holds negative numbers.
pub(super) fn is_signed(elem: Elem) -> bool {
    elem.int_range().is_none_or(|(min, _)| min < 0)
}
