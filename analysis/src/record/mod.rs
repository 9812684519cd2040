//! The decision record: what was decided, why, on what evidence, and what would falsify it.
//!
//! [`Record`] is data; its `Display` is what a person reads, [`Record::dot`] the graph. Both are
//! deterministic, and cap their lists with stated counts so that a large graph stays readable.

mod actions;
mod allocator;
mod apart;
mod declared;
mod dot;
mod effect;
mod facts;
mod figures;
mod gather;
mod guards;
mod identity;
mod issue;
mod peak;
mod policy;
mod pooled;
mod recompute;
mod serialised;
mod shared;
mod storage;
mod text;
mod time;
mod traded;
mod variants;
mod verdict;
mod words;
mod workspaces;

pub use actions::Action;
pub use effect::{Effect, Term};
pub use identity::{Identity, Known};
pub use peak::{Figure, PeakRecord};
pub use policy::{Policy, Rival};
pub use recompute::{DemandRecord, Sync};
pub use serialised::{By, Serial, Serialised};
pub use time::time;
pub use variants::Variants;
pub use words::WORDS;

use crate::alias::Eligibility;
use crate::declared::Declared;
use crate::frontier::Frontier;
use crate::layout::Slot;
use crate::layout::{Bound, Left, Why};
use crate::model::{Class, Dim, Elem, KernelKind, ResourceId, TaskId};
use crate::workspace::Workspace;

/// The record of one plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Name of the graph.
    pub graph: String,
    /// Its dims with their bounds.
    pub dims: Vec<Dim>,
    /// Names of tasks.
    pub tasks: Vec<String>,
    /// The kernel of each task that launches one, and what it is.
    pub kernels: Vec<Option<(String, KernelKind)>>,
    /// Demanded orders, each once.
    pub orders: Vec<OrderRecord>,
    /// Tasks in issue order.
    pub sequence: Vec<u32>,
    /// What that order comes of.
    pub issued: Issued,
    /// Stream of each task.
    pub stream_of: Vec<u8>,
    /// What the graph declares of its purpose.
    pub declared: Declared,
    /// Every resource, in order of declaration.
    pub resources: Vec<ResourceRecord>,
    /// Every workspace, in order of declaration.
    pub workspaces: Vec<Workspace>,
    /// Dependencies `(a, b)`, a before b, without those that others imply.
    pub dependencies: Vec<(TaskId, TaskId)>,
    /// Every alias taken, between an occupant of storage and the next.
    pub aliases: Vec<Alias>,
    /// Edges that the policy adds, `(a, b)`, a before b, beside the order of streams.
    pub added: Vec<(TaskId, TaskId)>,
    /// The plans that were weighed.
    pub policy: Policy,
    /// Each kind of policy, and what it gives.
    pub actions: Vec<Action>,
    /// What the plan and its baseline are known by.
    pub identity: Identity,
    /// Pairs that could gain from sharing and do not.
    pub candidates: Candidates,
    /// In-place updates that are legal and were left.
    pub left: Vec<Left>,
    /// Edges that streams add to the dependencies.
    pub stream_order: Vec<(TaskId, TaskId)>,
    /// What the plan serialises and no dependency orders.
    pub serialised: Serialised,
    /// For each task, those that its stream waits for right before it.
    pub awaited: Vec<Vec<TaskId>>,
    /// Streams of one instance.
    pub streams: u8,
    /// Events of one instance.
    pub events: u32,
    /// Waits between streams that were placed.
    pub waits: usize,
    /// Waits that a naive schedule would also place, one for each dependency between streams.
    pub saved: usize,
    /// Bytes of one instance.
    pub arena: u64,
    /// Bytes of what outlives runs, one copy for all instances.
    pub store: u64,
    /// Bytes of staging of one instance.
    pub pinned: u64,
    /// Instances.
    pub ring: u32,
    /// Declared budget in bytes.
    pub budget: Option<u64>,
    /// The lower bound, and where it is met.
    pub bound: Bound,
    /// What is live at once in an arena, at most and at least.
    pub peak: PeakRecord,
    /// Whether the layout is from one pass, as for large sets.
    pub swept: bool,
    /// Bytes by which the arena grew, so that slots begin on different cache sets.
    pub padding: u64,
    /// Bytes of the arena in which other combinations of variants have isolation domains.
    pub reserved: u64,
    /// Values of the dims at which each resource is at its largest, where such are known.
    pub largest_at: Option<Vec<u64>>,
}

/// What the order comes of in which tasks are issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Issued {
    /// Tasks stand as they are written.
    Stated,
    /// As they are written, but for what demanded orders have otherwise.
    Demanded,
    /// What the plan orders has it otherwise.
    Planned,
}

/// An order that the user demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderRecord {
    /// The task that completes first.
    pub before: TaskId,
    /// The task that starts after it.
    pub after: TaskId,
    /// No accesses of the two conflict, so that the demand alone orders them.
    pub alone: bool,
    /// It comes of `recompute … before`, and of no `order`.
    pub again: bool,
}

