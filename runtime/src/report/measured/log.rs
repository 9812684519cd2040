//! Several profiled runs, put together.

use std::collections::BTreeMap;

use super::{DimValue, Measured, MeasuredKernel, MeasuredProgram, MeasuredTask, Spread};
use crate::graph::{Launch, Profile, Ran};
use crate::report::Digest;

/// Collects profiled runs of one loaded graph, or of several that were loaded on one device with the
/// same dims.
///
/// ```
/// use gpu_graph_runtime::report::ProfileLog;
/// assert!(ProfileLog::new().measured().is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct ProfileLog {
    /// Graph, device and dims, of the first run.
    of: Option<Of>,
    programs: BTreeMap<(Option<&'static str>, Digest), Seen>,
}

/// What all runs of a log have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Of {
    graph: &'static str,
    device: String,
    dims: Vec<(&'static str, u64)>,
}

/// What was seen of one program.
#[derive(Clone, Debug)]
struct Seen {
    source: Digest,
    arena: u64,
    /// The most of any run.
    resolution: u64,
    /// The least and the most that can have been live at once.
    live: [Vec<u64>; 2],
    spans: Vec<u64>,
    /// When runs ended, after one instant.
    ends: Vec<u64>,
    /// Each task with what it launches.
    tasks: Vec<Ran>,
    /// What each task took.
    took: Vec<Vec<u64>>,
}

/// A run that does not go with those before it. The log is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// Its graph was not made by `gpu_graph!`.
    #[error("nothing is known of the program of graph `{graph}`")]
    NotKnown {
        /// The graph.
        graph: &'static str,
    },
    /// It is of another graph, device or dims.
    #[error("the {what} is {found}, where the runs before it have {first}")]
    Differs {
        /// What differs.
        what: &'static str,
        /// That of the first run.
        first: String,
        /// That of this one.
        found: String,
    },
}

impl ProfileLog {
    /// Without any run.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a run.
    ///
    /// # Errors
    /// Where it is of another graph, device or other dims than the runs before it.
    pub fn add(&mut self, run: &Profile) -> Result<(), LogError> {
        let of = Of {
            graph: run.graph(),
            device: run.device().to_owned(),
            dims: run.dims().to_vec(),
        };
        let graph = of.graph;
        let known = run.known_by().map(|text| text.map(str::parse));
        let Some([Ok(source), Ok(program)]) = known else {
            return Err(LogError::NotKnown { graph });
        };
        if let Some(first) = &self.of {
            first.matches(&of)?;
        }
        self.of.get_or_insert(of);
        let key = (run.variant(), program);
        let seen = self.programs.entry(key).or_insert_with(|| Seen {
            source,
            arena: run.arena_bytes(),
            resolution: 0,
            live: [Vec::new(), Vec::new()],
            spans: Vec::new(),
            ends: Vec::new(),
            tasks: run.ran(),
            took: vec![Vec::new(); run.tasks().len()],
        });
        seen.resolution = seen.resolution.max(nanos(run.resolution()));
        let [least, most] = &mut seen.live;
        least.push(run.least_live_peak());
        most.push(run.live_peak());
        seen.spans.push(nanos(run.span()));
        seen.ends.push(run.ended());
        for (took, task) in seen.took.iter_mut().zip(run.tasks()) {
            took.push(nanos(task.end.saturating_sub(task.begin)));
        }
        Ok(())
    }

    /// What all of the runs say; none where there are none.
    pub fn measured(&self) -> Option<Measured> {
        let of = self.of.as_ref()?;
        let programs = self.programs.iter();
        let programs = programs.map(|((variant, program), seen)| seen.measured(*variant, *program));
        let dims = of.dims.iter().map(|(name, value)| DimValue {
            name: (*name).to_owned(),
            value: *value,
        });
        Some(Measured {
            version: Measured::VERSION,
            graph: of.graph.to_owned(),
            device: of.device.clone(),
            dims: dims.collect(),
            programs: programs.collect::<Option<_>>()?,
        })
    }
}

impl Of {
    fn matches(&self, other: &Self) -> Result<(), LogError> {
        let dims = |of: &Self| {
            let each = of
                .dims
                .iter()
                .map(|(name, value)| format!("{name} = {value}"));
            each.collect::<Vec<_>>().join(", ")
        };
        let differs = |what, first: &str, found: &str| match first == found {
            true => Ok(()),
            false => Err(LogError::Differs {
                what,
                first: first.to_owned(),
                found: found.to_owned(),
            }),
        };
        differs("graph", self.graph, other.graph)?;
        differs("device", &self.device, &other.device)?;
        differs("choice of dims", &dims(self), &dims(other))
    }
}

impl Seen {
    fn measured(&self, variant: Option<&str>, program: Digest) -> Option<MeasuredProgram> {
        // Launches of one kernel at the same dims are observations of one cost.
        let mut launches: BTreeMap<&Launch, Vec<u64>> = BTreeMap::new();
        for (task, took) in self.tasks.iter().zip(&self.took) {
            if let Some(launch) = &task.launch {
                launches.entry(launch).or_default().extend(took);
            }
        }
        let numbers: BTreeMap<&Launch, u32> = launches.keys().copied().zip(0..).collect();
        let tasks = self.tasks.iter().zip(&self.took);
        let tasks = tasks.map(|(task, took)| {
            Some(MeasuredTask {
                task: task.name.to_owned(),
                origin: task.origin,
                launch: task.launch.as_ref().map(|launch| numbers[launch]),
                nanoseconds: Spread::of(took.clone())?,
            })
        });
        let kernels = launches.into_iter().map(|((kernel, dims), took)| {
            Some(MeasuredKernel {
                kernel: (*kernel).to_owned(),
                dims: dims.clone(),
                launches: took.len() as u64,
                nanoseconds: Spread::of(took)?,
            })
        });
        let mut ends = self.ends.clone();
        ends.sort_unstable();
        let periods = ends.windows(2).map(|pair| pair[1] - pair[0]);
        Some(MeasuredProgram {
            variant: variant.map(str::to_owned),
            source: self.source,
            program,
            runs: self.spans.len() as u64,
            resolution_nanoseconds: self.resolution,
            arena_bytes: self.arena,
            live_bytes: {
                let [least, most] = &self.live;
                Spread::between(least.clone(), most.clone())?
            },
            run_nanoseconds: Spread::of(self.spans.clone())?,
            period_nanoseconds: Spread::of(periods.collect()),
            kernels: kernels.collect::<Option<_>>()?,
            tasks: tasks.collect::<Option<_>>()?,
        })
    }
}

fn nanos(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
