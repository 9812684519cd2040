//! Graphs of raw tasks, launched as a whole.
//!
//! A graph's lanes are chains of its edges, so a launch runs in any order that they admit, joined to
//! the launching stream at both ends. A launch is ordered behind the one before it of the same graph.

use std::sync::{Arc, Mutex, PoisonError};

use super::super::pool::Complete;
use super::super::{DriverError, EventId, StreamId, invalid};
use super::SimDriver;
use super::raw::RawTask;
use super::step::{Done, Work};

/// What a node of a graph is.
#[derive(Clone, Debug)]
pub enum RawWork {
    /// A task.
    Task(Arc<RawTask>),
    /// A record of an event.
    Record(EventId),
    /// A wait for an event as it was last recorded before the launch.
    Wait(EventId),
    /// Nothing.
    Nothing,
}

/// A node and those that it comes after.
#[derive(Clone, Debug)]
pub struct RawNode {
    /// What it is.
    pub work: RawWork,
    /// Indices of nodes.
    pub after: Vec<usize>,
}

#[derive(Debug)]
struct Planned {
    node: usize,
    lane: usize,
    work: RawWork,
    /// Nodes of other lanes to wait for.
    waits: Vec<usize>,
    /// It begins: waits for the launching stream.
    root: bool,
    /// Others wait for it.
    recorded: bool,
}

/// A graph that can be launched.
#[derive(Debug)]
pub struct RawGraph {
    planned: Vec<Planned>,
    /// Nodes that no node comes after.
    sinks: Vec<usize>,
    /// Tasks that no task comes after.
    finals: Vec<usize>,
    last: Mutex<Last>,
}

/// The launch before.
#[derive(Debug, Default)]
struct Last {
    sinks: Vec<Arc<Done>>,
    finals: Vec<Arc<Done>>,
}

/// Tasks that no task comes after, whatever else does. `order` is one that the edges admit.
fn finals(nodes: &[RawNode], order: &[usize]) -> Vec<usize> {
    let is_task = |i: usize| matches!(nodes[i].work, RawWork::Task(_));
    // A task comes after them.
    let mut before = vec![false; nodes.len()];
    for &i in order.iter().rev() {
        for &a in &nodes[i].after {
            before[a] |= before[i] || is_task(i);
        }
    }
    (0..nodes.len())
        .filter(|&i| is_task(i) && !before[i])
        .collect()
}

/// The nodes in an order that their edges admit; `None` where they go in a circle.
fn order(nodes: &[RawNode]) -> Option<Vec<usize>> {
    let mut placed = vec![false; nodes.len()];
    let mut all = Vec::new();
    while all.len() < nodes.len() {
        let free = |&i: &usize| !placed[i] && nodes[i].after.iter().all(|&a| placed[a]);
        let next = (0..nodes.len()).find(free)?;
        placed[next] = true;
        all.push(next);
    }
    Some(all)
}

impl SimDriver {
    /// Makes a graph ready to be launched.
    ///
    /// # Errors
    /// Edges that name no node, or go in a circle.
    pub fn instantiate_raw(&self, nodes: &[RawNode]) -> Result<RawGraph, DriverError> {
        const CALL: &str = "instantiate_raw";
        if nodes
            .iter()
            .flat_map(|n| &n.after)
            .any(|&a| a >= nodes.len())
        {
            return Err(invalid(CALL, "an edge"));
        }
        let order = order(nodes).ok_or(invalid(CALL, "a circle of edges"))?;
        let finals = finals(nodes, &order);
        let mut world = self.shared.world();
        // A node goes on where one that it comes after stood last; else it has a lane of its own.
        let mut lanes = vec![0; nodes.len()];
        let mut continued = vec![false; nodes.len()];
        let mut planned = Vec::new();
        for i in order {
            let after = &nodes[i].after;
            let before = after.iter().copied().find(|&a| !continued[a]);
            lanes[i] = match before {
                Some(before) => lanes[before],
                None => world.lane(self.device),
            };
            if let Some(before) = before {
                continued[before] = true;
            }
            planned.push(Planned {
                node: i,
                lane: lanes[i],
                work: nodes[i].work.clone(),
                waits: after
                    .iter()
                    .copied()
                    .filter(|&a| Some(a) != before)
                    .collect(),
                root: after.is_empty(),
                recorded: false,
            });
        }
        let awaited: Vec<usize> = planned.iter().flat_map(|p| p.waits.clone()).collect();
        let followed = |i: usize| nodes.iter().any(|n| n.after.contains(&i));
        let sinks: Vec<usize> = (0..nodes.len()).filter(|&i| !followed(i)).collect();
        for p in &mut planned {
            let ends = [&awaited, &sinks, &finals];
            p.recorded = ends.iter().any(|all| all.contains(&p.node));
        }
        Ok(RawGraph {
            planned,
            sinks,
            finals,
            last: Mutex::default(),
        })
    }

    /// Launches a graph on `stream`. Answers whether a task of the launch before it had not ended,
    /// which this one then waits for.
    ///
    /// # Errors
    /// A stream or an event that is not there.
    pub fn launch_raw(&self, stream: StreamId, graph: &RawGraph) -> Result<bool, DriverError> {
        const CALL: &str = "launch_raw";
        let lane = self.lane(CALL, stream)?;
        let mut last = graph.last.lock().unwrap_or_else(PoisonError::into_inner);
        let busy = last.finals.iter().any(|done| !done.is_complete());
        let mut world = self.shared.world();
        for done in last.sinks.drain(..) {
            world.issue(lane, Work::Wait(done), &[]);
        }
        let start = Arc::<Done>::default();
        world.issue(lane, Work::Record(Arc::clone(&start)), &[]);
        let ends: Vec<Arc<Done>> = graph.planned.iter().map(|_| Arc::default()).collect();
        for p in &graph.planned {
            if p.root {
                world.issue(p.lane, Work::Wait(Arc::clone(&start)), &[]);
            }
            for &before in &p.waits {
                world.issue(p.lane, Work::Wait(Arc::clone(&ends[before])), &[]);
            }
            match &p.work {
                RawWork::Task(task) => world.issue(p.lane, Work::Raw(Arc::clone(task)), &[]),
                RawWork::Record(event) => {
                    let done = Arc::<Done>::default();
                    let slot = world.events.get_mut(&event.0);
                    *slot.ok_or(invalid(CALL, "the event"))? = Some(Arc::clone(&done));
                    world.issue(p.lane, Work::Record(done), &[]);
                }
                RawWork::Wait(event) => {
                    let done = world.events.get(&event.0).cloned();
                    if let Some(done) = done.ok_or(invalid(CALL, "the event"))? {
                        world.issue(p.lane, Work::Wait(done), &[]);
                    }
                }
                RawWork::Nothing => {}
            }
            if p.recorded {
                world.issue(p.lane, Work::Record(Arc::clone(&ends[p.node])), &[]);
            }
        }
        for &sink in &graph.sinks {
            world.issue(lane, Work::Wait(Arc::clone(&ends[sink])), &[]);
            last.sinks.push(Arc::clone(&ends[sink]));
        }
        let finals = graph.finals.iter().map(|&i| Arc::clone(&ends[i]));
        last.finals = finals.collect();
        Ok(busy)
    }
}