/// One resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceRecord {
    /// Name, as declared.
    pub name: String,
    /// Logical class.
    pub class: Class,
    /// Element type.
    pub elem: Elem,
    /// Isolation domain, if it is declared in one.
    pub domain: Option<String>,
    /// Extents as a user writes them, slowest first.
    pub shape: Vec<String>,
    /// Bytes at the largest that the dims admit, before alignment.
    pub payload: u64,
    /// First and last frontier. Storage must exist from the start of the first and may be released
    /// after the completion of all of the last.
    pub frontier: Frontier,
    /// Where it lives.
    pub slot: Slot,
    /// Its address is demanded to be the same in every run.
    pub stable: bool,
}

/// Two resources that share storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// Which lives first.
    pub earlier: ResourceId,
    /// Which lives next in that storage.
    pub later: ResourceId,
    /// The task that updates one into the other.
    pub in_place: Option<TaskId>,
    /// `(a, b)`: that b starts after a completes is what the proof needs beside the dependencies. With
    /// none, and not in place, all accesses of the earlier precede all of the later by these alone.
    pub condition: Vec<(TaskId, TaskId)>,
    /// Whether the user demands it.
    pub demanded: bool,
}

/// Pairs of one size and range that do not share storage, with the reason. What outlives runs shares
/// with nothing and is in no pair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Those found first, up to a limit.
    pub listed: Vec<Candidate>,
    /// All of them.
    pub total: u64,
}

/// A pair that does not share storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The first, in order of declaration.
    pub a: ResourceId,
    /// The second.
    pub b: ResourceId,
    /// What the dependencies say of it, with what the plan makes one range with either in place; of an
    /// update, or where the two alone are refused, of these alone.
    pub eligibility: Eligibility,
    /// The first and the last of the range that each is in, where that is of more than one and it is what
    /// counts.
    pub ranges: [Option<[ResourceId; 2]>; 2],
    /// Where a task still uses the one when another begins the other, and the other way round: what the
    /// two tasks do.
    pub does: [[&'static str; 2]; 2],
    /// What the plan orders of a pair that its dependencies leave open.
    pub planned: Planned,
    /// Whether `separate` forbids it in any case.
    pub separate: bool,
    /// A task that would update one into the other, were these edges there.
    pub update: Option<(TaskId, Vec<(TaskId, TaskId)>)>,
    /// A task that could update the one, an input, into the other, were it an `input mut`, with the edges
    /// that this takes.
    pub withheld: Option<(TaskId, Vec<(TaskId, TaskId)>)>,
    /// Where edges would admit the pair: two that would come to share storage by it through demanded
    /// aliases, and cannot.
    pub barred: Option<(ResourceId, ResourceId)>,
}

/// What a plan orders of the edges that a pair needs to share storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planned {
    /// Not all of them.
    Open,
    /// All of them, so that the pair could share.
    Ordered,
    /// The opposite of one of them.
    Opposed,
}

impl Record {
    /// Sum of the slots of the graph in the arena, in bytes: what it would take to share nothing. What
    /// is made again is there because storage is shared, and not counted.
    pub fn logical(&self) -> u64 {
        let shares = |r: &&ResourceRecord| !r.class.persists() && r.class != Class::Staging;
        let again = |r: &&ResourceRecord| self.policy.makes_again(&r.name);
        let all = self.resources.iter().filter(shares);
        let bytes = all.filter(|r| !again(r)).map(|r| r.slot.bytes);
        bytes.fold(0, u64::saturating_add)
    }

    /// Whether it is proved that no layout of this plan is smaller, but for the padding and for what is
    /// reserved.
    pub fn is_optimal(&self) -> bool {
        self.tight() <= self.least_arena()
    }

    /// The arena without padding, and without what is reserved.
    fn tight(&self) -> u64 {
        self.arena
            .saturating_sub(self.padding.saturating_add(self.reserved))
    }

    /// No layout of this plan is smaller: so much is live while one task runs, or is shown to be live
    /// at once in one execution.
    fn least_arena(&self) -> u64 {
        self.bound.bytes.max(self.peak.greatest.bounds.at_least)
    }

    /// Why an in-place update was left, to follow a colon.
    fn why_left(&self, left: &Left) -> String {
        let (x, y) = (left.merge.operand, left.merge.result);
        let (p, q, why) = match left.why {
            Why::Chosen => return "a plan without it is better in what is minimised".to_owned(),
            Why::Separate(p, q) if [(x, y), (y, x)].contains(&(p, q)) => {
                return "`separate` keeps the two apart".to_owned();
            }
            Why::Separate(p, q) => (p, q, "which `separate` keeps apart"),
            Why::Together(p, q) => (p, q, "which may be live at once"),
        };
        let (p, q) = (self.name(p), self.name(q));
        format!("through demanded aliases it would join `{p}` and `{q}`, {why}")
    }

    /// Behind what is proved of sizes that no one load is known to have.
    fn of_sizes(&self) -> &'static str {
        match self.largest_at {
            Some(_) => "",
            None => " for these sizes",
        }
    }

    /// What orders tasks where the plan adds nothing.
    fn given(&self) -> &'static str {
        match self.orders.iter().any(|order| order.alone) {
            true => "dependencies and demanded orders alone",
            false => "dependencies alone",
        }
    }

    fn task(&self, task: TaskId) -> &str {
        &self.tasks[task.0 as usize]
    }

    fn name(&self, resource: ResourceId) -> &str {
        &self.resources[resource.0 as usize].name
    }
}
