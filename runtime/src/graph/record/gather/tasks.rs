//! Tasks, their completion, and their order.

use std::collections::BTreeMap;

use super::{Known, Op};
use crate::report::{
    Access, Added, AddedBy, Demand, Dependency, Mode, Order, Task, TaskKind, TaskTime,
};
use crate::table::{self, Rows};

impl Known<'_> {
    pub(super) fn tasks(&self) -> Vec<Task> {
        let mut awaits = self.awaits();
        let tasks = self.source.tasks.iter().enumerate();
        let task = |(t, task): (usize, &table::Task)| {
            let (kind, kernel) = self.kind(task.kind);
            let kind = self.noted.kinds.get(&(t as u32)).copied().unwrap_or(kind);
            let cost = kernel.as_deref().and_then(|k| self.noted.costs.get(k));
            let declared = cost.map(|&nanoseconds| TaskTime {
                nanoseconds,
                measured: false,
            });
            let measured = self.noted.profile.time(t).map(|nanoseconds| TaskTime {
                nanoseconds,
                measured: true,
            });
            let time = measured.or(declared);
            Task {
                name: self.name(t).to_owned(),
                kind,
                kernel,
                step: self.steps[t],
                stream: self.streams[t],
                awaits: awaits.remove(&t).unwrap_or_default(),
                accesses: self.source.accesses_of(task).iter().map(access).collect(),
                since: match task.kind {
                    table::TaskKind::Hold { since } => Some(since),
                    _ => None,
                },
                time,
            }
        };
        tasks.map(task).collect()
    }

    pub(super) fn name(&self, task: usize) -> &'static str {
        self.facts.names.get(task).copied().unwrap_or("")
    }

    fn kind(&self, kind: table::TaskKind) -> (TaskKind, Option<String>) {
        match kind {
            table::TaskKind::Upload => (TaskKind::Upload, None),
            table::TaskKind::Fill => (TaskKind::Fill, None),
            table::TaskKind::Copy => (TaskKind::Copy, None),
            table::TaskKind::Hold { .. } => (TaskKind::Hold, None),
            table::TaskKind::Kernel(k) => {
                let kernel = &self.source.kernels[k as usize];
                let kind = match kernel.callback {
                    true => TaskKind::Callback,
                    false => TaskKind::Kernel,
                };
                (kind, Some(kernel.name.to_owned()))
            }
        }
    }

    /// For each task that its stream waits before, the tasks that it waits for.
    fn awaits(&self) -> BTreeMap<usize, Vec<u32>> {
        let (mut last, mut recorded) = (BTreeMap::new(), BTreeMap::new());
        let (mut pending, mut found) = (BTreeMap::<u8, Vec<u32>>::new(), BTreeMap::new());
        for op in self.program.issue {
            match *op {
                Op::Record { event, stream } => {
                    if let Some(task) = last.get(&stream) {
                        recorded.insert(event, *task);
                    }
                }
                Op::Wait { stream, event } => {
                    let of = pending.entry(stream).or_default();
                    of.extend(recorded.get(&event));
                }
                Op::Launch { task, stream, .. } => {
                    last.insert(stream, task);
                    if let Some(of) = pending.remove(&stream) {
                        found.insert(task as usize, of);
                    }
                }
                _ => {}
            }
        }
        found
    }

    pub(super) fn order(&self) -> Order {
        let mut dependencies = Vec::new();
        for after in 0..self.source.tasks.len() {
            let before = self.facts.before(after);
            dependencies.extend(before.map(|before| dependency(before, after)));
        }
        let issued = self.issued();
        let (mut last, mut added) = (BTreeMap::new(), Vec::new());
        for &task in &issued {
            let task = task as usize;
            if let Some(before) = last.insert(self.streams[task], task)
                && !self.precedes(before, task)
            {
                added.push(Added {
                    before: before as u32,
                    after: task as u32,
                    by: AddedBy::Stream,
                });
            }
        }
        added.extend(self.noted.added.iter().map(|d| Added {
            before: d.before,
            after: d.after,
            by: AddedBy::Policy,
        }));
        let demands = self.noted.orders.iter();
        Order {
            dependencies,
            demands: demands
                .map(|&(before, after, alone)| Demand {
                    before,
                    after,
                    alone,
                })
                .collect(),
            added,
            serialised: self.noted.serialised.clone(),
            issue: issued,
            streams: u32::from(self.program.streams),
            events: self.program.events,
            waits: self.record.waits() as u32,
            saved: self.noted.saved,
        }
    }

    pub(super) fn issued(&self) -> Vec<u32> {
        let launches = self.program.issue.iter().filter_map(|op| match op {
            Op::Launch { task, .. } => Some(*task),
            _ => None,
        });
        launches.collect()
    }

    /// Whether dependencies lead from `a` to `b`, or what the policy adds.
    fn precedes(&self, a: usize, b: usize) -> bool {
        let (mut seen, mut open) = (vec![false; self.steps.len()], vec![b]);
        while let Some(t) = open.pop() {
            let ordered = self.noted.added.iter().filter(|d| d.after as usize == t);
            let ordered = ordered.map(|d| d.before as usize);
            for before in self.facts.before(t).chain(ordered) {
                if before == a {
                    return true;
                }
                // Nothing that is issued before `a` comes after it.
                if self.steps[before] > self.steps[a] && !seen[before] {
                    seen[before] = true;
                    open.push(before);
                }
            }
        }
        false
    }
}

fn dependency(before: usize, after: usize) -> Dependency {
    Dependency {
        before: before as u32,
        after: after as u32,
    }
}

fn access(access: &table::Access) -> Access {
    Access {
        resource: access.resource,
        mode: match access.mode {
            table::Mode::Read => Mode::Read,
            table::Mode::ReadWrite => Mode::Update,
            table::Mode::Overwrite => Mode::Write,
        },
        part: matches!(access.rows, Rows::Span(..)),
    }
}
