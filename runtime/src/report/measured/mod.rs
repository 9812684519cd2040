//! What profiled runs were seen to do, as a file: written by one program, read by the build of the
//! next, by `profile "file";`, and held against what a record predicts.

mod check;
mod log;
mod spread;

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Digest, ReportError};

pub use log::{LogError, ProfileLog};
pub use spread::Spread;

/// Runs of one graph at one set of dims on one device.
///
/// ```
/// # use gpu_graph_runtime::graph::Profile;
/// # use gpu_graph_runtime::report::{LogError, Measured, ProfileLog};
/// fn keep(runs: &[Profile]) -> Result<Option<Measured>, LogError> {
///     let mut log = ProfileLog::new();
///     for run in runs {
///         log.add(run)?;
///     }
///     Ok(log.measured())
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Measured {
    /// [`Measured::VERSION`] of the crate that made it.
    pub version: u32,
    /// Name of the graph.
    pub graph: String,
    /// Name of the device.
    pub device: String,
    /// What the graph was loaded with. All that follows is so at these.
    pub dims: Vec<DimValue>,
    /// What was seen of each program, one for each combination of variants that ran.
    pub programs: Vec<MeasuredProgram>,
}

/// A dim and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DimValue {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: u64,
}

/// What was seen of one program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MeasuredProgram {
    /// The combination of variants that it is of.
    #[serde(deserialize_with = "Option::deserialize")]
    pub variant: Option<String>,
    /// What costs are of.
    pub source: Digest,
    /// What peaks and times of runs are of.
    pub program: Digest,
    /// Runs that were seen.
    pub runs: u64,
    /// What each time here may be off by, for how it was read, both ways; 0 where that was in nanoseconds.
    pub resolution_nanoseconds: u64,
    /// Bytes of the arena that the graph was loaded with: the most that any variant needs.
    pub arena_bytes: u64,
    /// Bytes that were live at once, at the cuts that the tasks' times make.
    pub live_bytes: Spread,
    /// From the begin of the first task to the end of the last.
    pub run_nanoseconds: Spread,
    /// From the end of one run to the end of the next, in the order in which they ended; none of one
    /// run.
    #[serde(deserialize_with = "Option::deserialize")]
    pub period_nanoseconds: Option<Spread>,
    /// What launches took, of each kernel at each of its dims.
    pub kernels: Vec<MeasuredKernel>,
    /// Every task, in statement order.
    pub tasks: Vec<MeasuredTask>,
}

/// Launches of one kernel at certain dims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MeasuredKernel {
    /// Its name.
    pub kernel: String,
    /// Its dims at these launches, in order.
    pub dims: Vec<u64>,
    /// Launches, in all runs.
    pub launches: u64,
    /// What one took.
    pub nanoseconds: Spread,
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MeasuredTask {
    /// Its name in the record.
    pub task: String,
    /// The task of the graph as it was written that it is, by its position there; where it makes a
    /// value again, the one that makes it first. Costs are held by this: another program of the same
    /// source may make other values again, or none.
    pub origin: u32,
    /// The kernel and its dims, by the position among `kernels`, if it launches one.
    #[serde(deserialize_with = "Option::deserialize")]
    pub launch: Option<u32>,
    /// What it took.
    pub nanoseconds: Spread,
}

/// A profile that could not be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeasuredError {
    /// The file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// What is in the file is no profile.
    #[error("{} is no profile: {source}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ReportError,
    },
}

impl Measured {
    /// Version of the form. It changes with every change of what a field means or which there are.
    pub const VERSION: u32 = 2;

    /// What was seen of `program`.
    pub fn program(&self, program: Digest) -> Option<&MeasuredProgram> {
        self.programs.iter().find(|of| of.program == program)
    }

    /// As JSON of `docs/profile.schema.json`.
    pub fn to_json(&self) -> String {
        // Strings and numbers alone, into memory: nothing in it can fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// Where the text is not JSON, of another version, or not of the form of a profile, and where it
    /// contradicts itself: what the build refuses of a file by itself, this refuses.
    pub fn from_json(json: &str) -> Result<Self, ReportError> {
        let measured: Self = super::error::read(json, Self::VERSION)?;
        check::check(&measured)?;
        Ok(measured)
    }

    /// Writes the JSON to a file.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), MeasuredError> {
        let path = path.as_ref();
        std::fs::write(path, self.to_json()).map_err(|source| MeasuredError::Write {
            path: path.to_owned(),
            source,
        })
    }

    /// Reads a file that [`write`](Self::write) wrote.
    ///
    /// # Errors
    /// Where it cannot be read, or is no profile.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, MeasuredError> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).map_err(|source| MeasuredError::Read {
            path: path.to_owned(),
            source,
        })?;
        Self::from_json(&text).map_err(|source| MeasuredError::Form {
            path: path.to_owned(),
            source,
        })
    }
}
