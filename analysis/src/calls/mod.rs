//! Kernels, and what it means to call one.
//!
//! A kernel speaks of its own dims. A call gives each of them a value, an expression over the
//! graph's dims: the first argument that has a bare dim as an extent binds it, and every other use
//! must be provably equal. [`bind()`] does that and checks the rest of the call; what comes out is one
//! task of a [`Model`](crate::model::Model).

mod bind;
mod bound;
mod call;
mod count;
mod extents;
mod kernel;
mod reading;
mod reshape;
mod scalar;
#[cfg(test)]
mod tests;
mod transfer;
mod within;

pub use bind::{bind, each};
pub use bound::{Bound, ScalarArg};
pub use call::{Arg, ArgKind, Call, Literal, Place, Value};
pub use reshape::{Shape, reshaped};
pub use transfer::Transfer;
pub use within::out_of_bounds;

use crate::expr::{Expr, Named};
use crate::model::{Elem, KernelKind, Rows, Site};

/// A kernel, as declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Its dims, in order of first use.
    pub dims: Vec<KernelDim>,
    /// Its parameters, in order.
    pub params: Vec<Param>,
    /// Its result.
    pub result: Option<Tensor>,
    /// What it is; the tensors of a callback are staging.
    pub kind: KernelKind,
    /// Parameters that have to be zero when it begins, as indices into `params`; each is `&mut`.
    pub zeroed: Vec<usize>,
    /// Its index space.
    pub over: Option<Over>,
    /// Its static shared memory.
    pub shared: Option<Shared>,
    /// Its in-place form.
    pub in_place: Option<InPlace>,
    /// Its name in its declaration.
    pub site: Site,
}

/// A dim of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelDim {
    /// Its name.
    pub name: String,
    /// Its first use.
    pub site: Site,
}

impl Named for KernelDim {
    fn name(&self) -> &str {
        &self.name
    }
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// What it takes.
    pub kind: ParamKind,
    /// Its declaration.
    pub site: Site,
}

/// What a parameter takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// `&[…]`, or `&mut […]`.
    Tensor {
        /// Its type.
        tensor: Tensor,
        /// It is `&mut`.
        mutable: bool,
    },
    /// A value.
    Scalar(Elem),
}

/// `[f32; h, w]` over a kernel's dims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// Element type.
    pub elem: Elem,
    /// Extents, slowest first; at least one.
    pub shape: Vec<Expr>,
    /// Where it is written.
    pub site: Site,
}

/// `over [h, w] block [8, 32]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Over {
    /// Index space over the kernel's dims, slowest first; one to three extents.
    pub extents: Vec<Expr>,
    /// Threads per block, as many; [`default_block`] where none is declared.
    pub block: Vec<u32>,
    /// The index space.
    pub site: Site,
    /// The block; the index space where none is declared.
    pub block_site: Site,
}

/// `shared 16 KiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// Bytes.
    pub bytes: u64,
    /// The amount.
    pub site: Site,
}

/// `in place x host …`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InPlace {
    /// Index of the operand in [`Kernel::params`].
    pub param: usize,
    /// The operand's name in the clause.
    pub site: Site,
}

/// Threads per block where a kernel declares none, slowest first, for an index space of `rank`
/// extents.
pub fn default_block(rank: usize) -> Vec<u32> {
    match rank {
        0 | 1 => vec![256; rank],
        2 => vec![8, 32],
        _ => {
            let mut block = vec![1; rank];
            block[rank - 2..].copy_from_slice(&[8, 32]);
            block
        }
    }
}

/// `[f32; h, w]`.
pub(crate) fn show_type<N: Named>(elem: Elem, shape: &[Expr], dims: &[N]) -> String {
    let extents: Vec<_> = shape.iter().map(|e| e.display(dims).to_string()).collect();
    format!("[{elem}; {}]", extents.join(", "))
}

/// `x[0..h / 2]`, or `x`.
pub fn show_place<N: Named>(name: &str, rows: &Rows, dims: &[N]) -> String {
    match rows {
        Rows::All => name.to_owned(),
        Rows::Span(a, b) => format!("{name}[{}..{}]", a.display(dims), b.display(dims)),
    }
}
