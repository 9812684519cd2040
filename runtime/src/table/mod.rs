//! The static tables that a graph becomes: [`Source`] is what was written, [`Program`] what is
//! issued. [`crate::verify`] holds one against the other.

mod expr;
#[doc(hidden)]
pub mod packed;
mod program;
mod source;

pub use expr::{Expr, Term};
pub use program::{Form, HostOp, Issue, MAX_STREAMS, Op, Program, SLOT_ALIGN, Slot};
pub use source::{
    Access, Class, Dim, Elem, Kernel, MAX_DOMAINS, Mode, Resource, Rows, Scalar, Source, Span,
    Task, TaskKind,
};
