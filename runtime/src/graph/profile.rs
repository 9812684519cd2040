//! What a run was seen to do: when each task began and ended, and what was live meanwhile.

#[cfg(feature = "report")]
mod kept;
mod live;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

#[cfg(feature = "report")]
pub(crate) use kept::{Launch, Ran};

use super::memory::Loaded;
use super::record::Record;
use crate::driver::Timeline;
use crate::exec::Tables;
use crate::table::TaskKind;
use crate::time::time;

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
    /// The least and the most that it can have been.
    live_peak: [u64; 2],
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
    ///
    /// Where times are no nearer to each other than [`resolution`](Self::resolution) tells apart, and the
    /// program has neither task before the other, this counts what can have been live at once.
    pub fn live_peak(&self) -> u64 {
        self.live_peak[1]
    }

    /// As [`live_peak`](Self::live_peak), but counts what is sure to have been live at once.
    pub fn least_live_peak(&self) -> u64 {
        self.live_peak[0]
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

    pub(super) fn new(tables: &Tables, record: &Record, of: Loaded, all: &Timeline) -> Self {
        let source = tables.image().source;
        let (seen, resolution) = (&all.tasks[..], all.resolution);
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
            live_peak: live::peaks(tables, all),
            resolution,
            #[cfg(feature = "report")]
            kept: kept::Kept::new(tables, record, seen),
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.of)?;
        let told = |of: Duration| time(u64::try_from(of.as_nanos()).unwrap_or(u64::MAX));
        let (span, [least, peak]) = (told(self.span()), self.live_peak);
        write!(
            f,
            "\n  one run, {span}; at most {peak} bytes were live at once"
        )?;
        match least == peak {
            true => writeln!(f)?,
            false => writeln!(f, ", {least} for sure")?,
        }
        if self.resolution > 0 {
            let off = time(self.resolution);
            writeln!(f, "  a time is off by {off} at most, for how it is read")?;
        }
        for task in &self.tasks {
            let (begin, took) = (task.begin, task.end.saturating_sub(task.begin));
            let (begin, took) = (told(begin), told(took));
            writeln!(f, "  {begin:>12} + {took:<12} {}", task.name)?;
        }
        Ok(())
    }
}
