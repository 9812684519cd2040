//! Tasks: what is done, and which rows of which resources it touches.

/// How a task touches a range.
///
/// A write that may leave part of its range as it was is a [`Mode::ReadWrite`]: what it leaves is
/// still observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Reads; `&x`.
    Read,
    /// Reads and writes; `&mut x`.
    ReadWrite,
    /// Writes every element and reads none; a result.
    Overwrite,
}

/// The rows of a resource that an access touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rows {
    /// All of them.
    All,
    /// From the first expression to the second, half-open; indices into [`Source::exprs`](super::Source::exprs).
    Span(u32, u32),
}

/// One access of one task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Index into [`Source::resources`](super::Source::resources).
    pub resource: u32,
    /// How.
    pub mode: Mode,
    /// Where.
    pub rows: Rows,
}

/// A scalar argument of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// The bits of a constant, zero-extended to 64.
    Const(u64),
    /// The scalar of that index, set at every run.
    Param(u32),
    /// The value of an expression over the graph's dims; an index into [`Source::exprs`](super::Source::exprs).
    Extent(u32),
}

/// What a task does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TaskKind {
    /// The caller's input becomes the content of the one resource that the task overwrites.
    Upload,
    /// A launch of the kernel of that index.
    Kernel(u32),
    /// The one range that the task overwrites becomes zero.
    Fill,
    /// The first range is copied to the second, which has as many bytes.
    Copy,
    /// Nothing is done: something that no task shows still uses what the task names until here.
    /// What it reads stays as task `since` found it, and what it updates, which `since` has written,
    /// is neither read nor written by any other.
    Hold {
        /// Index of a task before this one.
        since: u32,
    },
}

/// A half-open range of indices into one of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// First index.
    pub start: u32,
    /// Number of entries.
    pub len: u32,
}

impl Span {
    /// `start..start + len`.
    pub const fn new(start: u32, len: u32) -> Self {
        Self { start, len }
    }
}

/// One task, in statement order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    /// What it does.
    pub kind: TaskKind,
    /// Its accesses, in the order of the kernel's parameters, the result last.
    pub accesses: Span,
    /// Its scalar arguments, in the order of the kernel's parameters.
    pub scalars: Span,
    /// The kernel's dims at this call, as indices into [`Source::exprs`](super::Source::exprs), from [`Source::bindings`](super::Source::bindings).
    pub dims: Span,
}
