//! What the analysis wrote of its decisions, read back. `Record::facts` of the analysis describes
//! the form.

mod fields;
mod read;

pub(super) use fields::{figures, line};

use std::collections::BTreeMap;

use super::identity::NotedProfile;
use crate::report::{
    Content, Dependency, DomainBound, Kind, Peak, Policy, Purpose, Reconstruction, Serialised,
    Sharing, TaskKind,
};

/// What is in the lines behind tasks, and in the words of resources.
#[derive(Default)]
pub(super) struct Noted {
    /// Of each resource.
    pub(super) marks: Vec<Marks>,
    /// Pairs that share storage.
    pub(super) aliases: Vec<NotedAlias>,
    /// Orders that the policy adds.
    pub(super) added: Vec<Dependency>,
    /// What is ordered by these and by streams alone.
    pub(super) serialised: Serialised,
    /// The lower bound of each isolation domain.
    pub(super) bound: Vec<DomainBound>,
    /// Tasks of kinds that the tables do not tell from kernels.
    pub(super) kinds: BTreeMap<u32, TaskKind>,
    /// Bytes of padding.
    pub(super) padding: u64,
    pub(super) reserved: u64,
    /// Values of the dims at which each resource is at its largest.
    pub(super) largest_at: Option<Vec<u64>>,
    /// Waits that others made needless.
    pub(super) saved: u32,
    /// Before, after, and whether nothing else orders the two.
    pub(super) orders: Vec<(u32, u32, bool)>,
    /// Declared workspaces.
    pub(super) workspaces: Vec<NotedWorkspace>,
    /// What is declared.
    pub(super) purpose: Purpose,
    /// Declared nanoseconds of kernels.
    pub(super) costs: BTreeMap<&'static str, u64>,
    /// What is live at once.
    pub(super) peaks: BTreeMap<&'static str, Peak>,
    /// Plans that were weighed.
    pub(super) rivals: Vec<Rival>,
    /// Orders of tasks that the rival of that number adds; numbers behind the tasks are of these names.
    pub(super) adds: Vec<(usize, Vec<Dependency>, Vec<&'static str>)>,
    /// Metrics that do not decide between them, and why.
    pub(super) blocked: Vec<&'static str>,
    /// The search for them ended by its limit.
    pub(super) cut: bool,
    /// What is predicted of the plan and of its baseline.
    pub(super) predicted: BTreeMap<&'static str, Vec<u64>>,
    /// The profile that is named.
    pub(super) profile: NotedProfile,
    /// Values that are made again, each with the number of the rival, or by demand.
    pub(super) again: Vec<(Option<usize>, Reconstruction)>,
    /// Value, reader, and why the one is not made again before the other.
    pub(super) refused: Vec<[&'static str; 3]>,
    /// Kinds of policies, and what each gives and changes.
    pub(super) actions: Vec<Kind>,
}

/// What is noted of two resources that share storage.
pub(super) struct NotedAlias {
    pub(super) earlier: u32,
    pub(super) later: u32,
    /// The task that updates the one into the other.
    pub(super) task: Option<u32>,
    pub(super) demanded: bool,
    /// Orders that it needs beside the dependencies.
    pub(super) missing: Vec<Dependency>,
}

/// A plan that was weighed.
pub(super) struct Rival {
    pub(super) name: &'static str,
    pub(super) policy: Policy,
    pub(super) outcome: &'static str,
    pub(super) arena: u64,
    /// Nanoseconds of the critical path, or a bound below where that is unknown.
    pub(super) path: u64,
    pub(super) known: bool,
    pub(super) launches: u64,
    pub(super) added: u64,
    pub(super) streams: u64,
    pub(super) waits: u64,
    pub(super) events: u64,
    /// Nanoseconds of all launches, or a bound below as for the path.
    pub(super) compute: u64,
    pub(super) read: u64,
    pub(super) written: u64,
    pub(super) slack: u64,
    /// Bytes below which no layout is.
    pub(super) bound: u64,
    /// Live ranges that begin and that end in a run.
    pub(super) begins: u64,
    pub(super) ends: u64,
    /// Both ends of the least peak of what is live at once, and of the greatest.
    pub(super) least: [u64; 2],
    pub(super) greatest: [u64; 2],
    pub(super) rooms: Option<u64>,
}

/// What is noted of a resource.
#[derive(Default)]
pub(super) struct Marks {
    pub(super) escape: bool,
    pub(super) reconstructable: bool,
    pub(super) stable: bool,
    pub(super) shape: Vec<&'static str>,
    pub(super) domain: Option<&'static str>,
    /// Bytes before alignment, where they are fewer.
    pub(super) payload: Option<u64>,
}

/// What is noted of a workspace.
pub(super) struct NotedWorkspace {
    pub(super) name: &'static str,
    pub(super) resource: u32,
    pub(super) content: Content,
    pub(super) sharing: Sharing,
    /// Task and resource of each use.
    pub(super) uses: Vec<(u32, u32)>,
}
