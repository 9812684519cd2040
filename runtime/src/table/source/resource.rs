//! Resources: tensors, by who may see what they hold, and until when.

use super::Elem;

/// Logical class of a resource: who may observe its content, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Set by the caller at every run, written by exactly one [`TaskKind::Upload`](super::TaskKind::Upload).
    /// Where kernels can read host memory it stays in the caller's.
    Input,
    /// Exists only between tasks of one run.
    Transient,
    /// Read by the host after the run, until the same instance runs again.
    Output,
    /// Set by the caller between runs, read by tasks alone. All instances share one copy.
    Resident,
    /// What a run left is what the next one finds.
    Inout,
    /// Room for a task to work in; its content is nobody's business before and after.
    Workspace,
    /// As a transient, in memory of the host that the device can copy from and to.
    Staging,
    /// As an input, which is copied into the arena at every run: tasks may write it.
    InputMut,
}

impl Class {
    /// The caller sets it at every run.
    pub const fn is_input(self) -> bool {
        matches!(self, Class::Input | Class::InputMut)
    }

    /// It may stay where the caller has it, so that no task writes it.
    pub const fn is_callers(self) -> bool {
        matches!(self, Class::Input | Class::Resident)
    }

    /// The content outlives a run: it lies in the store, and runs acquire and release it.
    pub const fn persists(self) -> bool {
        matches!(self, Class::Resident | Class::Inout)
    }
}

/// Isolation domains of one graph, at most.
pub const MAX_DOMAINS: usize = 16;

/// A logical resource: a dense row-major tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resource<'a> {
    /// Name, as declared.
    pub name: &'a str,
    /// Logical class.
    pub class: Class,
    /// Element type.
    pub elem: Elem,
    /// Isolation domain, below [`MAX_DOMAINS`]. No byte of an arena is used in two of them.
    pub domain: u8,
    /// Extents, slowest first, as indices into [`Source::exprs`](super::Source::exprs). A row is all but the first.
    pub shape: &'a [u32],
}
