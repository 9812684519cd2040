//! How generated items find each other: by type, so that no name of the user can stand in between.

use super::foreign::Signature;
use crate::exec::{Code, Image};

/// A kernel, as the `Dims` of its module.
pub trait DeclaredKernel {
    /// What it declares.
    const SIGNATURE: Signature;
    /// What `KERNEL(name)` stands for in the kernels of its CUDA text, where that is kept with it.
    const CUDA_KERNELS: &'static str = "";
    /// Its code.
    const CODE: Code;
}

/// A graph, as its generated type.
pub trait DeclaredGraph {
    /// Its tables and the code of its kernels; of the first combination of its variants.
    const IMAGE: Image;
    /// Those of each combination of its variants, in the order in which [`variant`] counts them.
    ///
    /// [`variant`]: super::Begin::variant
    const IMAGES: &'static [Image] = &[Self::IMAGE];
}
