//! Tasks: what is done, and which rows of which resources it touches.

use super::{ResourceId, Site};
use crate::expr::Expr;

/// Index of a task in [`Model::tasks`](super::Model::tasks).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId(pub u32);

/// How a task touches a range. A write that may leave a part as it was is a `ReadWrite`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Reads.
    Read,
    /// Reads and writes.
    ReadWrite,
    /// Writes every element and reads none.
    Overwrite,
}

/// The rows (first axis) that an access touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rows {
    /// All of them.
    All,
    /// Half-open.
    Span(Expr, Expr),
}

/// One access of one task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Which resource.
    pub resource: ResourceId,
    /// How.
    pub mode: Mode,
    /// Where.
    pub rows: Rows,
    /// The argument, or the place assigned to.
    pub site: Site,
}

/// What a task does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// The caller's input becomes the content of the one resource that the task overwrites.
    Upload,
    /// A kernel launch.
    Kernel(Launch),
    /// What the task overwrites, its one access, becomes zero.
    Fill,
    /// The first access, a read, is copied to the second, an overwrite of as many elements.
    Copy,
    /// Nothing is done. Until here something that no access shows still uses what it names. What it
    /// reads stays as it was behind task `since`; what it updates is written by `since`, and by
    /// nothing else read or written in between.
    Hold {
        /// A task before this one.
        since: TaskId,
    },
}

/// What a launch needs beyond its accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Index of the kernel, in the caller's list.
    pub kernel: u32,
    /// Name of the kernel, for messages and the record.
    pub name: String,
    /// Position in [`Task::accesses`] of the operand that an in-place form updates into the result
    /// (the last access), if the kernel has one.
    pub in_place: Option<usize>,
    /// Index space over the graph's dims, slowest first, where the kernel declares one.
    pub over: Vec<Expr>,
    /// Threads per block, slowest first, as many as `over`.
    pub block: Vec<u32>,
    /// Statically declared shared memory in bytes.
    pub shared: u32,
    /// Parameter block in bytes.
    pub params: u32,
    /// What is launched.
    pub kind: KernelKind,
}

/// What a kernel is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KernelKind {
    /// Code for the device, complete when the launch is.
    #[default]
    Kernel,
    /// Code of the host: it touches staging alone, as no other kernel does.
    Callback,
    /// Code that is not shown, and may keep addresses until it is said to be over.
    Opaque,
    /// One part of what several ranks do together.
    Collective,
}

impl KernelKind {
    /// The word that declares it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Callback => "callback",
            Self::Opaque => "opaque",
            Self::Collective => "collective",
        }
    }
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its label, or a name made from what it does.
    pub name: String,
    /// What it does.
    pub kind: TaskKind,
    /// Its accesses, in the order of the kernel's parameters, the result last.
    pub accesses: Vec<Access>,
    /// The call.
    pub site: Site,
}
