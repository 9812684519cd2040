//! A program resolved for actual dims and addresses: what a driver issues, task by task.

mod args;
mod calls;
mod executable;
mod group;
mod held;
mod placement;
mod resolve;
mod times;
mod touches;

pub use args::{Args, Element, ScalarValue};
pub use executable::{Executable, Storage};
pub use group::{Group, GroupError, Rank};
pub use held::Held;
pub use placement::Placement;
pub use resolve::{ResolveError, Tables};

use crate::table::{Program, Source};

/// Host code of a kernel: takes its arguments from `args` in the order of the kernel's parameters.
pub type HostFn = fn(&mut Args<'_>);

/// CUDA C++ of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CudaSource {
    /// File it came from, relative to the crate, or `None` for text inside the macro.
    pub path: Option<&'static str>,
    /// The text.
    pub text: &'static str,
    /// Its function; that of the in-place form, where there is one, has `_in_place` behind it.
    pub function: &'static str,
}

/// The code of one kernel.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// Host function.
    pub host: HostFn,
    /// Host function that updates one operand into the result.
    pub in_place: Option<HostFn>,
    /// CUDA source, kept and tracked; compiled by the CUDA driver.
    pub cuda: Option<CudaSource>,
}

/// A graph as the macro generates it.
#[derive(Clone, Copy, Debug)]
pub struct Image {
    /// What was written.
    pub source: &'static Source<'static>,
    /// What is issued.
    pub program: &'static Program<'static>,
    /// Code of each kernel of `source`.
    pub code: &'static [Code],
}
