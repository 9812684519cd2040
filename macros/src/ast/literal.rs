//! Numbers.

use proc_macro2::Span;

use super::ElemType;
use crate::span::Region;

/// An unsigned integer without a suffix.
#[derive(Clone, Copy)]
pub struct Int {
    /// Its value.
    pub value: u64,
    /// The token.
    pub span: Span,
}

/// A constant argument, as in `1`, `1.5` and `-2i32`.
#[derive(Clone)]
pub struct Literal {
    /// Its value.
    pub value: Value,
    /// `i32` of `-2i32`.
    pub suffix: Option<ElemType>,
    /// With its sign.
    pub region: Region,
}

/// See [`Literal`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// No point, no exponent.
    Int {
        /// It stands behind a `-`.
        negative: bool,
        /// Its absolute value.
        magnitude: u64,
    },
    /// Decimal digits with sign, point and exponent where written, as `f32::from_str` and
    /// `f64::from_str` read them. Text, so that it is rounded once, to the type it is used at.
    Float(String),
}
