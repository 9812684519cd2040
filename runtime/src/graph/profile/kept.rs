//! What a run is known by, for those who put several together.

use super::Profile;
use crate::driver::Info;
use crate::exec::Tables;
use crate::graph::{Memory, Record};
use crate::table::TaskKind;

/// A kernel, and its dims.
pub(crate) type Launch = (&'static str, Vec<u64>);

/// A task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    /// Its name.
    pub(crate) name: &'static str,
    /// The task of the graph as it was written that it is, or does again, by its position there.
    pub(crate) origin: u32,
    /// The kernel that it launches, and its dims.
    pub(crate) launch: Option<Launch>,
}

/// What a run is of, beside its times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Kept {
    known_by: Option<[&'static str; 2]>,
    variant: Option<&'static str>,
    device: String,
    arena: u64,
    ended: u64,
    /// Of each task its kernel's dims, if it launches one.
    dims: Vec<Option<Vec<u64>>>,
    /// Of each task its [`Ran::origin`].
    origins: Vec<u32>,
}

impl Kept {
    pub(super) fn new(tables: &Tables, record: &Record, seen: &[(u64, u64)]) -> Self {
        let tasks = tables.image().source.tasks.iter();
        let dims = tasks.map(|task| {
            let dims = tables.dims_of(task).iter();
            matches!(task.kind, TaskKind::Kernel(_)).then(|| dims.map(|&d| d as u64).collect())
        });
        Self {
            known_by: record
                .known_by()
                .map(|[source, program, _]| [source, program]),
            ended: seen.iter().map(|t| t.1).max().unwrap_or(0),
            dims: dims.collect(),
            origins: tables.image().source.origins(),
            ..Self::default()
        }
    }
}

impl Profile {
    /// The same, with what it was seen on.
    pub(in crate::graph) fn seen_on(
        mut self,
        device: &Info,
        memory: &Memory,
        variant: Option<&'static str>,
    ) -> Self {
        self.kept.device = device.name.clone();
        self.kept.arena = memory.actual().arena;
        self.kept.variant = variant;
        self
    }

    /// Name of the graph.
    pub(crate) fn graph(&self) -> &'static str {
        self.of.graph()
    }

    /// What the graph was loaded with.
    pub(crate) fn dims(&self) -> &[(&'static str, u64)] {
        self.of.dims()
    }

    /// What source and program are known by.
    pub(crate) fn known_by(&self) -> Option<[&'static str; 2]> {
        self.kept.known_by
    }

    /// The combination of variants that ran.
    pub(crate) fn variant(&self) -> Option<&'static str> {
        self.kept.variant
    }

    /// Name of the device.
    pub(crate) fn device(&self) -> &str {
        &self.kept.device
    }

    /// Bytes of the arena that the graph was loaded with.
    pub(crate) fn arena_bytes(&self) -> u64 {
        self.kept.arena
    }

    /// When the run ended, in nanoseconds after one instant, the same for all runs.
    pub(crate) fn ended(&self) -> u64 {
        self.kept.ended
    }

    /// Each task, with what it launches.
    pub(crate) fn ran(&self) -> Vec<Ran> {
        let tasks = self.tasks.iter().zip(&self.kept.dims);
        let tasks = tasks.zip(&self.kept.origins);
        let tasks = tasks.map(|((task, dims), &origin)| Ran {
            name: task.name,
            origin,
            launch: task.kernel.zip(dims.clone()),
        });
        tasks.collect()
    }
}
