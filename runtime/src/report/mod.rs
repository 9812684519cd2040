//! The decision record of a graph as data: JSON, and one page of HTML.
//!
//! [`Record::report`](crate::graph::Record::report) makes a [`Report`] from the tables of a graph
//! and from what the analysis left beside them; nothing is proved or planned here. It is owned and
//! plain: tasks and resources are numbers, indices into [`Plan::tasks`] and [`Plan::resources`], and
//! amounts are bytes or nanoseconds. `docs/record.schema.json` is the schema of the JSON.
//!
//! - [`Plan`]: what was decided of one combination of variants, which is all of most graphs;
//! - [`Resource`], [`Workspace`]: what was audited;
//! - [`Task`], [`Order`]: what runs, what completes when, what waits for what;
//! - [`Storage`], [`Alias`], [`Apart`]: where everything lies, what shares and what does not, and why;
//! - [`Candidate`]: the plans that were weighed, each with its [`Totals`] and its [`Deltas`] against the
//!   first, the graph as it stands;
//! - [`Allocator`]: what an allocator of physical memory is to know;
//! - [`Identity`], [`CostProfile`], [`Finding`]: what is predicted, what costs rest on, and what was
//!   [`Measured`];
//! - [`Claims`]: what is claimed, on which conditions, and what would falsify it;
//! - [`LoadReport`]: what one load decided at its dims, in a file of its own.
//!
//! ```
//! # use gpu_graph_runtime::graph::Record;
//! # use gpu_graph_runtime::report::{Report, ReportError};
//! fn keep(record: &Record) -> Result<(), ReportError> {
//!     let report = record.report();
//!     let json = report.to_json();
//!     assert_eq!(Report::from_json(&json)?, report);
//!     assert!(report.to_html().starts_with("<!DOCTYPE html>"));
//!     Ok(())
//! }
//! ```

mod allocator;
mod amount;
mod candidate;
mod check;
mod claims;
mod completion;
mod digest;
mod effect;
mod error;
mod export;
mod finding;
mod html;
mod identity;
mod inventory;
mod judge;
mod loaded;
mod measured;
mod peak;
mod storage;

use serde::{Deserialize, Serialize};

pub(crate) use amount::amount;

pub use allocator::{Allocator, Event, Happening, SizeClass};
pub use candidate::{
    Candidate, Deltas, Kind, NotAgain, Ordered, Policy, Range, Reconstruction, Search, Totals,
};
pub use claims::{Claims, Disposition, Guard, Issue, Purpose, Stage, Target, Tolerance, Verdict};
pub use completion::{
    Access, Added, AddedBy, Demand, Dependency, Mode, Order, Serial, Serialised, Task, TaskKind,
    TaskTime,
};
pub use digest::{Digest, NoDigest};
pub use effect::Effect;
pub use error::ReportError;
pub use export::{ExportError, ExportJudgedError};
pub use finding::{Change, Delta, Figure, Finding};
pub use identity::{CostProfile, CostsUsed, Identity, LaunchCost, Predicted};
pub use inventory::{
    Class, Content, Dim, Element, Excluded, Region, Resource, Sharing, Use, Workspace,
};
pub use judge::JudgeError;
pub use loaded::{Decision, LoadBytes, LoadGuard, LoadReport, LoadedProgram};
pub use measured::{
    DimValue, LogError, Measured, MeasuredError, MeasuredKernel, MeasuredProgram, MeasuredTask,
    ProfileLog, Spread,
};
pub use peak::{Peak, Peaks};
pub use storage::{
    Alias, Apart, Because, Bound, DomainBound, Growth, Left, Proof, Sizes, Storage, Unshared, When,
};

/// Version of the form. It changes with every change of what a field means or which there are.
pub const VERSION: u32 = 7;

/// The decision record of a graph as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Report {
    /// [`VERSION`] of the crate that made it.
    pub version: u32,
    /// Name of the graph.
    pub graph: String,
    /// Bytes of one instance's arena: the most that any combination of variants needs.
    pub arena_bytes: u64,
    /// Bytes of what outlives runs.
    pub store_bytes: u64,
    /// What was decided of each combination of the graph's variants; one without a name where it
    /// has none.
    pub plans: Vec<Plan>,
}

