//! How generated items find each other: by type, so that no name of the user can stand in between.

use super::foreign::Signature;
use crate::exec::{Code, Image};

/// A kernel, as the `Dims` of its module.
pub trait DeclaredKernel {
    /// What it declares.
    const SIGNATURE: Signature;
    /// Its code.
    const CODE: Code;
}

/// A graph, as its generated type.
pub trait DeclaredGraph {
    /// Its tables and the code of its kernels.
    const IMAGE: Image;
}
