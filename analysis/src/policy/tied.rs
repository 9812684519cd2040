//! A graph under edges that are added, on streams whose order counts: closed once, and passed on.

use super::figures::{Executed, followed};
use super::{Ground, Realised};
use crate::model::TaskId;
use crate::order::Precedence;
use crate::schedule::assign;

/// `(a, b)`: b starts after a completes.
pub type Edge = (TaskId, TaskId);

/// Streams of tasks, and what follows what on them.
pub(super) struct Lanes {
    pub stream_of: Vec<u8>,
    pub chains: Vec<Edge>,
}

impl Lanes {
    /// Streams for `ground` under `stated`, at most `limit` of them.
    pub(super) fn assigned(ground: &Ground, stated: &Precedence, limit: u32) -> Self {
        let stream_of = assign(&ground.model, stated, &ground.costs, limit);
        Self {
            chains: chains(stated, &stream_of),
            stream_of,
        }
    }

    /// Those of `plan`, which is conditional.
    pub(super) fn of(plan: &Realised) -> Self {
        let stream_of = plan.schedule.stream_of.clone();
        Self {
            chains: chains(&plan.order, &stream_of),
            stream_of,
        }
    }
}

/// The orders that a plan is laid out under.
pub(super) struct Tied {
    /// Edges that are added.
    pub added: Vec<Edge>,
    /// Streams of tasks.
    pub stream_of: Vec<u8>,
    /// Dependencies and added edges.
    pub stated: Precedence,
    /// These and, where they count in the proofs of aliases, those of streams.
    pub order: Precedence,
}

impl Tied {
    /// `stated`, which are the dependencies and the `added` edges, on `lanes`; `None` where these make
    /// a cycle.
    pub(super) fn new(added: Vec<Edge>, stated: Precedence, lanes: Lanes) -> Option<Self> {
        Some(Self {
            order: stated.with(&lanes.chains)?,
            added,
            stream_of: lanes.stream_of,
            stated,
        })
    }
}

impl Ground {
    /// The graph with `added` edges on `lanes`; `None` where they make a cycle.
    pub(super) fn tied(&self, added: Vec<Edge>, lanes: Lanes) -> Option<Tied> {
        let stated = self.order.with(&added)?;
        Tied::new(added, stated, lanes)
    }

    /// The longest path: of costs where all are known, else of tasks.
    pub(super) fn longest(&self, tied: &Tied) -> u64 {
        let known = self.costs.iter().all(Option::is_some);
        let units = vec![Some(1); self.costs.len()];
        let costs = if known { &self.costs } else { &units };
        Executed::new(&tied.order, &tied.stream_of).critical_path(costs)
    }
}

/// Each task of a stream with the next one there.
fn chains(order: &Precedence, streams: &[u8]) -> Vec<Edge> {
    let followed = followed(order, streams).into_iter();
    let edges = (0..).zip(followed);
    let edges = edges.filter_map(|(t, last)| Some((TaskId(last?), TaskId(t))));
    edges.collect()
}
