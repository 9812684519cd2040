//! What the verifier can find, by index; [`Violation::named`] says it by name.

use crate::table::Source;

/// A table of a source or a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each variant is the field of that name")]
pub enum Table {
    Dims,
    Products,
    Exprs,
    Resources,
    Kernels,
    Tasks,
    Accesses,
    Scalars,
    Bindings,
    Orders,
    Aliases,
    Separate,
    Again,
    Slots,
    Issue,
    Collect,
    Events,
}

/// Why a program is not one of its source. The first one found is returned.
///
/// Fields are indices into the tables of the source, except that `op` counts the entries of
/// [`Program::issue`](crate::table::Program::issue).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the fields are indices, said above; each variant is documented"
)]
pub enum Violation {
    /// There are not as many dims as the source has.
    DimCount { expected: u32, found: u32 },
    /// A dim is outside its declared bounds.
    DimRange { dim: u32, value: u64 },
    /// A table has more entries than an index can name.
    TooMany { table: Table },
    /// An entry names something that is not there.
    Dangling { table: Table, entry: u32 },
    /// A product overflows for these dims, has a negative factor, or names what is not before it.
    NoProduct { product: u32 },
    /// An expression is negative or overflows for these dims.
    NoValue { expr: u32 },
    /// A resource has no extent, or its size overflows.
    Size { resource: u32 },
    /// The rows of an access leave its resource.
    Rows { access: u32 },

    /// Depth, ring or streams are 0, or all streams together are more than 16.
    Streams { depth: u32, ring: u32, streams: u8 },
    /// An instance is not used again exactly when the gates that free it are passed: with fewer
    /// instances before that, with more after.
    Ring { ring: u32, depth: u32 },
    /// A slot is missing, or not aligned.
    SlotAlign { resource: u32 },
    /// A slot leaves the arena, or the store if its resource outlives runs.
    SlotBounds { resource: u32 },
    /// A slot of the store that does not lie wholly behind the one before it: content that outlives
    /// a run shares its bytes with nothing.
    SlotShared { resource: u32 },
    /// A byte of an arena would be used in two isolation domains, or there are too many of them.
    Domain { resource: u32 },
    /// Runs update a resource that outlives them, and more than one may be in flight.
    SharedUpdate { resource: u32 },
    /// A slot is smaller than its resource.
    SlotSize { resource: u32 },
    /// All arenas and the store together exceed the budget, or no address can reach them.
    Budget { arena: u64, ring: u32 },
    /// An alias was demanded; the slots start apart.
    NotAliased { a: u32, b: u32 },
    /// Separation was demanded; the resources share bytes.
    NotSeparate { a: u32, b: u32 },

    /// A task's accesses begin among those of a task before it.
    SharedAccesses { task: u32 },
    /// An upload that is not one full overwrite of one input.
    Upload { task: u32 },
    /// An input that does not have exactly one upload.
    Uploads { resource: u32 },
    /// A fill that is not one overwrite.
    Fill { task: u32 },
    /// A copy that is not one read and one overwrite of as many bytes.
    Copy { task: u32 },
    /// A hold that overwrites, or that holds for a task behind it.
    Hold { task: u32 },
    /// A callback touches memory of the device, or another kernel staging.
    Space { task: u32, resource: u32 },
    /// A task writes `resource` while task `hold` says that it has to stay as it is.
    Retained { hold: u32, resource: u32, task: u32 },
    /// Something touches `resource`, or writes it instead of the task that hold `hold` names, while
    /// that has not finished it.
    Unfinished { hold: u32, resource: u32 },
    /// A kernel writes an input or a resident input.
    InputWritten { task: u32, resource: u32 },
    /// More shared memory than a block can have.
    Shared { kernel: u32 },
    /// A parameter block that is too large.
    Params { kernel: u32 },
    /// A parameter block that is too small for what the task passes.
    Arguments { task: u32 },
    /// Index space and block differ in length, or the block exceeds the limits.
    Block { kernel: u32 },
    /// The grid exceeds the limits, or its extents have no value.
    Grid { task: u32 },

    /// A task reads what no statement before it wrote.
    Unwritten { task: u32, resource: u32 },
    /// No statement writes all of an output.
    OutputUnwritten { resource: u32 },
    /// Two accesses of one task overlap and one writes.
    Overlap {
        task: u32,
        resource: u32,
        other: u32,
    },

