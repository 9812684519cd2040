//! What a plan costs.

use super::{Metric, Realised, Traffic};
use crate::measured::LaunchTime;
use crate::model::{Model, TaskId, TaskKind};
use crate::order::Precedence;

/// The figures of one candidate, of one instance at the largest sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Bytes of the arena.
    pub arena: u64,
    /// No layout of it is below that.
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
    /// Events that are recorded.
    pub events: u32,
    /// Nanoseconds of all launches, of those kernels that have a cost.
    pub compute: u64,
    /// Bytes that tasks read and write.
    pub traffic: Traffic,
    /// The most that is live at once where tasks run one at a time as they are issued.
    pub in_turn: u64,
    /// So much is live at some moment of every execution.
    pub held: u64,
    /// In no execution is more live at once.
    pub most: u64,
    /// The most that workspaces take at once, where that was worked out.
    pub rooms: Option<u64>,
    /// Live ranges that begin in a run, each in storage that was another's or nobody's; a resource and
    /// what it becomes in place are one.
    pub begins: usize,
    /// Live ranges of these that end within the run.
    pub ends: usize,
}

impl Figures {
    /// Bytes of the arena that are held and, as tasks are issued, at no moment live.
    pub fn slack(&self) -> u64 {
        self.arena.saturating_sub(self.in_turn)
    }

    /// What the least peak of its executions lies between, and what the greatest does.
    pub fn peaks(&self) -> [[u64; 2]; 2] {
        [[self.held, self.in_turn], [self.in_turn, self.most]]
    }

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

/// The cost of each task in nanoseconds: what was measured of it, else what its kernel declares;
/// `None` where that is nothing either, and nothing for what launches no kernel.
pub fn costs(model: &Model) -> Vec<Option<u64>> {
    each(model, |launch| launch.median)
}

/// The same with what is uncertain of measurements: at least, and at most.
fn ends(model: &Model) -> [Vec<Option<u64>>; 2] {
    [
        each(model, |launch| launch.low),
        each(model, |launch| launch.high),
    ]
}

fn each(model: &Model, of: impl Fn(&LaunchTime) -> u64) -> Vec<Option<u64>> {
    let declared = &model.declared;
    let measured = declared.measured();
    let cost = |name: &str| {
        let mut known = declared.costs.iter();
        let found = known.find(|(kernel, _)| kernel == name);
        found.and_then(|(_, cost)| Some(cost.as_ref()?.nanos))
    };
    let tasks = model.tasks.iter().enumerate();
    let tasks = tasks.map(|(t, task)| match &task.kind {
        TaskKind::Kernel(launch) => match measured.and_then(|m| m.of(t)) {
            Some(seen) => Some(of(seen)),
            None => cost(&launch.name),
        },
        _ => Some(0),
    });
    tasks.collect()
}

/// What is predicted of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicted {
    /// Bytes of one instance's arena at the largest sizes.
    pub arena: u64,
    /// Nanoseconds of its critical path, from the least to the most that measured costs leave open;
    /// `None` where a cost is unknown.
    pub path: Option<[u64; 2]>,
}

impl Predicted {
    /// What is predicted of `plan`.
    pub fn new(model: &Model, plan: &Realised) -> Self {
        let executed = Executed::new(&plan.order, &plan.schedule.stream_of);
        let known = !plan.figures.at_least;
        Self {
            arena: plan.figures.arena,
            path: known.then(|| ends(model).map(|costs| executed.critical_path(&costs))),
        }
    }
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
