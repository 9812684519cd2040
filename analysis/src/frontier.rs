//! First and last frontier of each resource, and who comes wholly before whom.

use crate::model::{Model, Region, ResourceId, TaskId};
use crate::order::Precedence;
use crate::order::bits::BitRows;

/// Where a resource's live range begins and ends: from the start of the first frontier to the
/// completion of all of the last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    /// Minimal tasks that access it, in issue order. An input starts at its upload.
    pub first: Vec<TaskId>,
    /// Maximal tasks that access it, in issue order.
    pub last: Vec<TaskId>,
    /// It is live to the end of the run and beyond: the host reads it, or the next run.
    pub host: bool,
    /// It is live before the run, too.
    pub kept: bool,
    /// Where it can live.
    pub region: Region,
}

/// The frontiers of all resources.
#[derive(Clone, Debug)]
pub struct Frontiers {
    list: Vec<Frontier>,
    users: Vec<Vec<TaskId>>,
    /// Per resource, the tasks that all its accesses precede.
    beyond: BitRows,
    /// Where each resource is met first: the task as written, and the access of it.
    met: Vec<(u32, u32)>,
}

impl Frontiers {
    /// The frontiers under `order`.
    pub fn new(model: &Model, order: &Precedence) -> Self {
        let mut users: Vec<Vec<TaskId>> = vec![Vec::new(); model.resources.len()];
        for &task in order.sequence() {
            for access in &model.tasks[task as usize].accesses {
                let list = &mut users[access.resource.0 as usize];
                if list.last() != Some(&TaskId(task)) {
                    list.push(TaskId(task));
                }
            }
        }
        let mut met = vec![(u32::MAX, u32::MAX); model.resources.len()];
        for (t, task) in (0..).zip(&model.tasks) {
            for (a, access) in (0..).zip(&task.accesses) {
                let first = &mut met[access.resource.0 as usize];
                *first = (*first).min((t, a));
            }
        }
        let mut beyond = BitRows::new(model.resources.len(), order.tasks());
        let all = vec![u64::MAX; order.tasks().div_ceil(64)];
        let mut list = Vec::with_capacity(users.len());
        for (r, users) in users.iter().enumerate() {
            let first = extremes(users.iter(), order.tasks(), |t| order.descendants(t));
            let mut last = extremes(users.iter().rev(), order.tasks(), |t| order.ancestors(t));
            last.reverse();
            let kept = model.resources[r].class.persists();
            let host = kept || model.resources[r].class.is_handed_out();
            if !host {
                beyond.copy_words(r, &all);
                for &task in &last {
                    beyond.meet_words(r, order.descendants(task));
                }
            }
            list.push(Frontier {
                first,
                last,
                host,
                kept,
                region: model.resources[r].region(),
            });
        }
        Self {
            list,
            users,
            beyond,
            met,
        }
    }

    /// Where a resource is met first, which tells any two apart that are used: searches decide between
    /// equals by it, so that the order of declaration decides nothing.
    pub(crate) fn met(&self, resource: ResourceId) -> (u32, u32) {
        self.met[resource.0 as usize]
    }

    /// The frontiers of one resource.
    pub fn of(&self, resource: ResourceId) -> &Frontier {
        &self.list[resource.0 as usize]
    }

    /// The tasks that access a resource, in issue order.
    pub fn users(&self, resource: ResourceId) -> &[TaskId] {
        &self.users[resource.0 as usize]
    }

    /// The tasks that all accesses of a resource precede, as bits; all tasks if it has none.
    pub(crate) fn beyond(&self, resource: ResourceId) -> &[u64] {
        self.beyond.row(resource.0 as usize)
    }

    /// Whether every access of `a` is over before any of `b` starts, in every admitted execution.
    /// The host's read of an output is over before nothing, and what outlives runs is live always.
    pub fn wholly_before(&self, a: ResourceId, b: ResourceId) -> bool {
        let starts = &self.of(b).first;
        !self.of(a).host
            && !self.of(b).kept
            && starts
                .iter()
                .all(|f| self.beyond.get(a.0 as usize, f.0 as usize))
    }

    /// Whether some admitted execution can have both live at once.
    ///
    /// With neither wholly before the other there is a cut at which both have begun and neither is
    /// over: complete all that precedes one start of each, and no more.
    pub fn interfere(&self, a: ResourceId, b: ResourceId) -> bool {
        a == b || !self.wholly_before(a, b) && !self.wholly_before(b, a)
    }
}

/// The tasks that no earlier one of `tasks` reaches.
fn extremes<'a, 'o>(
    tasks: impl Iterator<Item = &'a TaskId>,
    count: usize,
    reach: impl Fn(TaskId) -> &'o [u64],
) -> Vec<TaskId> {
    let mut covered = BitRows::new(1, count);
    let mut found = Vec::new();
    for &task in tasks {
        if !covered.get(0, task.0 as usize) {
            covered.join_words(0, reach(task));
            found.push(task);
        }
    }
    found
}
