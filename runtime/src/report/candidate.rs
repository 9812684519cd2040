//! What was weighed: each plan with what it takes, and whether it was taken.

use serde::{Deserialize, Serialize};

use super::{Change, Effect};

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

/// The figures of a plan: of one instance at the largest sizes, and of one run. Times are those of
/// kernels that have a cost; what is not known is none, and stands for no default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Totals {
    /// Bytes of the arena.
    pub arena_bytes: u64,
    /// Bytes below which no layout of this plan is.
    pub lower_bound_bytes: u64,
    /// Bytes of the arena beyond the most that is live at once where tasks run one at a time, in the
    /// order in which they are issued.
    pub slack_bytes: u64,
    /// Bytes that are live at once in the execution that does with least.
    pub least_peak_bytes: Range,
    /// Bytes that are live at once in the execution that needs most.
    pub greatest_peak_bytes: Range,
    /// Bytes of workspaces that can be in use together, where that was worked out.
    pub workspace_bytes: Option<u64>,
    /// Live ranges that begin in one run, each in a part of the arena; a resource and what it becomes in
    /// place are one.
    pub begins: u64,
    /// Those of them that end within it.
    pub ends: u64,
    /// Allocations in one run.
    pub allocations: u64,
    /// Releases of what was allocated, in one run.
    pub releases: u64,
    /// Time of all launches.
    pub compute_nanoseconds: Option<Range>,
    /// Time of the longest chain of launches.
    pub critical_path_nanoseconds: Option<Range>,
    /// Bytes that tasks read; what is updated is read, and so is a workspace that is zero or preserved as
    /// the task begins.
    pub read_bytes: u64,
    /// Bytes that tasks write, those of each use of a workspace among them, whole.
    pub written_bytes: u64,
    /// Launches, copies and fills.
    pub launches: u64,
    /// Orders between tasks that are added to the dependencies, beside those of streams.
    pub added_edges: u64,
    /// Streams.
    pub streams: u64,
    /// Waits between streams.
    pub waits: u64,
    /// Events that are recorded.
    pub events: u64,
}

/// What some totals of a plan are more than those of the baseline, or less, below 0. The baseline is the
/// first that was weighed, the graph as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Deltas {
    /// Bytes of the arena.
    pub arena_bytes: Change,
    /// Bytes of workspaces that can be in use together.
    pub workspace_bytes: Option<Change>,
    /// Time of all launches; none where a cost that it depends on is not known.
    pub compute_nanoseconds: Option<Change>,
    /// Time of the longest chain of launches.
    pub critical_path_nanoseconds: Option<Change>,
    /// Bytes that are read.
    pub read_bytes: Change,
    /// Bytes that are written.
    pub written_bytes: Change,
    /// Launches, copies and fills.
    pub launches: Change,
    /// Added orders between tasks.
    pub added_edges: Change,
    /// Waits between streams.
    pub waits: Change,
    /// Events that are recorded.
    pub events: Change,
}

impl Deltas {
    /// What `plan` has more than `baseline`.
    pub(crate) fn between(baseline: &Totals, plan: &Totals) -> Self {
        let exact = |of: fn(&Totals) -> u64| Change::between([of(baseline); 2], [of(plan); 2]);
        let range = |of: fn(&Totals) -> Option<Range>| {
            let ends = |range: Range| Some([range.low, range.high?]);
            Some(Change::between(ends(of(baseline)?)?, ends(of(plan)?)?))
        };
        // The same launches take the same time, whatever that is.
        let same = (baseline.launches == plan.launches).then(Change::default);
        Self {
            arena_bytes: exact(|of| of.arena_bytes),
            workspace_bytes: match (baseline.workspace_bytes, plan.workspace_bytes) {
                (Some(from), Some(to)) => Some(Change::between([from; 2], [to; 2])),
                _ => None,
            },
            compute_nanoseconds: range(|of| of.compute_nanoseconds).or(same),
            critical_path_nanoseconds: range(|of| of.critical_path_nanoseconds),
            read_bytes: exact(|of| of.read_bytes),
            written_bytes: exact(|of| of.written_bytes),
            launches: exact(|of| of.launches),
            added_edges: exact(|of| of.added_edges),
            waits: exact(|of| of.waits),
            events: exact(|of| of.events),
        }
    }
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

/// A kind of policy, and what it gives in a plan. What two kinds give may be the same bytes: they do not
/// add.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Kind {
    /// The kind.
    pub policy: Policy,
    /// The plan does it.
    pub applied: bool,
    /// Bytes that it gives, or would, where that is known: with `delay` and `release_earlier` fewer that are
    /// live at once where tasks run one at a time as they are issued, with `share_workspace` fewer of
    /// workspaces in use, else fewer of the arena.
    pub gives_bytes: Option<u64>,
    /// How, or why it does not apply or is not taken.
    pub reason: String,
    /// What it changes, or would; none where there is nothing in the graph that it could be applied to.
    pub effect: Option<Effect>,
}

/// Two tasks by name that a plan orders and no dependency does, so that they could run beside each other.
/// The tasks of a plan that is not taken may be others than those of the one that is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Ordered {
    /// Completes first.
    pub before: String,
    /// Starts after that.
    pub after: String,
}

/// One plan that was weighed, taken or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Candidate {
    /// What it does, in a few words.
    pub name: String,
    /// What it does about storage.
    pub policy: Policy,
    /// It was taken.
    pub accepted: bool,
    /// Why, or why not.
    pub reason: String,
    /// What it comes to.
    pub totals: Totals,
    /// What that is more or less than of the baseline.
    pub deltas: Deltas,
    /// The orders that it adds, beside those of streams.
    pub added: Vec<Ordered>,
    /// Values that are made again in it, beside those that are demanded.
    pub reconstructions: Vec<Reconstruction>,
}

/// A value that cannot be made again before some reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct NotAgain {
    /// The value.
    pub value: String,
    /// The reader.
    pub before: String,
    /// Why not.
    pub reason: String,
}

/// How far plans were looked for, and what could not tell them apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Search {
    /// It ended by itself, and not by its limit for a graph of this size.
    pub complete: bool,
    /// Metrics that do not decide, each with the costs that are not known.
    pub blocked: Vec<String>,
}
