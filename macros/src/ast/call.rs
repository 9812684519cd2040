//! `blur(&image[..h / 2], 1.4)`.

use proc_macro2::{Ident, Span};
use syn::{Lifetime, Path};

use super::{Extent, Literal, Tensor};
use crate::span::Region;

/// A call of a kernel.
pub struct Call {
    /// The kernel; more than one segment means one that was declared elsewhere.
    pub path: Path,
    /// `h, w` of `lib::blur::<h, w>(…)`: values of the dims of a kernel from elsewhere.
    pub dims: Option<Vec<Extent>>,
    /// Arguments, in order.
    pub args: Vec<Arg>,
    /// The closing parenthesis, where an argument may be missing.
    pub close: Span,
    /// Path and parentheses.
    pub region: Region,
    /// What stands behind it: `retains x until 'a, y until 'b`.
    pub retains: Vec<Retain>,
}

/// `x until 'task`: what is passed stays in use until a later task completes.
pub struct Retain {
    /// The resource.
    pub name: Ident,
    /// The label of the later task.
    pub until: Lifetime,
    /// Name and label.
    pub region: Region,
}

/// An argument.
pub struct Arg {
    /// What it is.
    pub kind: ArgKind,
    /// The whole of it.
    pub region: Region,
}

/// See [`Arg`].
pub enum ArgKind {
    /// `&x`, `&mut x`, `&x[a..b]`, `&x as [f32; n]`, `&x as [f32; n][a..b]`.
    Ref(Effect, View),
    /// A lone literal, perhaps behind a `-`.
    Literal(Literal),
    /// A name, which may be a scalar, or an expression over dims.
    Extent(Extent),
}

/// `&` or `&mut`.
#[derive(Clone, Copy)]
pub struct Effect {
    /// It is `&mut`.
    pub mutable: bool,
    /// The token or tokens.
    pub region: Region,
}

/// `x`, or some of its rows. Behind a `&`, or as the place that a result overwrites.
#[derive(Clone)]
pub struct View {
    /// The resource.
    pub name: Ident,
    /// Which rows; all of them without.
    pub rows: Option<RowRange>,
    /// `as [f32; n]`: the shape that it is seen in.
    pub seen: Option<Box<Seen>>,
    /// All of it.
    pub region: Region,
}

/// `[f32; n][a..b]` of `x as [f32; n][a..b]`.
#[derive(Clone)]
pub struct Seen {
    /// The shape.
    pub shape: Tensor,
    /// Which rows of it; all of them without.
    pub rows: Option<RowRange>,
}

impl From<&Ident> for View {
    /// All of what is called so.
    fn from(name: &Ident) -> Self {
        Self {
            region: name.into(),
            name: name.clone(),
            rows: None,
            seen: None,
        }
    }
}

/// `[a..b]`.
#[derive(Clone)]
pub struct RowRange {
    /// First row; 0 without.
    pub start: Option<Extent>,
    /// The row behind the last one; that of the resource without.
    pub end: Option<Extent>,
    /// With its brackets.
    pub region: Region,
}
