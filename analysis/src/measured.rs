//! What was measured of a graph's launches, as a profile says it.

use crate::digest::Digest;

/// A profile that a graph names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The file, as it is named.
    pub file: String,
    /// What it says of this source; `None` where it is stale, which is of other sources alone.
    pub measured: Option<Measured>,
    /// The sources that it is of.
    pub sources: Vec<Digest>,
}

/// Measurements of one program of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The device that ran it.
    pub device: String,
    /// Dims that it was loaded with, each with its name: all that is measured is so at these.
    pub dims: Vec<(String, u64)>,
    /// Runs.
    pub runs: u64,
    /// The program that ran.
    pub program: Digest,
    /// What launches took, of each kernel at each of its dims.
    pub launches: Vec<LaunchTime>,
    /// Of each task of the model its position in `launches`, if it launches a kernel. What was measured
    /// may have made values again; it is held by what tasks do, so by the graph as it was written, and
    /// in one that makes others again by what that makes once more.
    pub of_task: Vec<Option<u32>>,
}

/// What the launches of one kernel at certain dims took, in nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchTime {
    /// The kernel.
    pub kernel: String,
    /// Its dims.
    pub dims: Vec<u64>,
    /// Launches that were seen.
    pub count: u64,
    /// An end of what is uncertain of the median, below.
    pub low: u64,
    /// The median.
    pub median: u64,
    /// The other end, above.
    pub high: u64,
}

impl Measured {
    /// The launches of `task`, if it is one.
    pub fn of(&self, task: usize) -> Option<&LaunchTime> {
        let launch = (*self.of_task.get(task)?)?;
        self.launches.get(launch as usize)
    }
}
