//! What all candidates of a graph have in common.

use super::Edge;
use super::figures::costs;
use super::traffic::Traffic;
use super::work::Size;
use crate::alias::{Demands, Direction, demands, direction};
use crate::fault::Fault;
use crate::frontier::Frontiers;
use crate::layout::sizes;
use crate::model::{Model, ResourceId, TaskId};
use crate::order::Precedence;

/// A graph, and what holds of it in all its candidates.
pub struct Ground {
    /// The graph.
    pub model: Model,
    /// Its own dependencies.
    pub order: Precedence,
    /// Live ranges by them.
    pub live: Frontiers,
    /// Demands, which hold by them.
    pub demands: Demands,
    /// Bytes of each resource at its largest.
    pub payloads: Vec<u64>,
    /// The same, aligned.
    pub sizes: Vec<u64>,
    /// Of each task, in nanoseconds.
    pub costs: Vec<Option<u64>>,
    /// Bytes that tasks move.
    pub traffic: Traffic,
    /// What the price of a candidate follows.
    pub(super) size: Size,
}

impl Ground {
    /// What holds of `model`, and what it demands.
    ///
    /// # Errors
    /// Where its orders are cyclic, or a demand does not hold.
    pub fn new(model: Model) -> Result<Self, Vec<Fault>> {
        let order = Precedence::new(&model)?;
        let live = Frontiers::new(&model, &order);
        let demands = demands(&model, &order, &live)?;
        let costs = costs(&model);
        let payloads = sizes::payloads(&model.resources, &model.dims);
        Ok(Self {
            traffic: Traffic::new(&model),
            sizes: payloads.iter().copied().map(sizes::aligned).collect(),
            payloads,
            size: Size::of(&model, &order),
            model,
            order,
            live,
            demands,
            costs,
        })
    }

    /// What the dependencies lack to prove that `earlier` is over before `later` begins, or, where `at`
    /// updates the one into the other, that nothing else uses the one after and the other before it.
    pub fn lacking(&self, earlier: ResourceId, later: ResourceId, at: Option<TaskId>) -> Vec<Edge> {
        let (order, live) = (&self.order, &self.live);
        if let Some(task) = at {
            let users = live.of(earlier).last.iter().map(|&user| (user, task));
            let starts = live.of(later).first.iter().map(|&start| (task, start));
            let missing = users.chain(starts);
            return missing
                .filter(|&(a, b)| a != b && !order.precedes(a, b))
                .collect();
        }
        match direction(order, live, earlier, later) {
            Direction::With(edges) => edges,
            _ => Vec::new(),
        }
    }
}
