//! What a graph declares of its purpose: what it is planned for, and what its record says.

use std::fmt;

use crate::digest::Digest;
use crate::measured::{Measured, Profile};
use crate::policy::Minimize;

/// What the graph is planned for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The time of one run.
    Latency,
    /// Runs in a span of time.
    Throughput,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Target::Latency => "latency",
            Target::Throughput => "throughput",
        })
    }
}

/// How a run reaches the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Issue {
    /// Op by op, to streams.
    #[default]
    Streams,
    /// As one launch of a graph that was built at load.
    Graph,
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Issue::Streams => "streams",
            Issue::Graph => "graph",
        })
    }
}

/// The declared time of one launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// In nanoseconds.
    pub nanos: u64,
    /// As it was written, `12 us`.
    pub text: String,
}

impl Cost {
    /// The longest time of one launch, in nanoseconds: more than a day, and short enough that the
    /// sum over a hundred thousand launches is a number of 64 bits.
    pub const MOST: u64 = 100_000_000_000_000;
}

/// How far an output may be from its exact value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tolerance {
    /// Name of the output.
    pub output: String,
    /// The bound, as it was written.
    pub text: String,
}

/// All of it. What is not declared is unknown, and stands for no default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declared {
    /// What counts, where plans differ; without it nothing is traded.
    pub minimize: Option<Minimize>,
    /// The workload that it is for.
    pub scope: Option<String>,
    /// What it is planned for.
    pub target: Option<Target>,
    /// How a run reaches the device; by streams without it.
    pub issue: Option<Issue>,
    /// Of outputs.
    pub tolerances: Vec<Tolerance>,
    /// Scalars that are held finite at every run.
    pub finite: Vec<String>,
    /// Kernels that tasks launch, each with its cost where it has one.
    pub costs: Vec<(String, Option<Cost>)>,
    /// Measurements that it names, which stand before declared costs.
    pub profile: Option<Profile>,
    /// It names a profile that was refused: what that says of costs is not known, so nothing is said
    /// of costs that are missing.
    pub profile_refused: bool,
    /// What its source is known by, where that has more to it than the model says.
    pub source: Option<Digest>,
}

impl Declared {
    /// What was measured of this source.
    pub fn measured(&self) -> Option<&Measured> {
        self.profile.as_ref()?.measured.as_ref()
    }

    /// Kernels of which nobody says what a launch takes.
    pub fn without_cost(&self) -> impl Iterator<Item = &str> {
        let measured = |name: &str| {
            let seen = self.measured().map(|m| &m.launches);
            seen.is_some_and(|seen| seen.iter().any(|launch| launch.kernel == name))
        };
        let unknown = self.costs.iter().filter(|(_, cost)| cost.is_none());
        let unknown = unknown.map(|(name, _)| name.as_str());
        unknown.filter(move |name| !measured(name))
    }
}