    /// What an entry of the tasks that make a value again repeats is not before it, or is there to
    /// make a value again itself; or two entries are of one task.
    Original { entry: u32 },
    /// A task is to make again what task `of` makes, and is another kernel or passed something else.
    NotAgain { task: u32, of: u32 },
    /// What makes a value again writes what is not a copy of its own, or something else writes that.
    NotOwn { task: u32, resource: u32 },
    /// A task is to make again what task `of` makes, and what it reads has changed since.
    ReadsOther { task: u32, of: u32, resource: u32 },
    /// A task reads a copy of resource `of`, which does not hold the same then.
    NotCopy { task: u32, resource: u32, of: u32 },

    /// A task is issued twice.
    IssuedTwice { task: u32 },
    /// A task is not issued.
    NotIssued { task: u32 },
    /// An in-place launch that its kernel does not declare, or whose operand and result are not
    /// one range of one type.
    InPlace { task: u32 },
    /// A gate after other ops: nothing of a run is issued before its gates are passed.
    LateGate { op: u32 },
    /// An event is recorded twice in one run.
    RecordedTwice { op: u32, event: u32 },
    /// An event is waited for before its record in that run.
    WaitBeforeRecord { op: u32, event: u32 },
    /// An event is waited for that no run records.
    NeverRecorded { event: u32 },
    /// The previous run's event is waited for after this run has recorded it anew.
    Overtaken { op: u32, event: u32 },

    /// A task reads a resource whose content is not there: not written yet, or its storage was
    /// taken by another resource.
    Absent { task: u32, resource: u32 },
    /// A task reads what task `found` wrote and should read what task `expected` wrote.
    WrongVersion {
        task: u32,
        resource: u32,
        expected: u32,
        found: u32,
    },
    /// A task touches a resource that task `other` also touches, one of them writes, and nothing
    /// orders them.
    Race {
        task: u32,
        resource: u32,
        other: u32,
    },
    /// A task takes the storage of resource `previous`, and nothing orders it after task `other`,
    /// which uses that.
    EarlyReuse {
        task: u32,
        resource: u32,
        previous: u32,
        other: u32,
    },
    /// Nothing orders task `after` behind the completion of task `before`.
    Unordered { before: u32, after: u32 },
    /// The gates let the host set up a run while `stream` may still be busy with the last one of
    /// that instance.
    StillRunning { stream: u8 },

    /// A run acquires or releases a resource that does not outlive it.
    NotPersistent { resource: u32 },
    /// A resource that outlives runs is not acquired once, before all that touches it.
    Acquire { resource: u32 },
    /// A resource that outlives runs is not released once, behind all that touches it.
    Release { resource: u32 },
    /// The run leaves a resource that outlives it as task `found` left it; the last to write it is
    /// task `expected`.
    ReleasedVersion {
        resource: u32,
        expected: u32,
        found: u32,
    },

    /// The host reads a resource that is no output.
    NotOutput { resource: u32 },
    /// An output is read twice by the host.
    CollectedTwice { resource: u32 },
    /// An output is not read by the host.
    NotCollected { resource: u32 },
    /// The host reads an output whose storage another resource has taken.
    OutputLost { resource: u32 },
    /// The host reads what task `found` wrote and should read what task `expected` wrote.
    OutputVersion {
        resource: u32,
        expected: u32,
        found: u32,
    },
    /// The host reads an output without waiting for task `writer`.
    OutputRace { resource: u32, writer: u32 },
}

