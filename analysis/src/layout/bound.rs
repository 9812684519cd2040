//! A lower bound on every layout: what must exist together while one task runs.

use crate::alias::{Demands, Merge};
use crate::frontier::Frontiers;
use crate::model::{Model, ResourceId, TaskId};
use crate::order::Precedence;
use crate::order::bits::{BitRows, each_bit};

/// The bound and where it is met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    /// No layout of one instance is smaller, in bytes.
    pub bytes: u64,
    /// The task that runs while that much is live; `None` is the host's reading of the outputs.
    pub at: Option<TaskId>,
    /// What is live then, in order of declaration.
    pub live: Vec<ResourceId>,
    /// The merge at that task, whose two resources count once.
    pub merge: Option<Merge>,
}

impl Bound {
    /// The bound of two regions that share nothing; where it is met is said of the larger.
    pub(super) fn beside(self, other: Self) -> Self {
        let bytes = self.bytes.saturating_add(other.bytes);
        let larger = if other.bytes > self.bytes || self.live.is_empty() {
            other
        } else {
            self
        };
        Self { bytes, ..larger }
    }
}

/// The largest sum, over tasks, of what is live in every execution while that task runs: what it
/// accesses, and what has an access before it and one after it (the host reads outputs last of all).
///
/// Any two of these clash, but for the operand and the result of a merge that is legal at the task,
/// which count once. So the sum is below every layout.
pub fn bound(
    model: &Model,
    order: &Precedence,
    live: &Frontiers,
    bytes: &[u64],
    demands: &Demands,
    merges: &[Merge],
) -> Bound {
    let mut load = vec![0u64; order.tasks()];
    for (r, &size) in bytes.iter().enumerate() {
        let held = held(order, live, ResourceId(r as u32));
        each_bit(held.row(0), |t| load[t] = load[t].saturating_add(size));
    }
    let mut saved: Vec<Option<Merge>> = vec![None; order.tasks()];
    for m in merges {
        if !demands.apart(m.operand, m.result) {
            let (x, y) = (bytes[m.operand.0 as usize], bytes[m.result.0 as usize]);
            let t = m.task.0 as usize;
            load[t] = load[t].saturating_sub(x.min(y));
            saved[t] = Some(*m);
        }
    }
    let outputs: Vec<ResourceId> = (0..model.resources.len() as u32)
        .map(ResourceId)
        .filter(|r| model.resources[r.0 as usize].class.is_handed_out())
        .collect();
    let mut best = Bound {
        bytes: outputs
            .iter()
            .fold(0, |sum, r| sum.saturating_add(bytes[r.0 as usize])),
        at: None,
        live: Vec::new(),
        merge: None,
    };
    for &t in order.sequence() {
        if load[t as usize] > best.bytes || best.at.is_none() && load[t as usize] == best.bytes {
            best.bytes = load[t as usize];
            best.at = Some(TaskId(t));
        }
    }
    // What outlives runs, and memory of the other side, takes nothing here.
    let inside = |r: &ResourceId| bytes[r.0 as usize] > 0;
    let held_then: Vec<ResourceId> = match best.at {
        None => outputs,
        Some(t) => (0..model.resources.len() as u32)
            .map(ResourceId)
            .filter(|&r| held(order, live, r).get(0, t.0 as usize))
            .collect(),
    };
    best.live = held_then.into_iter().filter(inside).collect();
    best.merge = best.at.and_then(|t| saved[t.0 as usize]);
    best
}

/// The tasks during which a resource is live in every execution.
fn held(order: &Precedence, live: &Frontiers, resource: ResourceId) -> BitRows {
    let frontier = live.of(resource);
    let mut tasks = BitRows::new(1, order.tasks());
    for &first in &frontier.first {
        tasks.join_words(0, order.descendants(first));
    }
    if !frontier.host {
        let mut until = BitRows::new(1, order.tasks());
        for &last in &frontier.last {
            until.join_words(0, order.ancestors(last));
        }
        tasks.meet_words(0, until.row(0));
    }
    for user in live.users(resource) {
        tasks.set(0, user.0 as usize);
    }
    tasks
}
