//! Kernels that another macro call declares, held against their calls in constant evaluation.
//!
//! A macro sees its own text alone. What it takes for granted of a kernel from elsewhere, as its
//! call says it, is asserted here at the place that says it; a wrong call does not compile.
//!
//! Extents are compared as they are written: an extent of the kernel that is one of its dims, or a
//! number, equals that of the argument if the call binds the dim to the very same expression. An
//! extent that the kernel computes from dims cannot be compared, and is refused.

use crate::table::{Elem, Expr, Kernel, Term};

/// What a kernel declares, for calls from elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// What the tables say of it.
    pub kernel: Kernel<'static>,
    /// It is a collective.
    pub collective: bool,
    /// It is a call of a library, of which only its own macro call knows what it retains.
    pub opaque: bool,
    /// Number of its dims.
    pub dims: usize,
    /// Its parameters in order.
    pub params: &'static [Param],
    /// Its result.
    pub result: Option<Tensor>,
    /// Parameters that have to be zero when it begins.
    pub zeroed: &'static [usize],
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub enum Param {
    /// Read, and where the flag is set written.
    Tensor(Tensor, bool),
    /// By value.
    Scalar(Elem),
}

/// A tensor over the kernel's dims, or in a call over the graph's.
#[derive(Clone, Copy, Debug)]
pub struct Tensor {
    /// Type of an element.
    pub elem: Elem,
    /// Extents, slowest first.
    pub shape: &'static [Expr<'static>],
}

/// Why something that a call takes for granted is not so; `None` where it is.
pub type Answer = Option<&'static str>;

/// Says what an answer says, at the place of the caller.
///
/// # Panics
/// In constant evaluation, where something is not as the call takes it for granted.
#[track_caller]
pub const fn told(answer: &Answer) {
    if let Some(why) = answer {
        panic!("{}", *why);
    }
}

/// Everything is as the calls take it for granted.
pub const fn all(answers: &[Answer]) -> bool {
    let mut i = 0;
    while i < answers.len() {
        if answers[i].is_some() {
            return false;
        }
        i += 1;
    }
    true
}

/// The kernel has the name that a profile of the graph has for it.
pub const fn measured(signature: &Signature, name: &str) -> Answer {
    let (own, name) = (signature.kernel.name.as_bytes(), name.as_bytes());
    let mut same = own.len() == name.len();
    let mut i = 0;
    while same && i < own.len() {
        same = own[i] == name[i];
        i += 1;
    }
    match same {
        true => None,
        false => Some(
            "the profile was measured of a kernel of another name: drop the statement until a run has \
             written the file",
        ),
    }
}

/// The kernel has as many parameters as the call has arguments.
pub const fn takes(signature: &Signature, arguments: usize) -> Answer {
    match signature.params.len() == arguments {
        true => None,
        false => Some("the kernel has another number of parameters"),
    }
}

/// The kernel can be called from elsewhere, is a callback if the call gives it staging, has as many
/// dims as the call binds, and a result if the call has a place for one.
pub const fn binds(signature: &Signature, dims: usize, place: bool, callback: bool) -> Answer {
    if signature.collective {
        return Some("a collective is called in the macro call that declares it");
    }
    if signature.opaque {
        return Some(
            "an opaque kernel is called where it is declared: only there is known what it retains",
        );
    }
    match (signature.kernel.callback, callback) {
        (true, false) => return Some("a callback reaches staging alone"),
        (false, true) => return Some("the kernel runs on the device, and does not reach staging"),
        _ => {}
    }
    if signature.dims != dims {
        return Some(
            "the kernel has another number of dims: bind each field of its `Dims` in order, as in \
             `path::kernel::<h, w>(…)`",
        );
    }
    match (signature.result.is_some(), place) {
        (false, true) => Some("the kernel has no result"),
        (true, false) => Some("the kernel has a result, which nothing takes"),
        _ => None,
    }
}

/// Argument number `index` is a tensor as the kernel declares it, where its dims are `dims`: it is
/// `&mut` and known to be zero as far as is said.
pub const fn tensor(
    signature: &Signature,
    index: usize,
    given: Tensor,
    (mutable, zero): (bool, bool),
    dims: &[Expr<'_>],
) -> Answer {
    // Said of the call as a whole.
    if index >= signature.params.len() || dims.len() != signature.dims {
        return None;
    }
    let Param::Tensor(wanted, writes) = signature.params[index] else {
        return Some("the kernel takes a scalar here");
    };
    match (writes, mutable) {
        (true, false) => return Some("the kernel writes this: pass `&mut`"),
        (false, true) => return Some("the kernel only reads this: pass `&`"),
        _ => {}
    }
    let mut i = 0;
    while i < signature.zeroed.len() {
        if !zero && signature.zeroed[i] == index {
            return Some("the kernel needs zeros here: pass a workspace that is declared `zeroed`");
        }
        i += 1;
    }
    alike(wanted, given, dims)
}

/// The place of the result is a tensor as the kernel declares it, where its dims are `dims`.
pub const fn result(signature: &Signature, given: Tensor, dims: &[Expr<'_>]) -> Answer {
    match signature.result {
        Some(wanted) if dims.len() == signature.dims => alike(wanted, given, dims),
        _ => None,
    }
}

/// Argument number `index` is a scalar of that type.
pub const fn scalar(signature: &Signature, index: usize, elem: Elem) -> Answer {
    if index >= signature.params.len() {
        return None;
    }
    match signature.params[index] {
        Param::Tensor(..) => Some("the kernel takes a tensor here"),
        Param::Scalar(wanted) if wanted as u8 != elem as u8 => {
            Some("the kernel takes a scalar of another type here")
        }
        Param::Scalar(_) => None,
    }
}

const fn alike(wanted: Tensor, given: Tensor, dims: &[Expr<'_>]) -> Answer {
    if wanted.elem as u8 != given.elem as u8 {
        return Some("the kernel takes elements of another type here");
    }
    if wanted.shape.len() != given.shape.len() {
        return Some("the kernel takes a tensor with another number of extents here");
    }
    let mut i = 0;
    while i < wanted.shape.len() {
        let extent = &wanted.shape[i];
        let fits = match extent.terms {
            [] => equal(extent, &given.shape[i]),
            [
                Term {
                    scale: 1,
                    dim,
                    mul: 1,
                    add: 0,
                    div: 1,
                },
            ] if extent.constant == 0 && (*dim as usize) < dims.len() => {
                equal(&dims[*dim as usize], &given.shape[i])
            }
            _ => {
                return Some(
                    "the kernel computes an extent of this from its dims, which cannot be \
                     compared from another macro call",
                );
            }
        };
        if !fits {
            return Some("the kernel takes another extent here, for these dims");
        }
        i += 1;
    }
    None
}

const fn equal(a: &Expr<'_>, b: &Expr<'_>) -> bool {
    if a.constant != b.constant || a.terms.len() != b.terms.len() {
        return false;
    }
    let mut i = 0;
    while i < a.terms.len() {
        let (x, y) = (&a.terms[i], &b.terms[i]);
        let same = x.scale == y.scale
            && x.dim == y.dim
            && x.mul == y.mul
            && x.add == y.add
            && x.div == y.div;
        if !same {
            return false;
        }
        i += 1;
    }
    true
}
