//! What a graph is to the analysis: resources, tasks with their accesses, and demands.
//!
//! Tasks stand in statement order, and statements have sequential meaning. A [`Site`] says where
//! something was written; the analysis only hands it back in faults.

use crate::declared::Declared;
use crate::expr::Expr;
use crate::workspace::Workspace;

/// Where something was written. The caller gives sites meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site(pub u32);

/// Index of a resource in [`Model::resources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceId(pub u32);

/// Index of a task in [`Model::tasks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId(pub u32);

/// Type of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each variant is the Rust type of that name")]
pub enum Elem {
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    BF16,
}

impl Elem {
    /// Size in bytes, which is also the alignment.
    pub fn size(self) -> u64 {
        match self {
            Elem::I8 | Elem::U8 => 1,
            Elem::I16 | Elem::U16 | Elem::F16 | Elem::BF16 => 2,
            Elem::F32 | Elem::I32 | Elem::U32 => 4,
            Elem::F64 | Elem::I64 | Elem::U64 => 8,
        }
    }

    /// Its name in Rust.
    pub fn name(self) -> &'static str {
        match self {
            Elem::F32 => "f32",
            Elem::F64 => "f64",
            Elem::I8 => "i8",
            Elem::I16 => "i16",
            Elem::I32 => "i32",
            Elem::I64 => "i64",
            Elem::U8 => "u8",
            Elem::U16 => "u16",
            Elem::U32 => "u32",
            Elem::U64 => "u64",
            Elem::F16 => "f16",
            Elem::BF16 => "bf16",
        }
    }

    /// Smallest and largest value of an integer type; `None` for the others.
    pub fn int_range(self) -> Option<(i128, i128)> {
        let bits = 8 * self.size() as u32;
        match self {
            Elem::F16 | Elem::BF16 | Elem::F32 | Elem::F64 => None,
            Elem::I8 | Elem::I16 | Elem::I32 | Elem::I64 => {
                Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1))
            }
            Elem::U8 | Elem::U16 | Elem::U32 | Elem::U64 => Some((0, (1 << bits) - 1)),
        }
    }
}

impl std::fmt::Display for Elem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A dynamic extent and its declared bounds, both included; or a product of others, see
/// [`Expr::times`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dim {
    /// Name, as declared; a product as it is written.
    pub name: String,
    /// Smallest admitted value.
    pub min: u64,
    /// Largest admitted value.
    pub max: u64,
    /// Of a product its factors, over dims before this one; empty where it is declared.
    pub product: Vec<Expr>,
    /// Its declaration; of a product, where it is first written.
    pub site: Site,
}

/// Logical class of a resource (`L.class`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Set by the caller at every run.
    Input,
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
    /// Isolation domain, an index into [`Model::domains`].
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

/// `order before -> after`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Must complete first.
    pub before: TaskId,
    /// Starts after that.
    pub after: TaskId,
    /// The demand.
    pub site: Site,
}

/// `recompute t before 'z`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// What is made again.
    pub value: ResourceId,
    /// The task before which it is: the first of its label that reads the value, if one does.
    pub before: TaskId,
    /// The label, as it is written.
    pub label: String,
    /// The name of the value in the demand.
    pub site: Site,
    /// The label in the demand.
    pub at: Site,
}

/// `alias a with b`, or `separate a, b`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The first resource named.
    pub a: ResourceId,
    /// The second.
    pub b: ResourceId,
    /// The first name in the demand.
    pub site: Site,
}

/// `budget 2 GiB`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes.
    pub bytes: u64,
    /// The amount, as written.
    pub site: Site,
}

/// A graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Name of the graph.
    pub name: String,
    /// Its name, where the graph is declared.
    pub site: Site,
    /// Dynamic extents.
    pub dims: Vec<Dim>,
    /// Names of the isolation domains, the one of all that is declared in none first; empty where
    /// none is declared.
    pub domains: Vec<String>,
    /// Resources in order of declaration.
    pub resources: Vec<Resource>,
    /// Tasks in statement order, uploads first.
    pub tasks: Vec<Task>,
    /// Demanded orders.
    pub orders: Vec<Order>,
    /// Demanded reconstructions.
    pub again: Vec<Again>,
    /// Demanded aliases.
    pub aliases: Vec<Pair>,
    /// Demanded separations.
    pub separate: Vec<Pair>,
    /// Resources of which the address is asked to be the same in every run, as that of all is whose
    /// storage is not the caller's.
    pub stable: Vec<ResourceId>,
    /// Largest total of arenas, if one was declared.
    pub budget: Option<Budget>,
    /// Runs in flight at once, at least 1.
    pub depth: u32,
    /// Streams of one instance at most, at least 1; `depth * streams` is at most 16.
    pub streams: u32,
    /// Declared workspaces; their resources are among `resources`.
    pub workspaces: Vec<Workspace>,
    /// What it is planned for, and what its record keeps.
    pub declared: Declared,
}
