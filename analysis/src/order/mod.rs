//! Dependencies `a ≺ b`: b starts after a completes.
//!
//! They come from conflicting accesses, in statement order, and from `order` demands; never from a
//! stream or from the order of issue.

pub mod bits;
mod conflicts;
mod cycle;
mod regions;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use bits::BitRows;

use crate::fault::Fault;
use crate::model::{Model, TaskId, TaskKind};

/// The task up to which hold `task` holds: the one before it, if an order puts it behind that.
pub(crate) fn hold_of(model: &Model, task: TaskId) -> Option<TaskId> {
    let hold = |t: &u32| matches!(model.tasks[*t as usize].kind, TaskKind::Hold { .. });
    if !hold(&task.0) {
        return None;
    }
    let until = TaskId((0..task.0).rev().find(|t| !hold(t))?);
    let mut orders = model.orders.iter();
    let demanded = orders.any(|o| (o.before, o.after) == (until, task));
    demanded.then_some(until)
}

/// A hold does nothing, so it is over as soon as the task is up to which it holds: what comes after
/// that comes after the hold.
fn holds(model: &Model, direct: &mut [Vec<u32>]) {
    let mut ends: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for task in 0..model.tasks.len() as u32 {
        if let Some(until) = hold_of(model, TaskId(task)) {
            ends.entry(until.0).or_default().push(task);
        }
    }
    if ends.is_empty() {
        return;
    }
    for (task, before) in direct.iter_mut().enumerate() {
        let behind = before.iter().filter_map(|b| ends.get(b)).flatten();
        // The holds of one task are side by side.
        let is_hold = matches!(model.tasks[task].kind, TaskKind::Hold { .. });
        let behind: Vec<u32> = behind.copied().filter(|_| !is_hold).collect();
        before.extend(behind);
    }
}

/// The dependencies of a graph, closed.
#[derive(Clone, Debug)]
pub struct Precedence {
    direct: Vec<Vec<u32>>,
    before: Vec<Vec<u32>>,
    after: Vec<Vec<u32>>,
    sequence: Vec<u32>,
    position: Vec<u32>,
    ancestors: BitRows,
    descendants: BitRows,
}

impl Precedence {
    /// The dependencies of `model`.
    ///
    /// # Errors
    /// One fault for each knot of tasks that `order` demands make wait for each other; it lists a
    /// shortest cycle in order.
    pub fn new(model: &Model) -> Result<Self, Vec<Fault>> {
        let mut direct = conflicts::dependencies(model);
        for order in &model.orders {
            direct[order.after.0 as usize].push(order.before.0);
        }
        holds(model, &mut direct);
        for list in &mut direct {
            list.sort_unstable();
            list.dedup();
        }
        Self::of(direct).map_err(|(direct, stuck)| cycle::faults(model, &direct, &stuck))
    }

