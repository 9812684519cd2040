//! Statements that set a bound.

use proc_macro2::Ident;

use super::{Attr, Extent, Int};
use crate::span::Region;

/// `dim h in 16..=8192`.
pub struct Dim {
    /// `doc` and others.
    pub attrs: Vec<Attr>,
    /// Its name.
    pub name: Ident,
    /// The smallest value, if there is one.
    pub min: Option<Extent>,
    /// What stands behind `..=` or `..`, if anything does.
    pub end: Option<Extent>,
    /// `end` is the largest value, rather than the one behind it.
    pub inclusive: bool,
    /// What stands behind `in`; the name where nothing does.
    pub range: Region,
}

/// `budget 2 GiB`, `shared 16 KiB`.
#[derive(Clone, Copy)]
pub struct Bytes {
    /// The amount.
    pub bytes: u64,
    /// Number and unit.
    pub region: Region,
}

/// `pipelined 2`, `streams 4`.
#[derive(Clone, Copy)]
pub struct Count {
    /// The number.
    pub count: Int,
    /// The word and the number.
    pub region: Region,
}
