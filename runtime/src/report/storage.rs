//! Where everything lies, what shares storage and what does not, and why.

use serde::{Deserialize, Serialize};

use super::completion::Dependency;

/// Sizes of the ranges, and the bound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Storage {
    /// Bytes of one instance's arena.
    pub arena: u64,
    /// Bytes of what outlives runs, one copy.
    pub store: u64,
    /// Bytes of one instance's staging, in memory of the host.
    pub staging: u64,
    /// Instances: runs that may be in flight at once.
    pub instances: u32,
    /// Declared limit of all arenas together.
    pub budget: Option<u64>,
    /// What it would take to share nothing: the sum of the slots of the graph in the
    /// arena, but for values that are made again.
    pub unshared: u64,
    /// Bytes of the arena that only keep slots on different cache sets.
    pub padding: u64,
    /// Bytes of the arena in which other combinations of variants have isolation domains: no byte is
    /// used in two of them, whatever runs choose.
    pub reserved: u64,
    /// No arena is smaller, in this order and with these in-place updates.
    pub lower_bound: Bound,
    /// The bound, or an execution in which so much is live, proves that no layout is smaller, but for
    /// the padding and what is reserved.
    pub optimal: bool,
    /// How the layout was found.
    pub search: String,
    /// Which sizes all this is of, where dims are dynamic.
    pub sizes: Option<Sizes>,
    /// How capacity follows the dims, where they are dynamic.
    pub growth: Option<Growth>,
}

/// The sizes that figures of bytes are of: each resource at the largest that the dims admit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Sizes {
    /// Values of the dims, as these are listed, at which each resource has that size. Where none are known,
    /// no load takes more than the figures say, and every one may take less.
    pub at: Option<Vec<u64>>,
    /// The same in words.
    pub means: String,
}

/// The policy of growth that is in force; no other one is applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Growth {
    /// Its name, as `plan growth` has it.
    pub policy: String,
    /// What that means here.
    pub means: String,
}

/// A number of bytes below every layout of a plan, its order and its in-place updates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Bound {
    /// Bytes: the sum of the parts.
    pub bytes: u64,
    /// The bound of each isolation domain; domains share nothing.
    pub parts: Vec<DomainBound>,
}

/// What no layout of one isolation domain is below.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DomainBound {
    /// The domain; none is what is declared in none.
    pub domain: Option<String>,
    /// Bytes.
    pub bytes: u64,
    /// Bytes of what is listed. Where that is less, a search has shown the rest.
    pub listed: u64,
    /// When what is listed is live.
    pub when: When,
    /// Resources that cannot share: those of one entry lie in one slot, as one becomes the other.
    pub live: Vec<Vec<u32>>,
}

/// When what a bound lists is live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum When {
    /// All of it while a task runs, in every execution.
    Task {
        /// The task.
        task: u32,
    },
    /// All of it when the host reads the outputs, in every execution.
    Host,
    /// Any two of it in some execution, which need not be the same one for all.
    Pairs,
}

/// Two resources that share storage, an occupant and the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Alias {
    /// Which lives first.
    pub earlier: u32,
    /// Which lives next in that storage.
    pub later: u32,
    /// Why it is safe in every admitted execution.
    pub proof: Proof,
    /// The user demands it.
    pub demanded: bool,
}

/// Why two resources may share storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Proof {
    /// All of `last` complete before any of `first` starts, by dependencies, demanded orders among them,
    /// with nothing that the plan adds.
    Unconditional {
        /// The last tasks of the earlier.
        last: Vec<u32>,
        /// The first tasks of the later.
        first: Vec<u32>,
    },
    /// All of `last` complete before any of `first` starts, by dependencies and by orders that the
    /// plan has beside them.
    Conditional {
        /// The last tasks of the earlier.
        last: Vec<u32>,
        /// The first tasks of the later.
        first: Vec<u32>,
        /// What the dependencies lack.
        missing: Vec<Dependency>,
    },
    /// A task ends the one and begins the other.
    InPlace {
        /// The task.
        task: u32,
        /// Orders beside the dependencies that it needs.
        missing: Vec<Dependency>,
    },
}

/// An in-place update that is legal and was not made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Left {
    /// The task that could make it.
    pub task: u32,
    /// What it would end.
    pub operand: u32,
    /// What it would begin.
    pub result: u32,
    /// Why it was not made.
    pub reason: String,
}

/// Pairs of one size that do not share storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Unshared {
    /// Some of them, those that say the most first: what more order would admit, what is live at
    /// once, what is kept apart by demand; of each, the largest first.
    pub pairs: Vec<Apart>,
    /// How many there are in all. Of a very large graph not all are looked at, and those below are of
    /// the largest.
    pub total: u64,
    /// Live at once in every execution.
    pub live: u64,
    /// Could share if more were ordered.
    pub unordered: u64,
    /// Kept apart by demand.
    pub separate: u64,
    /// Could share, and the layout does without.
    pub layout: u64,
}

/// Two resources that do not share storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Apart {
    /// The first, in order of declaration.
    pub a: u32,
    /// The second.
    pub b: u32,
    /// Bytes of each.
    pub bytes: u64,
    /// What stands in the way.
    pub because: Because,
    /// The same in words.
    pub reason: String,
    /// Pairs of tasks whose order would admit it, where that is what is missing: the first ones.
    pub missing: Vec<Dependency>,
    /// How many such pairs there are.
    pub missing_total: u64,
}

/// What keeps two resources apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Because {
    /// Both are live at once in every execution.
    Live,
    /// No dependency orders some of their tasks, so that they may be live at once.
    Unordered,
    /// The user keeps them apart.
    Separate,
    /// They could share, and the layout does without.
    Layout,
}
