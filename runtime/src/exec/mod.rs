//! A program resolved for actual dims and addresses: what a driver issues, task by task.

mod args;
mod calls;
mod executable;
mod group;
mod held;
mod loose;
mod placement;
mod resolve;
mod times;
mod touches;

#[cfg(feature = "cuda")]
pub(crate) use times::instant;

pub use args::{Args, Element, ScalarValue};
pub use executable::{Executable, Storage};
pub use group::{Group, GroupError, Rank};
pub use held::Held;
pub use loose::{Loose, call_loose};
pub use placement::Placement;
pub use resolve::{ResolveError, Tables};

use crate::table::{Program, Source};

/// Host code of a kernel: takes its arguments from `args` in the order of the kernel's parameters.
pub type HostFn = fn(&mut Args<'_>);

/// What a kernel is on a GPU. Kernels of one text, or of one file, are compiled and loaded as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CudaSource {
    /// Its function. It takes pointers and scalars in the order of the declaration, the result, and
    /// each dim as `unsigned long long`. With `_in_place` behind its name it is that of the in-place
    /// form, which has no result; with `_indirect` behind that, the one that takes each scalar as a
    /// pointer to it, which a kernel without scalars does not have.
    pub function: &'static str,
    /// Where its scalars stand among the parameters of the declaration.
    pub scalars: &'static [u16],
    /// The code.
    pub code: CudaCode,
}

/// See [`CudaSource`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CudaCode {
    /// CUDA C++, to be compiled.
    Text(CudaText),
    /// PTX or a binary, compiled already.
    Image {
        /// File it came from, relative to the crate.
        file: &'static str,
        /// What is in it.
        bytes: &'static [u8],
    },
}

/// CUDA C++ of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CudaText {
    /// File that the text stands in, relative to the crate; that of the macro call where it stands
    /// there.
    pub file: &'static str,
    /// Line of the file that the text begins with.
    pub line: u32,
    /// Folder, with `/` behind it, from which it includes: empty for that of the crate.
    pub folder: &'static str,
    /// What `KERNEL(name)` stands for, for each kernel that has this text. Nothing for a text that is
    /// generated, which is whole by itself.
    pub kernels: &'static str,
    /// The text.
    pub text: &'static str,
    /// What it includes with quotes, and what that includes: paths relative to the crate, and texts.
    pub headers: &'static [(&'static str, &'static str)],
}

/// The code of one kernel.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// Host function.
    pub host: HostFn,
    /// Host function that updates one operand into the result.
    pub in_place: Option<HostFn>,
    /// What it is on a GPU.
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
