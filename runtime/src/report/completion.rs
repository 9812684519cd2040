//! What runs, what completes when, and what waits for what.

use serde::{Deserialize, Serialize};

/// What a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TaskKind {
    /// The caller's input becomes the content of a resource.
    Upload,
    /// A kernel on the device, complete when the launch is.
    Kernel,
    /// A range becomes zero.
    Fill,
    /// A range is copied.
    Copy,
    /// Code of the host on the stream.
    Callback,
    /// Code that is not shown, and may keep addresses until it is said to be over.
    Opaque,
    /// One part of what several ranks do together; complete when all have done theirs.
    Collective,
    /// Nothing is done: what it accesses is retained until here by something that no task shows.
    Hold,
}

/// How a task touches a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Mode {
    /// Reads.
    Read,
    /// Reads and writes.
    Update,
    /// Writes every element and reads none.
    Write,
}

/// One access of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Access {
    /// The resource.
    pub resource: u32,
    /// How.
    pub mode: Mode,
    /// It touches some rows, not all.
    pub part: bool,
}

/// The time of one launch, as it is declared or was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TaskTime {
    /// In nanoseconds.
    pub nanoseconds: u64,
    /// It was measured; otherwise it is declared.
    pub measured: bool,
}

/// A task and its completion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Task {
    /// Its label, or a name made from what it does.
    pub name: String,
    /// What it is.
    pub kind: TaskKind,
    /// The kernel that it launches.
    pub kernel: Option<String>,
    /// Its place in the issue order, from 0.
    pub step: u32,
    /// The stream that it is issued to.
    pub stream: u8,
    /// Tasks of other streams whose completion its stream waits for right before it.
    pub awaits: Vec<u32>,
    /// What it accesses, in the order of the kernel's parameters.
    pub accesses: Vec<Access>,
    /// Of a hold: the task from which on what it accesses is retained.
    pub since: Option<u32>,
    /// Its time; unknown where it is neither declared nor measured.
    pub time: Option<TaskTime>,
}

/// One task before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Dependency {
    /// Completes first.
    pub before: u32,
    /// Starts after that.
    pub after: u32,
}

/// Why an order is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AddedBy {
    /// A stream issues one after the other.
    Stream,
    /// The plan orders them, so that more resources can share storage.
    Policy,
}

/// One task before another, though no dependency says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Added {
    /// Completes first.
    pub before: u32,
    /// Starts after that.
    pub after: u32,
    /// Why.
    pub by: AddedBy,
}

/// Two tasks that no dependency orders, of which the plan starts the one after the other completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Serial {
    /// Completes first.
    pub before: u32,
    /// Starts after that.
    pub after: u32,
    /// Why.
    pub by: AddedBy,
    /// The added order by which it is so: from the one, or what comes behind it, to the other, or what
    /// comes before it. None where the two are on the one stream that does it.
    pub through: Option<Dependency>,
    /// The alias whose proof rests on that, by its place in `aliases`.
    pub alias: Option<u32>,
}

/// What the plan serialises that could run at the same time. Holds, in which nothing is done, are in no
/// pair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Serialised {
    /// All pairs.
    pub total: u64,
    /// Those that orders of the policy serialise.
    pub by_policy: u64,
    /// Those that the order of streams does, and no such order.
    pub by_stream: u64,
    /// Of all, those whose order the proof of an alias needs.
    pub for_aliases: u64,
    /// The first of each cause.
    pub pairs: Vec<Serial>,
}

/// An order that the user demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Demand {
    /// Completes first.
    pub before: u32,
    /// Starts after that.
    pub after: u32,
    /// Their accesses do not conflict, so that the demand alone orders them.
    pub alone: bool,
}

/// What comes before what, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Order {
    /// By what tasks access and by demand, without those that others imply. Every proof rests on
    /// these alone.
    pub dependencies: Vec<Dependency>,
    /// Demanded orders, each once.
    pub demands: Vec<Demand>,
    /// Policy edges, added to the dependencies. A proof that rests on one says so.
    pub added: Vec<Added>,
    /// What is ordered by these and by no dependency.
    pub serialised: Serialised,
    /// Tasks in the order of issue.
    pub issue: Vec<u32>,
    /// Streams of one instance.
    pub streams: u32,
    /// Events of one instance.
    pub events: u32,
    /// Waits between streams in one run.
    pub waits: u32,
    /// Waits that others made needless.
    pub saved: u32,
}
