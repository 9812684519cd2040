//! What the graph declares that it is for, what is claimed of its plan, and on which conditions.

use serde::{Deserialize, Serialize};

/// What the graph is planned for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Target {
    /// The time of one run.
    Latency,
    /// Runs in a span of time.
    Throughput,
}

/// How a run reaches the device. Results are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Issue {
    /// Op by op, to streams.
    #[default]
    Streams,
    /// As one launch of a graph, on a device that has such.
    Graph,
}

/// How far an output may be from its exact value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Tolerance {
    /// Name of the output.
    pub output: String,
    /// The bound, as it was written.
    pub bound: String,
}

/// What the graph declares that it is for. What is not declared is none, and stands for no default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Purpose {
    /// The workload.
    pub scope: Option<String>,
    /// The metric besides bytes.
    pub target: Option<Target>,
    /// How a run reaches the device; by streams where it is not declared.
    pub issue: Issue,
    /// What a plan is chosen by, as it was written.
    pub minimize: Option<String>,
    /// Correctness of outputs.
    pub tolerances: Vec<Tolerance>,
    /// Scalars that are held finite at every run.
    pub finite: Vec<String>,
}

/// When something is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stage {
    /// As the program is built.
    Build,
    /// As the graph is loaded.
    Load,
    /// At every run.
    Run,
}

/// A check, and what it refuses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Guard {
    /// When it is made.
    pub stage: Stage,
    /// What is checked.
    pub check: String,
    /// What comes of a refusal.
    pub refusal: String,
    /// The program, proved as well, that runs then; none where nothing does.
    pub fallback: Option<String>,
}

/// What a plan is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Disposition {
    /// Profiles of the baseline and of the plan support it beyond their uncertainty.
    #[serde(rename = "measured finding")]
    MeasuredFinding,
    /// It is proved under conditions that are checked, and no measurement is claimed.
    #[serde(rename = "guarded policy")]
    GuardedPolicy,
    /// It is not to be used.
    #[serde(rename = "rejected")]
    Rejected,
    /// What it is for rests on something that is not known.
    #[serde(rename = "need more evidence")]
    NeedMoreEvidence,
}

impl Disposition {
    /// Each of them.
    pub const ALL: [Self; 4] = [
        Disposition::MeasuredFinding,
        Disposition::GuardedPolicy,
        Disposition::Rejected,
        Disposition::NeedMoreEvidence,
    ];

    /// The words of the specification.
    pub const fn name(self) -> &'static str {
        match self {
            Disposition::MeasuredFinding => "measured finding",
            Disposition::GuardedPolicy => "guarded policy",
            Disposition::Rejected => "rejected",
            Disposition::NeedMoreEvidence => "need more evidence",
        }
    }
}

/// What a plan is, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Verdict {
    /// What it is.
    pub disposition: Disposition,
    /// Why it is that.
    pub because: String,
}

/// What is claimed, and on which conditions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Claims {
    /// What the plan is.
    pub verdict: Verdict,
    /// What is not claimed.
    pub limits: Vec<String>,
    /// Assumptions that others are to keep.
    pub delegated: Vec<String>,
    /// Checks, and what they refuse.
    pub guards: Vec<Guard>,
    /// What makes the report void.
    pub invalidation: Vec<String>,
    /// Measurements that would show it wrong.
    pub falsified_by: Vec<String>,
}
