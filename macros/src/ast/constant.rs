//! `const LAYERS: usize = 5;`.

use gpu_graph_analysis::model::Elem;
use proc_macro2::Ident;
use syn::Visibility;

use super::{Attr, Extent};

/// A named integer.
pub struct Const {
    /// `doc` and others.
    pub attrs: Vec<Attr>,
    /// Its visibility, if one is written.
    pub vis: Visibility,
    /// Its name.
    pub name: Ident,
    /// Its type and its value, where both could be read.
    pub is: Option<(IntType, Extent)>,
}

/// An integer type of Rust.
#[derive(Clone, Copy)]
pub struct IntType {
    /// Its name.
    pub name: &'static str,
    /// The element type of the same range; of 64 bits for `usize` and `isize`.
    pub elem: Elem,
}
