//! Work that its caller describes, in place of tables: what stands under a foreign interface.
//!
//! A task says what it touches and does; it is judged like any other. A graph is tasks with edges:
//! its lanes are chains of these edges, so a launch runs in any order that they admit, joined to the
//! launching stream at both ends. A launch is ordered behind the launch before it of the same graph.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::super::pool::Complete;
use super::super::{Address, DriverError, EventId, Protection, RangeId, StreamId, invalid};
use super::SimDriver;
use super::report::What;
use super::shadow::{Access, Fate};
use super::step::{Done, Work};
use crate::table::Mode;

/// One access of a raw task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawAccess {
    /// First byte.
    pub start: usize,
    /// Bytes.
    pub bytes: usize,
    /// How.
    pub mode: Mode,
    /// The device through whose mappings it goes; `None` for the host itself.
    pub via: Option<usize>,
    /// Memory of the host that this driver did not make is not there for it.
    pub strict: bool,
}

impl RawAccess {
    pub(super) fn judged(&self) -> Access {
        Access {
            via: self.via,
            strict: self.strict,
            ..Access::plain(self.start, self.bytes, self.mode)
        }
    }
}

/// What a raw task does.
pub trait Act: fmt::Debug + Send + Sync {
    /// Its turn has come. Where it is not `usable`, something that it touches is not there, which
    /// has been reported.
    fn act(&self, usable: bool);
}

/// A task whose caller says what it touches.
#[derive(Debug)]
pub struct RawTask {
    /// Name, for reports.
    pub name: &'static str,
    /// Which call, for reports.
    pub number: u64,
    /// What it touches.
    pub accesses: Vec<RawAccess>,
    /// Two accesses of one range are no conflict within the task.
    pub in_place: bool,
    /// It runs on the host, which then knows all that it comes after.
    pub tells_host: bool,
    /// What it does.
    pub act: Box<dyn Act>,
}

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
    sinks: Vec<usize>,
    last: Mutex<Vec<Arc<Done>>>,
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
    /// Issues a task to `stream`.
    ///
    /// # Errors
    /// A stream that is not there.
    pub fn issue_raw(&self, stream: StreamId, task: RawTask) -> Result<(), DriverError> {
        self.issue("issue_raw", stream, Work::Raw(Arc::new(task)))
    }

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
            p.recorded = awaited.contains(&p.node) || sinks.contains(&p.node);
        }
        Ok(RawGraph {
            planned,
            sinks,
            last: Mutex::default(),
        })
    }

    /// Launches a graph on `stream`. Answers whether the launch before it had not ended, which this
    /// one then waits for.
    ///
    /// # Errors
    /// A stream or an event that is not there.
    pub fn launch_raw(&self, stream: StreamId, graph: &RawGraph) -> Result<bool, DriverError> {
        const CALL: &str = "launch_raw";
        let lane = self.lane(CALL, stream)?;
        let mut last = graph.last.lock().unwrap_or_else(PoisonError::into_inner);
        let busy = last.iter().any(|done| !done.is_complete());
        let mut world = self.shared.world();
        for done in last.drain(..) {
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
            last.push(Arc::clone(&ends[sink]));
        }
        Ok(busy)
    }

    /// Says what `device` may do with a mapped part, and leaves the others what they may.
    ///
    /// # Errors
    /// As [`Driver::set_access`](super::super::Driver::set_access).
    pub fn admit(
        &self,
        range: RangeId,
        offset: u64,
        bytes: u64,
        device: usize,
        to: Protection,
    ) -> Result<(), DriverError> {
        const CALL: &str = "admit";
        let _turn = self.shared.turn();
        let mut world = self.shared.world();
        let base = world.spaces.address(range.0);
        let base = base.ok_or(invalid(CALL, "the range"))?.0.addr();
        // Before anything changes: is the part mapped?
        world
            .spaces
            .set_access(range.0, offset, bytes, Protection::ReadWrite)?;
        let at = (base + offset as usize, bytes as usize);
        if !world.shadow.protect(at, Some(device), to) {
            world
                .spaces
                .set_access(range.0, offset, bytes, Protection::None)?;
        }
        Ok(())
    }

    /// Takes bytes of memory that this driver made to hold what the host has put there: what it
    /// writes to memory that it reaches itself is seen by nobody.
    pub fn assume_written(&self, at: Address, bytes: u64) {
        let mut world = self.shared.world();
        world.shadow.assume_written(at.0.addr(), bytes as usize);
    }

    /// Makes a part of the host's own memory known to be there, or no more: what of the device uses
    /// it later without an order is reported.
    pub fn lend(&self, at: Address, bytes: u64, there: bool) {
        let fate = match there {
            true => Fate {
                reach: super::reach::Reach::all(Protection::ReadWrite),
                written: true,
            },
            false => Fate::GONE,
        };
        let what = if there { What::Map } else { What::Unmap };
        let place = (at.0.addr(), bytes as usize);
        self.shared.world().hand(self.device, what, place, fate);
    }

    /// Whether all that was issued to `stream` has ended; where it has, the host has seen it.
    ///
    /// # Errors
    /// A stream that is not there.
    pub fn is_idle(&self, stream: StreamId) -> Result<bool, DriverError> {
        let lane = self.lane("is_idle", stream)?;
        self.shared.some_steps();
        let _turn = self.shared.turn();
        Ok(self.shared.world().see_idle(lane))
    }

    /// How many steps had been taken, in the whole world, when `event` was recorded; `None` before.
    ///
    /// # Errors
    /// An event that is not there.
    pub fn moment(&self, event: EventId) -> Result<Option<u64>, DriverError> {
        let done = self.latest("moment", event)?;
        Ok(done.and_then(|done| done.moment.get().copied()))
    }
}
