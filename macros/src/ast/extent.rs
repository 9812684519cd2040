//! `(h + 1) / 2`: extents and bounds of views.

use proc_macro2::Ident;

use super::Int;
use crate::span::Region;

/// An expression over integers and names. At most [`Extent::MAX_DEPTH`] deep, so it may be walked
/// by recursion. Whether it is affine is decided later.
#[derive(Clone)]
pub struct Extent {
    /// What it is.
    pub kind: ExtentKind,
    /// The whole of it, without parentheses around it.
    pub region: Region,
}

/// See [`Extent`].
#[derive(Clone)]
pub enum ExtentKind {
    /// `16`.
    Int(Int),
    /// `h`: a dim; or, for an argument that is nothing but a name, perhaps a scalar.
    Name(Ident),
    /// `-x`.
    Neg(Box<Extent>),
    /// `x + y`.
    Binary(Box<Extent>, Binary, Box<Extent>),
}

/// An operator between two extents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`, which rounds down.
    Div,
}

impl Extent {
    /// Most levels of a tree; deeper ones are refused as they are read.
    pub const MAX_DEPTH: usize = 100;

    /// Hands each name in it to `to`, from left to right.
    pub fn names<'a>(&'a self, to: &mut dyn FnMut(&'a Ident)) {
        match &self.kind {
            ExtentKind::Int(_) => {}
            ExtentKind::Name(name) => to(name),
            ExtentKind::Neg(of) => of.names(to),
            ExtentKind::Binary(left, _, right) => {
                left.names(to);
                right.names(to);
            }
        }
    }
}
