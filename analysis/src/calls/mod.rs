//! Kernels, and what it means to call one.
//!
//! A kernel speaks of its own dims. A call gives each of them a value, an expression over the
//! graph's dims: the first argument that has a bare dim as an extent binds it, and every other use
//! must be provably equal. [`bind()`] does that and checks the rest of the call; what comes out is one
//! task of a [`Model`](crate::model::Model).

mod bind;
mod count;
mod extents;
mod kernel;
mod reshape;
mod scalar;
#[cfg(test)]
mod tests;
mod transfer;

pub use bind::bind;
pub use extents::out_of_bounds;
pub use reshape::{Shape, reshaped};
pub use transfer::Transfer;

use std::fmt;

use crate::expr::{Expr, Named};
use crate::fault::raw;
use crate::model::{
    Access, Dim, Elem, KernelKind, Launch, Resource, ResourceId, Rows, Site, Task, TaskKind,
};

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

/// A call of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Label of the task, or a name made from what it does.
    pub name: String,
    /// Arguments, in order.
    pub args: Vec<Arg>,
    /// What the result overwrites.
    pub place: Option<Place>,
    /// The end of the argument list, where an argument may be missing.
    pub end: Site,
    /// The call.
    pub site: Site,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    /// What it is.
    pub kind: ArgKind,
    /// The whole of it.
    pub site: Site,
}

/// What an argument is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgKind {
    /// `&x`, `&mut x`, `&x[a..b]`.
    Ref {
        /// It is `&mut`.
        mutable: bool,
        /// What it refers to.
        place: Place,
    },
    /// The name of a resource without `&`, which no kernel takes.
    Bare(ResourceId),
    /// A literal.
    Literal(Literal),
    /// A scalar of the graph.
    Scalar {
        /// Its name.
        name: String,
        /// Its index.
        index: u32,
        /// Its type.
        elem: Elem,
        /// Its name in its declaration.
        declared: Site,
    },
    /// An expression over dims.
    Extent(Expr),
}

impl ArgKind {
    /// What a call that wants something else is told that it passes.
    fn described(&self, resources: &[Resource], dims: &[Dim]) -> String {
        let name = |id: &ResourceId| resources.get(id.0 as usize).map_or("", |r| r.name.as_str());
        match self {
            ArgKind::Ref { place, .. } => format!("the resource `{}`", name(&place.resource)),
            ArgKind::Bare(id) => format!("`{}` by value", name(id)),
            ArgKind::Literal(literal) => format!("the literal `{literal}`"),
            ArgKind::Scalar { name, .. } => format!("the scalar `{name}`"),
            ArgKind::Extent(value) => format!("the number `{}`", value.display(dims)),
        }
    }

    /// The name of the resource that is passed without a `&`, as it is written.
    fn bare(&self, resources: &[Resource]) -> Option<String> {
        match self {
            ArgKind::Bare(id) => {
                let resource = resources.get(id.0 as usize)?;
                Some(raw(&resource.name).into_owned())
            }
            _ => None,
        }
    }
}

/// A resource, or some of its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which resource.
    pub resource: ResourceId,
    /// Which rows.
    pub rows: Rows,
    /// Name and brackets.
    pub site: Site,
    /// The brackets; the same as `site` where there are none.
    pub rows_site: Site,
}

/// A literal argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// Its value.
    pub value: Value,
    /// `i32` of `-2i32`.
    pub suffix: Option<Elem>,
}

/// The value of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// No point, no exponent.
    Int(i128),
    /// Decimal text, as `f64::from_str` reads it; rounded once, to the type it is used at.
    Float(String),
}

/// A scalar argument of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScalarArg {
    /// The bits of a constant, zero-extended to 64.
    Const(u64),
    /// The graph's scalar of that index, set at every run.
    Param(u32),
    /// The value of an expression over the graph's dims, never negative.
    Extent(Expr),
}

/// A call that is in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Accesses in the order of the kernel's parameters, the result last.
    pub accesses: Vec<Access>,
    /// Scalar arguments in the order of the kernel's parameters.
    pub scalars: Vec<ScalarArg>,
    /// The kernel's dims over the graph's.
    pub dims: Vec<Expr>,
    /// The launch.
    pub launch: Launch,
}

impl Bound {
    /// The task that `call` becomes.
    pub fn task(&self, call: &Call) -> Task {
        Task {
            name: call.name.clone(),
            kind: TaskKind::Kernel(self.launch.clone()),
            accesses: self.accesses.clone(),
            site: call.site,
        }
    }
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

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Int(value) => write!(f, "{value}")?,
            Value::Float(text) => f.write_str(text)?,
        }
        self.suffix.map_or(Ok(()), |elem| write!(f, "{elem}"))
    }
}
