//! What a plan costs.

use super::Metric;
use crate::model::{Model, TaskId, TaskKind};
use crate::order::Precedence;

/// The figures of one candidate, of one instance at the dims' maxima.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Bytes of the arena.
    pub arena: u64,
    /// Bytes that are live while one task runs, in every execution: no layout is below that.
    pub bound: u64,
    /// Nanoseconds of the longest chain of launches, in dependencies, added edges and the order of
    /// streams. Copies, fills and uploads are not in it.
    pub critical_path: u64,
    /// Some kernel has no cost, so that the path is at least so long.
    pub at_least: bool,
    /// Launches, copies and fills.
    pub launches: usize,
    /// Edges that are added, beside those of streams.
    pub added: usize,
    /// Streams.
    pub streams: u8,
    /// Waits between streams.
    pub waits: usize,
}

impl Figures {
    /// The value of `metric`; of the critical path what is known of it.
    pub fn of(&self, metric: Metric) -> u64 {
        match metric {
            Metric::Peak => self.arena,
            Metric::CriticalPath => self.critical_path,
            Metric::Launches => self.launches as u64,
            Metric::AddedEdges => self.added as u64,
        }
    }
}

/// The cost of each task in nanoseconds: `None` where its kernel declares none, and nothing for what
/// launches no kernel.
pub fn costs(model: &Model) -> Vec<Option<u64>> {
    let cost = |name: &str| {
        let mut known = model.declared.costs.iter();
        let found = known.find(|(kernel, _)| kernel == name);
        found.and_then(|(_, cost)| Some(cost.as_ref()?.nanos))
    };
    let of = model.tasks.iter().map(|task| match &task.kind {
        TaskKind::Kernel(launch) => cost(&launch.name),
        _ => Some(0),
    });
    of.collect()
}

/// For each task the one before it on its stream.
pub fn followed(order: &Precedence, stream_of: &[u8]) -> Vec<Option<u32>> {
    let mut tails: [Option<u32>; 256] = [None; 256];
    let mut followed = vec![None; order.tasks()];
    for &t in order.sequence() {
        followed[t as usize] = tails[usize::from(stream_of[t as usize])].replace(t);
    }
    followed
}

/// The order in which a plan is executed: dependencies, added edges and streams.
pub struct Executed<'a> {
    order: &'a Precedence,
    followed: Vec<Option<u32>>,
}

impl<'a> Executed<'a> {
    pub(super) fn new(order: &'a Precedence, stream_of: &[u8]) -> Self {
        let followed = followed(order, stream_of);
        Self { order, followed }
    }

    /// The tasks, each behind all that it waits for.
    pub(super) fn tasks(&self) -> impl Iterator<Item = usize> + '_ {
        self.order.sequence().iter().map(|&t| t as usize)
    }

    /// What `task` waits for, but for what that waits for.
    pub(super) fn before(&self, task: usize) -> impl Iterator<Item = usize> + '_ {
        let before = self.order.before(TaskId(task as u32)).iter().copied();
        before.chain(self.followed[task]).map(|b| b as usize)
    }

    /// The longest chain of `costs`, what is unknown counted as nothing.
    pub fn critical_path(&self, costs: &[Option<u64>]) -> u64 {
        let mut done = vec![0u64; costs.len()];
        for t in self.tasks() {
            let ready = self.before(t).map(|b| done[b]).max().unwrap_or(0);
            done[t] = ready.saturating_add(costs[t].unwrap_or(0));
        }
        done.into_iter().max().unwrap_or(0)
    }
}
