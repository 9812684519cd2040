//! Streams, events and waits within the dependencies.
//!
//! Issue order is statement order (made topological for `order` demands and for edges that the policy
//! adds). A stream runs its tasks in that order: that adds policy edges, which are listed, and justify
//! an alias only where the graph declares what to minimise. A wait is placed only where the stream's
//! clock does not already cover a dependency.

mod clocks;
mod streams;

use clocks::Clocks;

use crate::alias::Merge;
use crate::model::{Mode, Model, ResourceId, TaskId};
use crate::order::Precedence;
use crate::plan::{HostOp, Op};

/// Streams, events and waits of one instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Stream of each task.
    pub stream_of: Vec<u8>,
    /// Streams in use, at least 1.
    pub streams: u8,
    /// Events in use.
    pub events: u32,
    /// What `run` issues: gates; what outlives runs is acquired; for each task its waits, its launch
    /// and its event; what outlives runs is released.
    pub issue: Vec<Op>,
    /// For each output in order of declaration, what the host waits for, then the read.
    pub collect: Vec<HostOp>,
    /// `(a, b)`: b follows a on a stream, and nothing else orders the two.
    pub stream_order: Vec<(TaskId, TaskId)>,
    /// For each task, those on other streams that its stream waits for right before it.
    pub awaited: Vec<Vec<TaskId>>,
    /// Waits between streams.
    pub waits: usize,
    /// Dependencies between tasks on different streams that needed no wait of their own.
    pub saved: usize,
}

/// A stream for each task, at most `limit` of them; a task counts as long as its cost where `costs`
/// has one for all launches, and as one unit otherwise.
pub fn assign(model: &Model, order: &Precedence, costs: &[Option<u64>], limit: u32) -> Vec<u8> {
    streams::assign(model, order, costs, limit.clamp(1, 16) as usize)
}

/// Schedules `model` on the streams `stream_of`, each of which runs its tasks in the sequence of
/// `order`; `merges` are the in-place launches. What streams add is said against `stated`, the
/// dependencies of the graph and the edges that are added by name.
pub fn schedule(
    model: &Model,
    stated: &Precedence,
    order: &Precedence,
    merges: &[Merge],
    stream_of: Vec<u8>,
) -> Schedule {
    let mut clocks = Clocks::new(order.tasks());
    let mut waits: Vec<Vec<TaskId>> = vec![Vec::new(); order.tasks()];
    let mut recorded = vec![false; order.tasks()];
    let mut tails: Vec<Option<TaskId>> = Vec::new();
    let mut stream_order = Vec::new();
    let (mut placed, mut across) = (0, 0);
    for &t in order.sequence() {
        let (task, stream) = (TaskId(t), usize::from(stream_of[t as usize]));
        let needed = clocks.launch(task, order.before(task), stream);
        placed += needed.len();
        let elsewhere = |b: &&u32| usize::from(stream_of[**b as usize]) != stream;
        across += order.direct(task).iter().filter(elsewhere).count();
        for w in &needed {
            recorded[w.0 as usize] = true;
        }
        waits[t as usize] = needed;
        if tails.len() <= stream {
            tails.resize(stream + 1, None);
        }
        if let Some(last) = tails[stream].replace(task)
            && !stated.precedes(last, task)
        {
            stream_order.push((last, task));
        }
    }
    let outputs: Vec<(ResourceId, Vec<TaskId>)> = writers(model)
        .into_iter()
        .map(|(output, tasks)| (output, clocks.missing_to_host(&tasks)))
        .collect();
    let ends: Vec<TaskId> = tails.iter().copied().flatten().collect();
    for task in ends.iter().chain(outputs.iter().flat_map(|o| &o.1)) {
        recorded[task.0 as usize] = true;
    }
    let mut event_of = vec![0; order.tasks()];
    let mut events = 0;
    for &t in order.sequence() {
        if recorded[t as usize] {
            event_of[t as usize] = events;
            events += 1;
        }
    }
    let event = |task: &TaskId| event_of[task.0 as usize];
    let mut in_place = vec![false; order.tasks()];
    for m in merges {
        in_place[m.task.0 as usize] = true;
    }
    let mut issue: Vec<Op> = ends.iter().map(|t| Op::Gate { event: event(t) }).collect();
    let resources = (0..).zip(&model.resources);
    let kept = resources
        .filter(|(_, r)| r.class.persists())
        .map(|(r, _)| r);
    issue.extend(kept.clone().map(|resource| Op::Acquire { resource }));
    for &task in order.sequence() {
        let t = task as usize;
        let stream = stream_of[t];
        issue.extend(waits[t].iter().map(|w| Op::Wait {
            stream,
            event: event(w),
        }));
        issue.push(Op::Launch {
            task,
            stream,
            in_place: in_place[t],
        });
        if recorded[t] {
            issue.push(Op::Record {
                event: event_of[t],
                stream,
            });
        }
    }
    issue.extend(kept.map(|resource| Op::Release { resource }));
    let mut collect = Vec::new();
    for (output, tasks) in &outputs {
        collect.extend(tasks.iter().map(|t| HostOp::Wait { event: event(t) }));
        collect.push(HostOp::Read { resource: output.0 });
    }
    Schedule {
        stream_of,
        streams: tails.len().max(1) as u8,
        events,
        issue,
        collect,
        stream_order,
        awaited: waits,
        waits: placed,
        saved: across.saturating_sub(placed),
    }
}

/// The outputs and the tasks that write them.
fn writers(model: &Model) -> Vec<(ResourceId, Vec<u32>)> {
    let mut of: Vec<Vec<u32>> = vec![Vec::new(); model.resources.len()];
    for (t, task) in model.tasks.iter().enumerate() {
        for access in task.accesses.iter().filter(|a| a.mode != Mode::Read) {
            of[access.resource.0 as usize].push(t as u32);
        }
    }
    let outputs = of.into_iter().enumerate();
    outputs
        .filter(|(r, _)| model.resources[*r].class.is_handed_out())
        .map(|(r, tasks)| (ResourceId(r as u32), tasks))
        .collect()
}
