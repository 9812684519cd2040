//! Resources: tensors, by who may see what they hold, and until when.

use super::{Elem, Site};
use crate::expr::Expr;

/// Index of a resource in [`Model::resources`](super::Model::resources).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceId(pub u32);

/// Logical class of a resource (`L.class`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Set by the caller at every run, and read by tasks alone: it may stay in the caller's memory.
    Input,
    /// Set by the caller at every run, which copies it into the arena: from then on as a transient.
    InputMut,
    /// Exists only between tasks of one run.
    Transient,
    /// Required output: read by the host after the run.
    Output,
    /// Set by the caller between runs, and read by tasks alone.
    Resident,
    /// Owned by the loaded graph: what a run left is what the next one finds; zero at first.
    Inout,
    /// Room for one task to work in; its content means nothing before and after.
    Workspace,
    /// As a transient, in memory of the host that the device copies from and to.
    Staging,
    /// As a transient until its address is handed out, after the run.
    Escape,
    /// As a transient, made by one call that may be done again before a later reader.
    Reconstructable,
}

/// What resources must have in common to share storage at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Region {
    /// Memory of the host.
    pub staging: bool,
    /// Isolation domain.
    pub domain: u8,
}

impl Class {
    /// The caller sets it at every run.
    pub fn is_input(self) -> bool {
        matches!(self, Class::Input | Class::InputMut)
    }

    /// It may stay where the caller has it, so that no task writes it.
    pub fn is_callers(self) -> bool {
        matches!(self, Class::Input | Class::Resident)
    }

    /// What tasks leave is there for others until the run ends.
    pub fn is_handed_out(self) -> bool {
        matches!(self, Class::Output | Class::Escape)
    }

    /// The content outlives a run, so its storage is shared with nothing.
    pub fn persists(self) -> bool {
        matches!(self, Class::Resident | Class::Inout)
    }
}

/// A logical resource: a dense row-major tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Name, as declared.
    pub name: String,
    /// Logical class.
    pub class: Class,
    /// Element type.
    pub elem: Elem,
    /// Isolation domain, an index into [`Model::domains`](super::Model::domains).
    pub domain: u8,
    /// Extents over the graph's dims, slowest first; at least one.
    pub shape: Vec<Expr>,
    /// Its name in its declaration.
    pub site: Site,
}

impl Resource {
    /// The region that it lives in, unless its content outlives runs.
    pub fn region(&self) -> Region {
        Region {
            staging: self.class == Class::Staging,
            domain: self.domain,
        }
    }
}
