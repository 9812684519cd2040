//! What was decided of one load: what was planned, what its dims need, what was kept and why.

mod check;

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{DimValue, ExportError, ReportError};
use crate::graph::{Bytes, Guarded, Kept, Memory};

/// What [`Memory`] says, as data.
///
/// ```
/// # use gpu_graph_runtime::graph::Memory;
/// # use gpu_graph_runtime::report::{LoadReport, ReportError};
/// fn spared(memory: &Memory) -> Result<u64, ReportError> {
///     let json = memory.report().to_json();
///     let load = LoadReport::from_json(&json)?;
///     Ok(load.planned.arena_bytes - load.actual.arena_bytes)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct LoadReport {
    /// [`LoadReport::VERSION`] of the crate that made it.
    pub version: u32,
    /// Name of the graph.
    pub graph: String,
    /// What it was loaded with. All that follows is so at these.
    pub dims: Vec<DimValue>,
    /// Instances, as many as runs may be in flight.
    pub instances: u32,
    /// What the programs ask for, enough for the largest sizes.
    pub planned: LoadBytes,
    /// What they take at these dims with slots placed anew, whether or not these serve.
    pub needed: LoadBytes,
    /// What was taken.
    pub actual: LoadBytes,
    /// Bytes that were taken for all instances.
    pub total_bytes: u64,
    /// What was decided, and why.
    pub decision: Decision,
    /// How each program fared, in the order of [`Report::plans`](super::Report::plans).
    pub programs: Vec<LoadedProgram>,
}

/// Bytes of the three parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct LoadBytes {
    /// The arena of each instance.
    pub arena_bytes: u64,
    /// The store, one for all instances.
    pub store_bytes: u64,
    /// Pinned memory of each instance.
    pub staging_bytes: u64,
}

/// Where slots lie after a load, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Decision {
    /// Placed anew for these dims: that is smaller, and the verifier holds every program with them.
    PlacedAnew {},
    /// As planned: nothing would be smaller.
    NothingGained {},
    /// As planned: the verifier refused the slots that were placed anew.
    Refused {
        /// The first program that it refused, by its position among `programs`.
        program: u32,
        /// What it found.
        violation: String,
    },
}

/// One program: that of a graph, or of one combination of its variants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct LoadedProgram {
    /// Bytes of its arena as planned for the largest sizes.
    pub planned_arena_bytes: u64,
    /// Bytes of its arena with slots placed anew.
    pub needed_arena_bytes: u64,
    /// What was asked of these; nothing where they make no load smaller.
    #[serde(deserialize_with = "Option::deserialize")]
    pub guard: Option<LoadGuard>,
    /// It runs with the slots of its plan, verified at these dims, since a guard fired.
    pub fallback: bool,
}

/// The check of slots that were placed anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct LoadGuard {
    /// Its name.
    pub check: String,
    /// What it found, if it fired.
    #[serde(deserialize_with = "Option::deserialize")]
    pub fired: Option<String>,
}

impl LoadReport {
    /// Version of the form. It changes with every change of what a field means or which there are.
    pub const VERSION: u32 = 1;

    /// As JSON of `docs/load.schema.json`.
    pub fn to_json(&self) -> String {
        // Strings and numbers alone, into memory: nothing in it can fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// Where the text is not JSON, of another version, or not of the form of a load, and where it
    /// contradicts itself.
    pub fn from_json(json: &str) -> Result<Self, ReportError> {
        let load: Self = super::error::read(json, Self::VERSION)?;
        check::check(&load)?;
        Ok(load)
    }
}

impl Memory {
    /// The decision of this load as data.
    pub fn report(&self) -> LoadReport {
        let dims = self.of().dims().iter();
        let dims = dims.map(|&(name, value)| DimValue {
            name: name.to_owned(),
            value,
        });
        let refused = matches!(self.kept(), Some(Kept::Refused(_)));
        let programs = self.variants().iter();
        LoadReport {
            version: LoadReport::VERSION,
            graph: self.of().graph().to_owned(),
            dims: dims.collect(),
            instances: self.instances(),
            planned: LoadBytes::of(self.planned()),
            needed: LoadBytes::of(self.needed()),
            actual: LoadBytes::of(self.actual()),
            total_bytes: self.total(),
            decision: decision(self),
            programs: programs.map(|one| program(one, refused)).collect(),
        }
    }

    /// Writes `load.json` into `folder`, which is made if it is not there, and returns its path: the
    /// folder of [`Record::export`](crate::graph::Record::export), for one.
    ///
    /// # Errors
    /// Where the folder or the file cannot be written.
    pub fn export(&self, folder: impl AsRef<Path>) -> Result<PathBuf, ExportError> {
        let (folder, path) = (folder.as_ref(), folder.as_ref().join("load.json"));
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| ExportError { path, source }
        };
        fs::create_dir_all(folder).map_err(failed(folder))?;
        fs::write(&path, self.report().to_json()).map_err(failed(&path))?;
        Ok(path)
    }
}

impl LoadBytes {
    fn of(bytes: Bytes) -> Self {
        Self {
            arena_bytes: bytes.arena,
            store_bytes: bytes.store,
            staging_bytes: bytes.staging,
        }
    }

    fn bytes(self) -> Bytes {
        Bytes {
            arena: self.arena_bytes,
            store: self.store_bytes,
            staging: self.staging_bytes,
        }
    }
}

fn decision(memory: &Memory) -> Decision {
    let fired = |one: &Guarded| matches!(one.guard, Some(Err(_)));
    match memory.kept() {
        None => Decision::PlacedAnew {},
        Some(Kept::NothingGained) => Decision::NothingGained {},
        Some(Kept::Refused(violation)) => Decision::Refused {
            program: memory
                .variants()
                .iter()
                .take_while(|one| !fired(one))
                .count() as u32,
            violation: violation.to_string(),
        },
    }
}

fn program(one: &Guarded, refused: bool) -> LoadedProgram {
    LoadedProgram {
        planned_arena_bytes: one.planned,
        needed_arena_bytes: one.fitted,
        guard: one.guard.map(|found| LoadGuard {
            check: "verify".to_owned(),
            fired: found.err().map(|violation| violation.to_string()),
        }),
        fallback: refused,
    }
}
