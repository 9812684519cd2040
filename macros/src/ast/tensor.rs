//! `[f32; h, w]`.

use gpu_graph_analysis::model::Elem;
use proc_macro2::Span;

use super::Extent;
use crate::span::Region;

/// The type of an element or of a scalar.
#[derive(Clone, Copy)]
pub struct ElemType {
    /// Which type.
    pub elem: Elem,
    /// Its name, or the suffix of a literal.
    pub span: Span,
}

/// `[elem; extent, …]`.
#[derive(Clone)]
pub struct Tensor {
    /// Type of an element.
    pub elem: ElemType,
    /// Extents, slowest first; at least one.
    pub extents: Vec<Extent>,
    /// With its brackets.
    pub region: Region,
}
