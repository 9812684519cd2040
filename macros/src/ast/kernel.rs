//! `kernel blur(src: &[f32; h, w]) -> [f32; h, w] { … }`, and `… = expression;`; callbacks.

use gpu_graph_analysis::declared::Cost;
use proc_macro2::{Ident, Span};
use syn::{LitStr, Path, Visibility};

use super::{Attr, Bytes, Effect, ElemType, Extent, Formula, Int, Tensor};
use crate::span::Region;

/// What a kernel is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelKind {
    /// `kernel`: it runs on the device.
    Kernel,
    /// `callback`: it runs on the host, in the order of its stream.
    Callback,
    /// `collective`: every rank of a group runs it at once, and reads what all of them pass.
    Collective,
    /// `opaque`: a call of a library, which may go on when it has returned.
    Opaque,
}

impl KernelKind {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            KernelKind::Kernel => "kernel",
            KernelKind::Callback => "callback",
            KernelKind::Collective => "collective",
            KernelKind::Opaque => "opaque",
        }
    }
}

/// A kernel. No clause is twice there; which ones must be there is decided later.
pub struct Kernel {
    /// From its word.
    pub kind: KernelKind,
    /// `doc` and others.
    pub attrs: Vec<Attr>,
    /// Its visibility, if one is written.
    pub vis: Visibility,
    /// Its name.
    pub name: Ident,
    /// Parameters, in order.
    pub params: Vec<Param>,
    /// The type of its result.
    pub result: Option<Tensor>,
    /// Its one expression, in place of clauses.
    pub formula: Option<Formula>,
    /// Index space and block.
    pub over: Option<Over>,
    /// Its CUDA source.
    pub cuda: Option<Cuda>,
    /// Its host function.
    pub host: Option<Host>,
    /// Its in-place form.
    pub in_place: Option<InPlace>,
    /// Statically declared shared memory.
    pub shared: Option<Bytes>,
    /// Parameters that have to be zero at entry.
    pub zeroed: Vec<Ident>,
    /// Declared time of a launch, and where.
    pub cost: Option<(Cost, Region)>,
    /// Parameters that it keeps, each of a `retains x`.
    pub retains: Vec<Ident>,
    /// `completion unknown`.
    pub completion: Option<Region>,
    /// Part of it could not be read, and that was reported.
    pub broken: bool,
}

/// `src: &[f32; h, w]`.
pub struct Param {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: ParamType,
    /// Name and type.
    pub region: Region,
}

/// See [`Param`].
pub enum ParamType {
    /// `f32`.
    Scalar(ElemType),
    /// `&[…]`, `&mut […]`.
    Ref(Effect, Tensor),
}

/// `over [h, w] block [8, 32]`.
pub struct Over {
    /// Index space, slowest first.
    pub extents: Vec<Extent>,
    /// Threads per block, if declared.
    pub block: Option<Block>,
    /// The brackets of the index space.
    pub region: Region,
}

/// `[8, 32]` behind `block`.
pub struct Block {
    /// Slowest first.
    pub threads: Vec<Int>,
    /// With its brackets.
    pub region: Region,
}

/// A CUDA C++ source.
pub enum Cuda {
    /// `cuda "kernels/edges.cu"`: a path from the crate's manifest.
    File(LitStr),
    /// `cuda r#"…"#`: the text itself.
    Text(LitStr),
}

/// `host kernels::blur`.
pub struct Host {
    /// The function.
    pub path: Path,
    /// The word `host`.
    pub keyword: Span,
}

/// `in place x host kernels::scale`.
pub struct InPlace {
    /// The parameter whose storage the result takes.
    pub operand: Ident,
    /// The function of the in-place form.
    pub path: Path,
    /// `in place x`.
    pub region: Region,
}
