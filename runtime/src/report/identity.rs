//! What a plan is known by, what is predicted of it, and what its costs rest on.

use serde::{Deserialize, Serialize};

use super::{Digest, DimValue, Range};

/// What a plan and the graph as it stands are known by, and what is predicted of both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Identity {
    /// What was written, as far as the macro sees it: what measured costs are of.
    pub source: Digest,
    /// The program that adds nothing.
    pub baseline: Predicted,
    /// The program of the plan; the same where the plan adds nothing.
    pub plan: Predicted,
}

/// A program, and what is predicted of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Predicted {
    /// What it is known by: what measured peaks and times are of.
    pub program: Digest,
    /// Bytes of one instance's arena at the largest sizes.
    pub arena_bytes: u64,
    /// Nanoseconds of its longest chain of launches, with what is uncertain of measured costs; none
    /// where a cost is unknown.
    pub critical_path_nanoseconds: Option<Range>,
}

/// The profile that the graph names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CostProfile {
    /// The file, as it is named.
    pub file: String,
    /// What was taken from it; none where it is stale: of other sources alone, and not used.
    pub used: Option<CostsUsed>,
}

/// Costs from a profile. They are costs at the dims at which they were measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CostsUsed {
    /// Name of the device.
    pub device: String,
    /// What the graph was loaded with.
    pub dims: Vec<DimValue>,
    /// Runs.
    pub runs: u64,
    /// The program that ran, which need not be that of the plan.
    pub program: Digest,
    /// Launches of each kernel at each of its dims.
    pub kernels: Vec<LaunchCost>,
}

/// What a launch of a kernel takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct LaunchCost {
    /// The kernel.
    pub kernel: String,
    /// Its dims.
    pub dims: Vec<u64>,
    /// Launches that were seen.
    pub launches: u64,
    /// The median, which is taken for the cost.
    pub nanoseconds: u64,
    /// Where the median lies with 95 %, or between what extremes it was seen where there are too few
    /// launches to say so.
    pub range: Range,
}