/// What was decided of one combination of a graph's variants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Plan {
    /// The combination, like `mode=prefill, cache=off`.
    pub variant: Option<String>,
    /// What the graph declares that it is for.
    pub purpose: Purpose,
    /// Dynamic extents with the bounds that everything is proved for.
    pub dims: Vec<Dim>,
    /// What was audited: every resource, in order of declaration.
    pub resources: Vec<Resource>,
    /// What no claim covers.
    pub excluded: Vec<Excluded>,
    /// Declared workspaces; their uses are among the resources.
    pub workspaces: Vec<Workspace>,
    /// Tasks in statement order.
    pub tasks: Vec<Task>,
    /// What comes before what, and why.
    pub order: Order,
    /// Sizes of the ranges, and the bound.
    pub storage: Storage,
    /// What is live at once in an arena, over all executions that the plan admits.
    pub peaks: Option<Peaks>,
    /// Each occupant of storage with the next.
    pub aliases: Vec<Alias>,
    /// In-place updates that are legal and were not made.
    pub left: Vec<Left>,
    /// Pairs that do not share storage, with the reason.
    pub unshared: Unshared,
    /// The plans that were weighed, taken or not. The first is the graph as it stands, the baseline of
    /// all differences.
    pub candidates: Vec<Candidate>,
    /// How far plans were looked for.
    pub search: Search,
    /// Values that are made again by demand, in every plan.
    pub demanded: Vec<Reconstruction>,
    /// Values that cannot be made again before some reader.
    pub not_again: Vec<NotAgain>,
    /// Each kind of policy, and what it gives in this plan.
    pub kinds: Vec<Kind>,
    /// What an allocator of physical memory is to know.
    pub allocator: Allocator,
    /// What it is known by, and what is predicted of it beside its baseline; none of a graph that
    /// `gpu_graph!` did not make.
    pub identity: Option<Identity>,
    /// The profile that costs are from, if one is named.
    pub costs: Option<CostProfile>,
    /// What was measured of it beside its baseline, once that is [judged](Report::judge).
    pub finding: Option<Finding>,
    /// What is claimed, and on which conditions.
    pub claims: Claims,
}

impl Plan {
    /// Some proof rests on an order that no dependency has.
    pub fn is_conditional(&self) -> bool {
        self.aliases.iter().any(|alias| match &alias.proof {
            Proof::Unconditional { .. } => false,
            Proof::Conditional { .. } => true,
            Proof::InPlace { missing, .. } => !missing.is_empty(),
        })
    }
}

impl Report {
    /// The report as JSON, in one line.
    pub fn to_json(&self) -> String {
        // Strings and numbers alone, into memory: nothing in it can fail.
        let mut text = serde_json::to_string(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    ///
    /// ```
    /// use gpu_graph_runtime::report::{Report, ReportError};
    /// let newer = r#"{ "version": 99, "graph": "G" }"#;
    /// assert!(matches!(Report::from_json(newer), Err(ReportError::Version { found: 99, .. })));
    /// let error = Report::from_json(r#"{ "version": 7, "graph": 7 }"#).unwrap_err();
    /// assert_eq!(error.to_string(), "`graph`: invalid type: integer `7`, expected a string at line 1 column 26");
    /// ```
    ///
    /// # Errors
    /// Where the text is not JSON, of another version, or not of the form of a report, and where it
    /// contradicts itself: where a number leads to no task, resource, step or stream, an order goes
    /// against the steps, storage lies in no range, one amount is said as two, or is beyond its bound.
    pub fn from_json(json: &str) -> Result<Self, ReportError> {
        let report: Self = error::read(json, VERSION)?;
        check::check(&report)?;
        Ok(report)
    }

    /// The report as one page of HTML that needs nothing else: no network, no other file.
    pub fn to_html(&self) -> String {
        html::page(self)
    }
}
