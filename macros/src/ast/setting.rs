//! Statements that set a bound.

use proc_macro2::Ident;

use super::{Attr, Int};
use crate::span::Region;

/// `dim h in 16..=8192`.
pub struct Dim {
    /// `doc` and others.
    pub attrs: Vec<Attr>,
    /// Its name.
    pub name: Ident,
    /// The smallest value, if there is one.
    pub min: Option<Int>,
    /// The number behind `..=` or `..`, if there is one.
    pub end: Option<Int>,
    /// `end` is the largest value, rather than the one behind it.
    pub inclusive: bool,
    /// What stands behind `in`; the name where nothing does.
    pub range: Region,
}

impl Dim {
    /// The largest value, if it has a bound and admits any value at all.
    pub fn max(&self) -> Option<u64> {
        let end = self.end.as_ref()?.value;
        if self.inclusive {
            Some(end)
        } else {
            end.checked_sub(1)
        }
    }
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
