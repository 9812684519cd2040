//! `variant mode { prefill, decode }`, and `match mode { … }`.

use proc_macro2::Ident;

use super::{Attr, Body};
use crate::span::Region;

/// What each run chooses one value of.
pub struct Variant {
    /// `doc` and others.
    pub attrs: Vec<Attr>,
    /// Its name.
    pub name: Ident,
    /// Its values, in order.
    pub values: Vec<VariantValue>,
}

/// A value of a variant.
pub struct VariantValue {
    /// `doc` and others.
    pub attrs: Vec<Attr>,
    /// Its name.
    pub name: Ident,
}

/// Statements for each value of a variant.
pub struct Match {
    /// The variant.
    pub variant: Ident,
    /// The arms, in order.
    pub arms: Vec<Arm>,
}

/// `prefill => { … }`, or `prefill => call`.
pub struct Arm {
    /// The value; `None` for `_`, which is all that have no arm.
    pub value: Option<Ident>,
    /// Where the value, or `_`, stands.
    pub pattern: Region,
    /// Where the arm ends, and a last call may be missing.
    pub close: Region,
    /// The statements.
    pub body: Body,
    /// All of it, with a comma behind it.
    pub region: Region,
}
