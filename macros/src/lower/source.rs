//! What `SOURCE` holds and the analysis does not ask for.

use gpu_graph_analysis::calls::{Kernel, ParamKind, ScalarArg};
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::model::KernelKind;

/// What a task hands to its kernel beside its accesses.
#[derive(Clone, Default)]
pub struct TaskArgs {
    /// Scalar arguments in the order of the kernel's parameters.
    pub scalars: Vec<ScalarArg>,
    /// The kernel's dims over the graph's.
    pub dims: Vec<Expr>,
}

/// What the tables say of a kernel.
#[derive(Default)]
pub struct KernelInfo<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its index space.
    pub over: &'a [Expr],
    /// Threads per block.
    pub block: &'a [u32],
    /// Bytes of shared memory.
    pub shared: u64,
    /// Bytes of its parameter block.
    pub params: u64,
    /// It is a callback on the host.
    pub callback: bool,
    /// Position among the accesses of a call of the operand that its in-place form updates.
    pub in_place: Option<usize>,
}

impl<'a> From<&'a Kernel> for KernelInfo<'a> {
    fn from(kernel: &'a Kernel) -> Self {
        let (over, block) = match &kernel.over {
            Some(over) => (over.extents.as_slice(), over.block.as_slice()),
            None => (&[][..], &[][..]),
        };
        let tensor = |p: &&_| matches!(p, ParamKind::Tensor { .. });
        let tensors_before = |param| {
            kernel
                .params
                .iter()
                .take(param)
                .map(|p| &p.kind)
                .filter(tensor)
                .count()
        };
        Self {
            name: &kernel.name,
            over,
            block,
            shared: kernel.shared.map_or(0, |s| s.bytes),
            params: kernel.parameter_bytes(),
            callback: kernel.kind == KernelKind::Callback,
            in_place: kernel.in_place.map(|form| tensors_before(form.param)),
        }
    }
}