impl Violation {
    /// What is wrong in a few words, without names: all that a panic at build time can say.
    pub const fn summary(&self) -> &'static str {
        use Violation as V;
        match self {
            V::DimCount { .. } => "the number of dims differs from the source's",
            V::DimRange { .. } => "a dim is outside its bounds",
            V::TooMany { .. } => "a table has too many entries",
            V::Dangling { .. } => "a table names an entry that is not there",
            V::NoProduct { .. } => "a product of dims overflows, or has a negative factor",
            V::NoValue { .. } => "an extent is negative or overflows",
            V::Size { .. } => "a resource has no extent or its size overflows",
            V::Rows { .. } => "the rows of an access leave its resource",
            V::Streams { .. } => "depth, ring and streams are at least 1, and at most 16 streams",
            V::Ring { .. } => "not as many instances as runs in flight",
            V::SlotAlign { .. } => "a slot is missing or not aligned",
            V::SlotBounds { .. } => "a slot leaves the arena",
            V::SlotSize { .. } => "a slot is smaller than its resource",
            V::Budget { .. } => "the arenas exceed the budget",
            V::SlotShared { .. } => "a resource that outlives runs shares its slot",
            V::Domain { .. } => "two isolation domains share storage",
            V::SharedUpdate { .. } => "runs in flight together update one resource",
            V::NotAliased { .. } => "a demanded alias has two offsets",
            V::NotSeparate { .. } => "resources that must be separate share bytes",
            V::SharedAccesses { .. } => "two tasks share an access",
            V::Upload { .. } => "an upload is not one full overwrite of one input",
            V::Uploads { .. } => "an input does not have exactly one upload",
            V::Fill { .. } => "a fill is not one overwrite",
            V::Copy { .. } => "a copy is not one read and one overwrite of as many bytes",
            V::Hold { .. } => "a hold overwrites, or holds for a later task",
            V::Space { .. } => "a kernel touches memory of the other side",
            V::Retained { .. } => "a resource is written while it is held",
            V::Unfinished { .. } => "a resource is used before it is finished",
            V::InputWritten { .. } => "a kernel writes an input",
            V::Shared { .. } => "a kernel needs more shared memory than a block can have",
            V::Params { .. } => "a parameter block is too large",
            V::Arguments { .. } => "a parameter block is too small for its arguments",
            V::Block { .. } => "a block exceeds the launch limits",
            V::Grid { .. } => "a grid exceeds the launch limits",
            V::Unwritten { .. } => "a task reads what nothing wrote",
            V::OutputUnwritten { .. } => "an output is not fully written",
            V::Overlap { .. } => "two accesses of one task overlap and one writes",
            V::Original { .. } => "what is made again was not made before",
            V::NotAgain { .. } => "what makes a value again differs from what made it",
            V::NotOwn { .. } => "what makes a value again does not have a copy of its own",
            V::ReadsOther { .. } => "what a value is made of has changed when it is made again",
            V::NotCopy { .. } => "a value that is made again has changed since",
            V::IssuedTwice { .. } => "a task is issued twice",
            V::NotIssued { .. } => "a task is not issued",
            V::InPlace { .. } => "an in-place launch without one range for operand and result",
            V::LateGate { .. } => "a gate after other ops",
            V::RecordedTwice { .. } => "an event is recorded twice in one run",
            V::WaitBeforeRecord { .. } => "an event is waited for before its record",
            V::NeverRecorded { .. } => "an event is waited for and never recorded",
            V::Overtaken { .. } => "the previous run's event is waited for after a new record",
            V::Absent { .. } => "a task reads a resource whose content is not there",
            V::WrongVersion { .. } => "a task reads another version than the source says",
            V::Race { .. } => "two conflicting accesses are not ordered",
            V::EarlyReuse { .. } => "storage is reused before its last use has completed",
            V::Unordered { .. } => "a demanded order is not kept",
            V::StillRunning { .. } => "an instance is set up again while it may still run",
            V::NotPersistent { .. } => "a resource that ends with its run is acquired or released",
            V::Acquire { .. } => {
                "a resource that outlives runs is not acquired once, before its use"
            }
            V::Release { .. } => {
                "a resource that outlives runs is not released once, behind its use"
            }
            V::ReleasedVersion { .. } => "a run leaves another version than the source says",
            V::NotOutput { .. } => "the host reads a resource that is no output",
            V::CollectedTwice { .. } => "an output is collected twice",
            V::NotCollected { .. } => "an output is not collected",
            V::OutputLost { .. } => "the storage of an output is taken before the host reads it",
            V::OutputVersion { .. } => "the host reads another version than the source says",
            V::OutputRace { .. } => "the host reads an output before its writer has completed",
        }
    }

    /// This violation with the names that `source` gives to its indices.
    pub fn named<'a>(&'a self, source: &'a Source<'a>) -> impl std::fmt::Display + 'a {
        super::report::Named {
            violation: self,
            source: Some(source),
        }
    }
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        super::report::Named {
            violation: self,
            source: None,
        }
        .fmt(f)
    }
}

impl std::error::Error for Violation {}
