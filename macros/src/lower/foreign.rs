//! Calls of kernels that another macro call declares: taken as they are written here, and asserted
//! of the kernel where it can be seen, in rustc.

use gpu_graph_analysis::calls::{
    Arg, ArgKind, Call, Kernel, KernelDim, Param, ParamKind, Place, Tensor, Value,
};
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::fault::scalars;
use gpu_graph_analysis::model::{Class, Elem, KernelKind, Resource, Site};

use proc_macro2::TokenStream;

use super::Cx;
use crate::ast;
use crate::span::Region;

/// A kernel from elsewhere, as one call uses it.
#[derive(Clone)]
pub struct Foreign {
    /// Its path.
    pub path: TokenStream,
    /// What the calls take for granted.
    pub claims: Vec<Claims>,
}

/// What one call takes for granted of its kernel.
#[derive(Clone)]
pub struct Claims {
    /// Values of the kernel's dims.
    pub dims: Vec<Expr>,
    /// Its arguments in order, each with its place.
    pub args: Vec<(Region, Claim)>,
    /// The place that its result overwrites.
    pub result: Option<(Region, Elem, Vec<Expr>)>,
    /// It is given staging, so its kernel is a callback.
    pub callback: bool,
    /// The path of the call.
    pub path: Region,
    /// All of the call.
    pub call: Region,
}

/// What an argument is.
#[derive(Clone, PartialEq, Eq)]
pub enum Claim {
    /// A tensor over the graph's dims, whether it is written, and whether it is zero before.
    Tensor(Elem, Vec<Expr>, bool, bool),
    /// A scalar.
    Scalar(Elem),
}

/// Whether `call` names a kernel from elsewhere: by a path, or by binding its dims.
pub fn is_foreign(call: &ast::Call) -> bool {
    call.path.segments.len() > 1 || call.dims.is_some()
}

/// A signature that fits `call` in all that is not seen here, with a dim for each extent; `None`
/// where a literal does not say its type, which is reported.
pub fn signature(name: &str, call: &Call, views: &[Resource], cx: &mut Cx) -> Option<Kernel> {
    let mut dims = Vec::new();
    let mut tensor = |place: &Place, site: Site| {
        let of = views.get(place.resource.0 as usize)?;
        let from = dims.len();
        dims.extend((0..of.shape.len()).map(|i| KernelDim {
            name: format!("d{}", from + i),
            site,
        }));
        let shape = (from..dims.len()).map(|d| u16::try_from(d).ok().map(Expr::dim));
        Some(Tensor {
            elem: of.elem,
            shape: shape.collect::<Option<_>>()?,
            site,
        })
    };
    let mut params = Vec::new();
    for (i, arg) in call.args.iter().enumerate() {
        let kind = match &arg.kind {
            ArgKind::Ref { mutable, place } => ParamKind::Tensor {
                tensor: tensor(place, arg.site)?,
                mutable: *mutable,
            },
            ArgKind::Bare(resource) => {
                let whole = Place {
                    resource: *resource,
                    rows: gpu_graph_analysis::model::Rows::All,
                    site: arg.site,
                    rows_site: arg.site,
                };
                ParamKind::Tensor {
                    tensor: tensor(&whole, arg.site)?,
                    mutable: false,
                }
            }
            _ => ParamKind::Scalar(scalar(arg, cx)?),
        };
        params.push(Param {
            name: format!("argument {}", i + 1),
            kind,
            site: arg.site,
        });
    }
    let result = match &call.place {
        Some(place) => Some(tensor(place, place.site)?),
        None => None,
    };
    Some(Kernel {
        name: name.to_owned(),
        dims,
        params,
        result,
        over: None,
        shared: None,
        // What the kernel is, is asserted of the tables: a callback touches staging alone.
        kind: match staging(call, views) {
            true => KernelKind::Callback,
            false => KernelKind::Kernel,
        },
        zeroed: Vec::new(),
        in_place: None,
        site: call.site,
    })
}

/// Whether `call` is given staging.
fn staging(call: &Call, views: &[Resource]) -> bool {
    let args = call.args.iter().filter_map(|arg| match &arg.kind {
        ArgKind::Ref { place, .. } => Some(place),
        _ => None,
    });
    let mut classes = args
        .chain(&call.place)
        .filter_map(|place| views.get(place.resource.0 as usize))
        .map(|of| of.class);
    classes.any(|class| class == Class::Staging)
}

/// The type that a scalar argument has by itself; an extent is `u64`.
fn scalar(arg: &Arg, cx: &mut Cx) -> Option<Elem> {
    match &arg.kind {
        ArgKind::Scalar { elem, .. } => Some(*elem),
        ArgKind::Literal(literal) => {
            if literal.suffix.is_none() {
                let example = match literal.value {
                    Value::Int(_) => "i32",
                    Value::Float(_) => "f32",
                };
                let text = literal.to_string();
                cx.errors
                    .push(scalars::unsuffixed(arg.site, &text, example));
            }
            literal.suffix
        }
        _ => Some(Elem::U64),
    }
}

/// What the call takes for granted: `extents` are those of all its tensors, in order, those of the
/// result last, and `zeros` says which arguments are zero before.
pub fn claims(
    ast: &ast::Call,
    kernel: &Kernel,
    dims: Vec<Expr>,
    (extents, zeros): (Vec<Expr>, Vec<bool>),
    place: Option<Region>,
) -> Claims {
    let mut extents = extents.into_iter();
    let mut shape = |t: &Tensor| extents.by_ref().take(t.shape.len()).collect::<Vec<_>>();
    let mut args = Vec::new();
    for ((arg, param), zero) in ast.args.iter().zip(&kernel.params).zip(zeros) {
        let claim = match &param.kind {
            ParamKind::Scalar(elem) => Claim::Scalar(*elem),
            ParamKind::Tensor { tensor, mutable } => {
                Claim::Tensor(tensor.elem, shape(tensor), *mutable, zero)
            }
        };
        args.push((arg.region, claim));
    }
    let result = kernel.result.as_ref().zip(place);
    Claims {
        dims,
        args,
        result: result.map(|(t, place)| (place, t.elem, shape(t))),
        callback: kernel.kind == KernelKind::Callback,
        path: Region::from(&ast.path),
        call: ast.region,
    }
}

impl Foreign {
    /// Adds what a call takes for granted, unless the same call did so before, in another iteration.
    pub fn add(&mut self, claims: Claims) {
        let call = claims.call.key();
        let known = |c: &Claims| {
            c.dims == claims.dims
                && c.args
                    .iter()
                    .map(|a| &a.1)
                    .eq(claims.args.iter().map(|a| &a.1))
                && c.result.as_ref().map(|r| &r.2) == claims.result.as_ref().map(|r| &r.2)
                && c.call.key() == call
        };
        if !self.claims.iter().any(known) {
            self.claims.push(claims);
        }
    }
}
