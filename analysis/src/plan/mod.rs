//! The plan: storage, schedule and events, ready to become a program.

mod make;
mod turns;

pub(crate) use make::demand_faults;
pub use turns::plan;
pub(crate) use turns::plans;

use std::collections::BTreeMap;

use crate::declared::{Declared, Issue};
use crate::digest::{Digest, Digester};
use crate::layout::Slot;
use crate::model::{Model, TaskId};
use crate::policy::Realised;

/// One step of a run; the runtime's ops, one to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "documented once, at the runtime's `Op`")]
pub enum Op {
    Gate {
        event: u32,
    },
    Acquire {
        resource: u32,
    },
    Release {
        resource: u32,
    },
    Launch {
        task: u32,
        stream: u8,
        in_place: bool,
    },
    Record {
        event: u32,
        stream: u8,
    },
    Wait {
        stream: u8,
        event: u32,
    },
}

/// What the host does to read an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "documented once, at the runtime's `HostOp`")]
pub enum HostOp {
    Wait { event: u32 },
    Read { resource: u32 },
}

/// A graph in which values are made again.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// The graph.
    pub model: Model,
    /// Of each task the one of the graph as it was written that does the same.
    pub origin: Vec<TaskId>,
}

impl Graph {
    /// The tasks that make a value again, each with the one that makes it first, in the order of the
    /// former.
    pub fn again(&self) -> Vec<(TaskId, TaskId)> {
        let mut first = BTreeMap::new();
        let tasks = self.origin.iter().zip(0..).filter_map(|(&origin, t)| {
            // A value is made before it is made again.
            let of = *first.entry(origin).or_insert(TaskId(t));
            (of != TaskId(t)).then_some((TaskId(t), of))
        });
        tasks.collect()
    }
}

/// Storage, schedule and events of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The graph that is planned, where values are made again in it; else it is as it was written.
    pub graph: Option<Box<Graph>>,
    /// A slot for each resource.
    pub slots: Vec<Slot>,
    /// Bytes of one instance's arena.
    pub arena: u64,
    /// Bytes of the store, which holds what outlives runs, one copy for all instances. Its slots
    /// have offsets from `arena` on.
    pub store: u64,
    /// Bytes of one instance's staging. Its slots have offsets from `arena + store` on.
    pub pinned: u64,
    /// No layout of this graph is smaller than this.
    pub lower_bound: u64,
    /// Instances.
    pub ring: u32,
    /// Streams of one instance.
    pub streams: u8,
    /// Events of one instance.
    pub events: u32,
    /// Issued by `run`, in this order.
    pub issue: Vec<Op>,
    /// Done by the host for each output.
    pub collect: Vec<HostOp>,
}

impl Plan {
    /// What runs where a graph is realised so.
    pub(crate) fn new(model: &Model, realised: &Realised) -> Self {
        let (layout, schedule) = (&realised.layout, &realised.schedule);
        Self {
            graph: None,
            slots: layout.slots.clone(),
            arena: layout.arena,
            store: layout.store,
            pinned: layout.pinned,
            lower_bound: layout.bound.bytes,
            ring: model.depth.max(1),
            streams: schedule.streams,
            events: schedule.events,
            issue: schedule.issue.clone(),
            collect: schedule.collect.clone(),
        }
    }

    /// What the program is known by: where everything lies, and what is issued and how, of the source
    /// that is declared. The lower bound is none of it.
    pub fn digest(&self, declared: &Declared) -> Digest {
        let mut digester = Digester::default();
        if let Some(source) = declared.source {
            digester.text(&source.to_string());
        }
        digester.number(match declared.issue.unwrap_or_default() {
            Issue::Streams => 0,
            Issue::Graph => 1,
        });
        let counts = [self.ring, self.streams.into(), self.events].map(u64::from);
        let sizes = [self.arena, self.store, self.pinned];
        for number in counts.into_iter().chain(sizes) {
            digester.number(number);
        }
        digester.number(self.slots.len() as u64);
        for slot in &self.slots {
            digester.number(slot.offset);
            digester.number(slot.bytes);
        }
        digester.number(self.issue.len() as u64);
        for op in &self.issue {
            let (kind, stream, index) = match *op {
                Op::Gate { event } => (0, 0, event),
                Op::Acquire { resource } => (1, 0, resource),
                Op::Release { resource } => (2, 0, resource),
                Op::Launch {
                    task,
                    stream,
                    in_place,
                } => (3 + u64::from(in_place), stream, task),
                Op::Record { event, stream } => (5, stream, event),
                Op::Wait { stream, event } => (6, stream, event),
            };
            digester.number(kind << 56 | u64::from(stream) << 48 | u64::from(index));
        }
        for op in &self.collect {
            digester.number(match *op {
                HostOp::Wait { event } => u64::from(event) << 1,
                HostOp::Read { resource } => u64::from(resource) << 1 | 1,
            });
        }
        digester.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan {
            graph: None,
            slots: vec![Slot {
                offset: 256,
                bytes: 512,
            }],
            arena: 768,
            store: 1,
            pinned: 2,
            lower_bound: 3,
            ring: 4,
            streams: 5,
            events: 6,
            issue: vec![
                Op::Gate { event: 0 },
                Op::Launch {
                    task: 1,
                    stream: 2,
                    in_place: true,
                },
                Op::Wait {
                    stream: 3,
                    event: 4,
                },
            ],
            collect: vec![HostOp::Wait { event: 5 }, HostOp::Read { resource: 6 }],
        }
    }

    /// Profiles are known by it, wherever they were written.
    #[test]
    fn a_program_is_known_by_the_same_hash_on_every_machine() {
        let digest = plan().digest(&Declared::default());
        assert_eq!(digest.to_string(), "a53976b5148d5656");
    }

    #[test]
    fn a_program_is_known_by_all_that_runs_and_by_its_source() {
        let of = |change: &dyn Fn(&mut Plan)| {
            let mut plan = plan();
            change(&mut plan);
            plan.digest(&Declared::default())
        };
        let same = of(&|_| {});
        assert_eq!(of(&|p| p.lower_bound = 9), same);
        let changes: [&dyn Fn(&mut Plan); 12] = [
            &|p| p.slots[0].offset = 0,
            &|p| p.slots[0].bytes = 256,
            &|p| p.slots.clear(),
            &|p| p.arena = 1024,
            &|p| p.store = 0,
            &|p| p.pinned = 0,
            &|p| p.ring = 1,
            &|p| p.streams = 1,
            &|p| p.events = 7,
            &|p| p.issue.swap(0, 2),
            &|p| {
                p.issue[1] = Op::Launch {
                    task: 1,
                    stream: 2,
                    in_place: false,
                }
            },
            &|p| p.collect.truncate(1),
        ];
        for (i, change) in changes.into_iter().enumerate() {
            assert_ne!(of(change), same, "change {i}");
        }
        let declared = Declared {
            issue: Some(Issue::Graph),
            ..Declared::default()
        };
        assert_ne!(plan().digest(&declared), same);
        let declared = Declared {
            source: Some(same),
            ..Declared::default()
        };
        assert_ne!(plan().digest(&declared), same);
    }
}
