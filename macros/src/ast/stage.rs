//! `stage layer(x: &mut [f32; n], w: &[f32; n, n]) { … }`.

use proc_macro2::{Ident, Span};

use super::{Body, Param, Tensor};

/// Statements that are called like a kernel.
pub struct Stage {
    /// Its name.
    pub name: Ident,
    /// Parameters, in order.
    pub params: Vec<Param>,
    /// The type of its result.
    pub result: Option<Tensor>,
    /// The statements.
    pub body: Body,
    /// The closing brace.
    pub close: Span,
    /// Part of it could not be read, and that was reported.
    pub broken: bool,
}
