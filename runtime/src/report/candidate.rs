//! What was weighed: each policy with what it would cost, and whether it was taken.

use serde::{Deserialize, Serialize};

/// What a policy does about storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Policy {
    /// Each resource has storage of its own as long as the graph is loaded.
    Retain,
    /// Resources share storage by proof.
    Alias,
    /// Resources share storage if an order is added.
    ConditionedAlias,
    /// A resource is created later.
    Delay,
    /// A resource is released earlier.
    ReleaseEarlier,
    /// A capacity is made smaller.
    RightSize,
    /// Workspaces have one storage.
    ShareWorkspace,
    /// Requests of one size class are served from one pool.
    Pool,
    /// A value is discarded and made again.
    Recompute,
    /// Tasks are issued in another order, or to other streams.
    Schedule,
}

/// A value that is known to lie in a range, both ends included; one value where it is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Range {
    /// At least.
    pub low: u64,
    /// At most; no bound is known where it is none.
    pub high: Option<u64>,
}

impl Range {
    /// One value.
    ///
    /// ```
    /// use gpu_graph_runtime::report::Range;
    /// assert_eq!(Range::exact(7), Range::between(7, 7));
    /// ```
    pub const fn exact(value: u64) -> Self {
        Self::between(value, value)
    }

    /// `low..=high`.
    pub const fn between(low: u64, high: u64) -> Self {
        Self {
            low,
            high: Some(high),
        }
    }

    /// `low` or more.
    pub const fn from(low: u64) -> Self {
        Self { low, high: None }
    }
}

/// What a policy costs. What is not known is none, and stands for no default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Cost {
    /// Bytes of one instance's arena.
    pub peak_bytes: Option<Range>,
    /// Allocations in one run.
    pub allocations: Option<u64>,
    /// Releases in one run.
    pub releases: Option<u64>,
    /// Bytes of the arena beyond the most that is live at once where tasks run one at a time, in the
    /// order in which they are issued.
    pub slack_bytes: Option<u64>,
    /// Bytes of workspaces among them.
    pub workspace_bytes: Option<u64>,
    /// Added time of kernels in one run, in nanoseconds.
    pub compute_nanoseconds: Option<Range>,
    /// Added bytes read and written in one run.
    pub traffic_bytes: Option<Range>,
    /// Added orders between tasks.
    pub synchronizations: Option<u64>,
    /// Waits between streams in one run.
    pub waits: Option<u64>,
    /// Events that one run records.
    pub events: Option<u64>,
    /// Added launches in one run.
    pub launches: Option<u64>,
    /// The longest chain of one run, in nanoseconds.
    pub critical_path_nanoseconds: Option<Range>,
}

/// A value that is dropped after a reader and made again before a later one. The time that it takes
/// is the sum of the four terms, where all are known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Reconstruction {
    /// The value.
    pub value: String,
    /// The first task that reads what is made again.
    pub before: String,
    /// What is made.
    pub instance: String,
    /// The launch that makes it.
    pub task: String,
    /// The kernel that is launched.
    pub kernel: String,
    /// Bytes of the arena without less those with all that the candidate makes again.
    pub saved_bytes: u64,
    /// Bytes of the arena without.
    pub without_bytes: u64,
    /// Time of the launch.
    pub construct_nanoseconds: Option<u64>,
    /// Time of bringing back what it is made of.
    pub inputs_nanoseconds: u64,
    /// Time of waits and events more; those of a plan are said at the first value.
    pub synchronization_nanoseconds: Option<u64>,
    /// Time that workspaces add.
    pub workspace_nanoseconds: Option<u64>,
    /// Bytes that are read again.
    pub read_bytes: u64,
    /// Bytes of the launch's workspaces.
    pub workspace_bytes: u64,
    /// Tasks that may run at the same time.
    pub beside: u64,
    /// Inputs that live longer for it.
    pub longer: Vec<String>,
}

/// A kind of policy, and what it gives in a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Kind {
    /// The kind.
    pub policy: Policy,
    /// The plan does it.
    pub applied: bool,
    /// Bytes of the arena that it gives, or would, where that is known.
    pub gives_bytes: Option<u64>,
    /// How, or why it does not apply or is not taken.
    pub reason: String,
}

/// One policy, taken or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Candidate {
    /// What it is, in a few words.
    pub name: String,
    /// What it does about storage.
    pub policy: Policy,
    /// It was taken.
    pub accepted: bool,
    /// Why, or why not.
    pub reason: String,
    /// Bytes that it saves of those of the arena, where that is known and is not the difference of two
    /// rows.
    pub saved_bytes: Option<u64>,
    /// What it costs.
    pub cost: Cost,
    /// Values that are made again in it.
    pub reconstructions: Vec<Reconstruction>,
}
