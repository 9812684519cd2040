//! What a plan costs.

use super::Metric;
use crate::model::{Model, TaskId, TaskKind};
use crate::order::Precedence;
use crate::order::bits::BitRows;
use crate::schedule::Schedule;

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

/// The longest chain of `costs` in the order as it is executed, what is unknown counted as nothing.
pub fn critical_path(order: &Precedence, schedule: &Schedule, costs: &[Option<u64>]) -> u64 {
    let mut done = vec![0u64; order.tasks()];
    let mut stream = [0u64; 256];
    for &t in order.sequence() {
        let before = order.before(TaskId(t)).iter();
        let ready = before.map(|&b| done[b as usize]).max().unwrap_or(0);
        let lane = &mut stream[usize::from(schedule.stream_of[t as usize])];
        let cost = costs[t as usize].unwrap_or(0);
        *lane = ready.max(*lane).saturating_add(cost);
        done[t as usize] = *lane;
    }
    done.into_iter().max().unwrap_or(0)
}

/// What comes before each task as it is executed: by dependencies, added edges and streams.
pub fn executed(order: &Precedence, schedule: &Schedule) -> BitRows {
    let mut before = BitRows::new(order.tasks(), order.tasks());
    let mut tail: [Option<u32>; 256] = [None; 256];
    for &t in order.sequence() {
        let last = tail[usize::from(schedule.stream_of[t as usize])].replace(t);
        for b in order.before(TaskId(t)).iter().copied().chain(last) {
            before.join(t as usize, b as usize);
            before.set(t as usize, b as usize);
        }
    }
    before
}

/// Whether all bits of `a` are bits of `b`.
pub(super) fn within(a: &BitRows, b: &BitRows) -> bool {
    a.words().iter().zip(b.words()).all(|(a, b)| a & !b == 0)
}
