//! What a run was seen to do: when each task began and ended, and what was live meanwhile.

#[cfg(feature = "report")]
mod kept;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

#[cfg(feature = "report")]
pub(crate) use kept::{Launch, Ran};

use super::memory::Loaded;
use super::record::{Record, updates};
use crate::driver::Timeline;
use crate::exec::Tables;
use crate::table::{Class, SLOT_ALIGN, TaskKind};

/// One run, as it was seen. [`Display`](fmt::Display) lists its tasks.
///
/// It is one observation: another run may order what no dependency orders otherwise, and take
/// another time. Times are those of this machine's clock around the host's functions; on a GPU those of
/// its own clock, read by events before and behind each task, which are off by [`resolution`] at most for
/// how they are read. What lies between the two is the task and what the GPU takes to come to it.
///
/// [`resolution`]: Self::resolution
///
/// ```
/// # use gpu_graph_runtime::graph::Profile;
/// fn slowest(profile: &Profile) -> Option<&str> {
///     let tasks = profile.tasks().iter();
///     tasks.max_by_key(|task| task.end - task.begin).map(|task| task.name)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    of: Loaded,
    tasks: Vec<TaskTime>,
    live_peak: u64,
    resolution: u64,
    #[cfg(feature = "report")]
    kept: kept::Kept,
}

/// When one task ran, from the begin of the first one on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskTime {
    /// Its name in the record.
    pub name: &'static str,
    /// What it launches; `None` for uploads, copies, fills and holds.
    pub kernel: Option<&'static str>,
    /// When it began.
    pub begin: Duration,
    /// When it ended.
    pub end: Duration,
}

/// What the launches of one kernel took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KernelTime {
    /// Launches in the run.
    pub launches: u32,
    /// All of them together.
    pub total: Duration,
    /// The shortest one.
    pub least: Duration,
    /// The longest one.
    pub most: Duration,
}

impl Profile {
    /// Every task, in statement order.
    pub fn tasks(&self) -> &[TaskTime] {
        &self.tasks
    }

    /// From the begin of the first task to the end of the last.
    pub fn span(&self) -> Duration {
        self.tasks.iter().map(|t| t.end).max().unwrap_or_default()
    }

    /// What the time between two of these begins and ends may be off by, for how they are read. Zero
    /// where that is in nanoseconds.
    pub fn resolution(&self) -> Duration {
        Duration::from_nanos(self.resolution)
    }

    /// Bytes that were live at once in this run, at most, each resource from the begin of its first
    /// task to the end of its last, and what the host reads to the end. It counts what an in-place
    /// update joins once, and nothing that outlives runs. It is what this run was seen to need: no
    /// bound for others, and neither what was reserved nor what was resident.
    pub fn live_peak(&self) -> u64 {
        self.live_peak
    }

    /// Each kernel that was launched, by name.
    pub fn kernels(&self) -> BTreeMap<&'static str, KernelTime> {
        let mut found = BTreeMap::new();
        for task in &self.tasks {
            let Some(kernel) = task.kernel else { continue };
            let took = task.end.saturating_sub(task.begin);
            let of = found.entry(kernel).or_insert(KernelTime {
                launches: 0,
                total: Duration::ZERO,
                least: took,
                most: took,
            });
            of.launches += 1;
            of.total += took;
            of.least = of.least.min(took);
            of.most = of.most.max(took);
        }
        found
    }

    pub(super) fn new(tables: &Tables, record: &Record, of: Loaded, seen: &Timeline) -> Self {
        let source = tables.image().source;
        let (seen, resolution) = (&seen.tasks[..], seen.resolution);
        let origin = seen.iter().map(|t| t.0).min().unwrap_or(0);
        let after = |nanos: u64| Duration::from_nanos(nanos.saturating_sub(origin));
        let names = record.task_names();
        let tasks = source.tasks.iter().zip(seen).enumerate();
        let tasks = tasks.map(|(t, (task, &(begin, end)))| TaskTime {
            name: names.get(t).copied().unwrap_or(""),
            kernel: match task.kind {
                TaskKind::Kernel(k) => source.kernels.get(k as usize).map(|k| k.name),
                _ => None,
            },
            begin: after(begin),
            end: after(end),
        });
        Self {
            of,
            tasks: tasks.collect(),
            live_peak: live_peak(tables, seen),
            resolution,
            #[cfg(feature = "report")]
            kept: kept::Kept::new(tables, record, seen),
        }
    }
}

/// See [`Profile::live_peak`].
fn live_peak(tables: &Tables, seen: &[(u64, u64)]) -> u64 {
    let source = tables.image().source;
    let end = seen.iter().map(|t| t.1).max().unwrap_or(0);
    let count = source.resources.len();
    let mut spans = vec![(u64::MAX, 0u64); count];
    let mut home: Vec<usize> = (0..count).collect();
    for (task, &(from, to)) in source.tasks.iter().zip(seen) {
        for access in source.accesses_of(task) {
            let span = &mut spans[access.resource as usize];
            *span = (span.0.min(from), span.1.max(to));
        }
    }
    for update in updates(source, tables.image().program) {
        let (a, b) = (root(&home, update.operand), root(&home, update.result));
        home[b] = a;
    }
    let mut bytes = vec![0u64; count];
    let mut joined = vec![(u64::MAX, 0u64); count];
    for (r, resource) in source.resources.iter().enumerate() {
        if resource.class.persists() || resource.class == Class::Staging || spans[r].0 == u64::MAX {
            continue;
        }
        let at = root(&home, r);
        let until = match resource.class {
            Class::Output => end,
            _ => spans[r].1,
        };
        let size = (tables.bytes(r as u32) as u64).next_multiple_of(SLOT_ALIGN);
        bytes[at] = bytes[at].max(size);
        joined[at] = (joined[at].0.min(spans[r].0), joined[at].1.max(until));
    }
    // What ends at an instant is over before what begins there.
    let mut cuts: Vec<(u64, bool, u64)> = Vec::new();
    for (&(from, to), &bytes) in joined.iter().zip(&bytes).filter(|(_, b)| **b > 0) {
        cuts.extend([(from, true, bytes), (to.max(from + 1), false, bytes)]);
    }
    cuts.sort_unstable();
    let (mut live, mut peak) = (0u64, 0u64);
    for (_, begins, bytes) in cuts {
        live = if begins { live + bytes } else { live - bytes };
        peak = peak.max(live);
    }
    peak
}

fn root(home: &[usize], resource: usize) -> usize {
    let mut at = resource;
    while home[at] != at {
        at = home[at];
    }
    at
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.of)?;
        let (span, peak) = (self.span(), self.live_peak);
        writeln!(
            f,
            "\n  one run, {span:.1?}; at most {peak} bytes were live at once"
        )?;
        if self.resolution > 0 {
            let off = self.resolution();
            writeln!(
                f,
                "  a time is off by {off:.1?} at most, for how it is read"
            )?;
        }
        for task in &self.tasks {
            let took = task.end.saturating_sub(task.begin);
            writeln!(f, "  {:>12.1?} + {took:<12.1?} {}", task.begin, task.name)?;
        }
        Ok(())
    }
}
