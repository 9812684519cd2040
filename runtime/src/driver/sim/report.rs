//! What the simulated driver has to say.

use std::fmt;

/// What touched memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// A task.
    Task {
        /// Name of its graph.
        graph: &'static str,
        /// Index in the graph's source.
        task: u32,
        /// Run of its instance, or 0 for a launch on a stream.
        run: u64,
    },
    /// Work that its caller describes.
    Call {
        /// Name of what was called.
        name: &'static str,
        /// Which call, as the caller counts them.
        number: u64,
    },
    /// A copy.
    Copy,
    /// A fill.
    Fill,
    /// An allocation from the pool.
    Allocate,
    /// Storage going back to the pool.
    Free,
    /// Mapping of memory.
    Map,
    /// Unmapping of memory, or a pool's return of it to the system.
    Unmap,
    /// The host.
    Host,
    /// A wait for an event.
    Wait,
}

/// What touched memory, and where in the order of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// Index of the device.
    pub device: usize,
    /// 0 is the host, others are streams in order of creation.
    pub lane: usize,
    /// Which step of that lane.
    pub step: u64,
    /// What it was.
    pub what: What,
}

/// An ordering fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Report {
    /// Two accesses of the same bytes, one of them a write, that nothing orders. Allocation, free,
    /// map and unmap are writes.
    Race {
        /// The one that happened to come first.
        first: Site,
        /// The other.
        second: Site,
        /// Where.
        address: usize,
    },
    /// A read of bytes that nobody has written since they were made.
    Unwritten {
        /// The read.
        site: Site,
        /// Where.
        address: usize,
    },
    /// A read in which another resource, or another run, has written last.
    Stale {
        /// The read.
        site: Site,
        /// Index of the resource that it expects.
        resource: u32,
        /// Index of the resource that is there, in its own graph.
        found: u32,
        /// Where.
        address: usize,
    },
    /// A use of memory that is not mapped or allocated, or not for that use.
    Released {
        /// The use.
        site: Site,
        /// What made it so, if anything did.
        since: Option<Site>,
        /// Where.
        address: usize,
    },
    /// A wait for an event that can never complete.
    Stuck {
        /// The wait.
        site: Site,
    },
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.what {
            What::Task {
                graph,
                task,
                run: 0,
            } => write!(f, "task {task} of `{graph}`")?,
            What::Task { graph, task, run } => write!(f, "task {task} of `{graph}`, run {run},")?,
            What::Call { name, number } => write!(f, "`{name}`, call {number},")?,
            What::Copy => f.write_str("a copy")?,
            What::Fill => f.write_str("a fill")?,
            What::Allocate => f.write_str("an allocation")?,
            What::Free => f.write_str("a free")?,
            What::Map => f.write_str("a map")?,
            What::Unmap => f.write_str("an unmap")?,
            What::Host => f.write_str("an access")?,
            What::Wait => f.write_str("a wait")?,
        }
        match self.lane {
            0 => f.write_str(" by the host"),
            lane => write!(f, " on stream {lane} of device {}", self.device),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Report::Race { first, second, .. } => {
                write!(f, "{second} is not ordered after {first}")
            }
            Report::Unwritten { site, .. } => write!(f, "{site} reads what nobody has written"),
            Report::Stale {
                site,
                resource,
                found,
                ..
            } => write!(
                f,
                "{site} reads resource {resource} and finds resource {found}, or another run's"
            ),
            Report::Released { site, since, .. } => {
                write!(f, "{site} uses memory that is not there for it")?;
                since.map_or(Ok(()), |since| write!(f, " since {since}"))
            }
            Report::Stuck { site } => write!(f, "{site} can never end"),
        }
    }
}
