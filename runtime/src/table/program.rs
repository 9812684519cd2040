//! `PROGRAM`: what the runtime issues, as it stands.

/// Streams of all instances together, at most.
pub const MAX_STREAMS: usize = 16;

/// Alignment of every slot, in bytes: that of a device allocation.
pub const SLOT_ALIGN: u64 = 256;

/// Where a resource lives, as an offset in three ranges laid end to end: the arena of one instance,
/// the store that all instances share, and the pinned memory of one instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// Offset in bytes, a multiple of [`SLOT_ALIGN`].
    pub offset: u64,
    /// Length in bytes, enough for the largest sizes.
    pub bytes: u64,
}

/// Which code of a kernel a launch uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// No access that writes overlaps another access of the task.
    Apart,
    /// The result takes the storage of the operand that the kernel declares.
    InPlace,
}

/// One step of a run. Within a run each event is recorded once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// The host waits until `event` of the run that last used this instance, `depth` runs ago.
    Gate {
        /// The event.
        event: u32,
    },
    /// The run takes over a resource whose content outlives runs, as the host or the run before
    /// left it. Nothing of the run touches the resource before.
    Acquire {
        /// Index into the source's resources.
        resource: u32,
    },
    /// The run leaves such a resource to the host and the run after it. Nothing of the run that is
    /// issued from here on touches it.
    Release {
        /// Index into the source's resources.
        resource: u32,
    },
    /// Issue a task.
    Launch {
        /// Index into the source's tasks.
        task: u32,
        /// Stream.
        stream: u8,
        /// Which code.
        form: Form,
    },
    /// `event` completes when all that was issued to `stream` has completed.
    Record {
        /// The event.
        event: u32,
        /// Stream.
        stream: u8,
    },
    /// What is issued to `stream` from here on starts after `event` of this run.
    Wait {
        /// Stream that waits.
        stream: u8,
        /// The event.
        event: u32,
    },
    /// What is issued to `stream` from here on starts after `event` of the previous run, whichever
    /// instance that used; satisfied on the first run.
    WaitPrev {
        /// Stream that waits.
        stream: u8,
        /// The event.
        event: u32,
    },
}

/// What the host does once a run is issued, at any time before its instance passes the gate again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostOp {
    /// The host waits until `event` of that run.
    Wait {
        /// The event.
        event: u32,
    },
    /// The host reads all of an output.
    Read {
        /// Index into the source's resources.
        resource: u32,
    },
}

/// How a run reaches the device. Results are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Issue {
    /// Op by op, to streams.
    #[default]
    Streams,
    /// As one launch of a graph that was built at load. A driver that has none issues op by op.
    Graph,
}

/// A program: the ops of one run, for each of `ring` instances in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program<'a> {
    /// Copies of arena, streams and events, as many as runs may be in flight; run `k` uses copy
    /// `k % ring`.
    pub ring: u32,
    /// Streams of one instance.
    pub streams: u8,
    /// Events of one instance.
    pub events: u32,
    /// Bytes of one instance's arena at the largest sizes.
    pub arena: u64,
    /// Bytes of the store at the largest sizes: one copy, whatever the ring. What outlives runs has
    /// offsets from `arena` on.
    pub store: u64,
    /// Bytes of one instance's pinned memory at the largest sizes. Staging has offsets from
    /// `arena + store` on.
    pub pinned: u64,
    /// How a run reaches the device.
    pub issue_as: Issue,
    /// A slot for each resource of the source.
    pub slots: &'a [Slot],
    /// Issued by `run`, in this order.
    pub issue: &'a [Op],
    /// Done by the host for each output, a wait or more and then the read.
    pub collect: &'a [HostOp],
}

impl Program<'_> {
    /// What runs a graph in which nothing happens.
    pub const EMPTY: Self = Self {
        ring: 1,
        streams: 1,
        events: 0,
        arena: 0,
        store: 0,
        pinned: 0,
        issue_as: Issue::Streams,
        slots: &[],
        issue: &[],
        collect: &[],
    };
}