    /// The closure of `direct`, which names for each task some that complete before it starts.
    ///
    /// # Errors
    /// Gives `direct` back, with the tasks that lie on or behind a cycle.
    pub fn of(direct: Vec<Vec<u32>>) -> Result<Self, (Vec<Vec<u32>>, Vec<bool>)> {
        let tasks = direct.len();
        let behind = behind(&direct);
        let sequence = sequence(&direct, &behind);
        if sequence.len() < tasks {
            let mut stuck = vec![true; tasks];
            for &t in &sequence {
                stuck[t as usize] = false;
            }
            return Err((direct, stuck));
        }
        let mut position = vec![0; tasks];
        for (at, &t) in sequence.iter().enumerate() {
            position[t as usize] = at as u32;
        }
        let mut ancestors = BitRows::new(tasks, tasks);
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); tasks];
        let ahead = in_sequence(&direct, &behind, &sequence);
        for &t in &sequence {
            // Latest first: what an already joined one implies is redundant.
            for &b in ahead[t as usize].iter().rev() {
                if !ancestors.get(t as usize, b as usize) {
                    ancestors.join(t as usize, b as usize);
                    ancestors.set(t as usize, b as usize);
                    before[t as usize].push(b);
                }
            }
            before[t as usize].reverse();
        }
        let mut descendants = BitRows::new(tasks, tasks);
        let mut after: Vec<Vec<u32>> = vec![Vec::new(); tasks];
        for &t in sequence.iter().rev() {
            for &b in &before[t as usize] {
                descendants.join(b as usize, t as usize);
                descendants.set(b as usize, t as usize);
            }
        }
        for &t in &sequence {
            for &b in &before[t as usize] {
                after[b as usize].push(t);
            }
        }
        Ok(Self {
            direct,
            before,
            after,
            sequence,
            position,
            ancestors,
            descendants,
        })
    }

    /// The same with `edges` more, `(a, b)` for `a ≺ b`; `None` where they make a cycle.
    pub fn with(&self, edges: &[(TaskId, TaskId)]) -> Option<Self> {
        if edges.is_empty() {
            return Some(self.clone());
        }
        let mut direct = self.direct.clone();
        for (a, b) in edges {
            let list = &mut direct[b.0 as usize];
            if !list.contains(&a.0) {
                list.push(a.0);
            }
        }
        Self::of(direct).ok()
    }

    /// Number of tasks.
    pub fn tasks(&self) -> usize {
        self.sequence.len()
    }

    /// Whether `a ≺ b`.
    pub fn precedes(&self, a: TaskId, b: TaskId) -> bool {
        self.ancestors.get(b.0 as usize, a.0 as usize)
    }

    /// Whether neither `a ≺ b` nor `b ≺ a`, and they are not the same.
    pub fn concurrent(&self, a: TaskId, b: TaskId) -> bool {
        a != b && !self.precedes(a, b) && !self.precedes(b, a)
    }

    /// Statement order, changed only where an `order` demand points backward.
    pub fn sequence(&self) -> &[u32] {
        &self.sequence
    }

    /// Position of a task in [`sequence`](Self::sequence).
    pub fn position(&self, task: TaskId) -> u32 {
        self.position[task.0 as usize]
    }

    /// Dependencies of a task as accesses and demands name them, before reduction.
    pub fn direct(&self, task: TaskId) -> &[u32] {
        &self.direct[task.0 as usize]
    }

    /// Dependencies of a task that no other one implies (the transitive reduction).
    pub fn before(&self, task: TaskId) -> &[u32] {
        &self.before[task.0 as usize]
    }

    /// The tasks that have this one in their [`before`](Self::before).
    pub fn after(&self, task: TaskId) -> &[u32] {
        &self.after[task.0 as usize]
    }

    /// All tasks `≺ task`, as bits.
    pub fn ancestors(&self, task: TaskId) -> &[u64] {
        self.ancestors.row(task.0 as usize)
    }

    /// All tasks `≻ task`, as bits.
    pub fn descendants(&self, task: TaskId) -> &[u64] {
        self.descendants.row(task.0 as usize)
    }
}

/// For each task those that name it in `direct`.
fn behind(direct: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut after = vec![Vec::new(); direct.len()];
    for (task, list) in direct.iter().enumerate() {
        for &b in list {
            after[b as usize].push(task as u32);
        }
    }
    after
}

/// For each task those that `direct` names, in the order of `sequence`: dealt out, since that takes less
/// than to sort each list.
fn in_sequence(direct: &[Vec<u32>], behind: &[Vec<u32>], sequence: &[u32]) -> Vec<Vec<u32>> {
    let room = direct.iter().map(|list| Vec::with_capacity(list.len()));
    let mut ahead: Vec<Vec<u32>> = room.collect();
    for &b in sequence {
        for &t in &behind[b as usize] {
            ahead[t as usize].push(b);
        }
    }
    ahead
}

/// The tasks in an order that respects `direct`, the earliest statement first among those that are
/// ready. Shorter than `direct` if there is a cycle.
fn sequence(direct: &[Vec<u32>], after: &[Vec<u32>]) -> Vec<u32> {
    let mut missing: Vec<usize> = direct.iter().map(Vec::len).collect();
    let mut ready: BinaryHeap<Reverse<u32>> = (0..direct.len() as u32)
        .filter(|&t| missing[t as usize] == 0)
        .map(Reverse)
        .collect();
    let mut order = Vec::with_capacity(direct.len());
    while let Some(Reverse(task)) = ready.pop() {
        order.push(task);
        for &next in &after[task as usize] {
            missing[next as usize] -= 1;
            if missing[next as usize] == 0 {
                ready.push(Reverse(next));
            }
        }
    }
    order
}
