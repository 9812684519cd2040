//! A plan under edges that a policy adds.

use super::chains::{Chains, Side};
use super::figures::{Executed, Figures, followed};
use crate::alias::{Demands, merges};
use crate::frontier::Frontiers;
use crate::layout::{Layout, PAIRWISE, layout};
use crate::model::{Model, TaskId, TaskKind};
use crate::order::Precedence;
use crate::schedule::{Schedule, assign, schedule};

/// `(a, b)`: b starts after a completes.
pub type Edge = (TaskId, TaskId);

/// What all candidates of a graph have in common.
pub struct Ground<'a> {
    /// The graph.
    pub model: &'a Model,
    /// Its own dependencies.
    pub order: &'a Precedence,
    /// Live ranges by them.
    pub live: &'a Frontiers,
    /// Demands, which hold by them.
    pub demands: &'a Demands,
    /// Of each task, in nanoseconds.
    pub costs: &'a [Option<u64>],
}

/// A candidate as it would run.
pub struct Realised {
    /// Edges that were added, beside those of streams.
    pub added: Vec<Edge>,
    /// Whether the order of streams counts in the proofs of aliases.
    pub conditional: bool,
    /// Dependencies, added edges and, where they count, those of streams.
    pub order: Precedence,
    /// Live ranges under these.
    pub live: Frontiers,
    /// Where everything lies.
    pub layout: Layout,
    /// What runs where.
    pub schedule: Schedule,
    /// What it costs.
    pub figures: Figures,
    /// Chains that may be the longest, where a cost is unknown.
    chains: Option<Chains>,
}

impl Realised {
    /// What its critical path is compared by.
    pub(super) fn path(&self) -> Side<'_> {
        (&self.figures, self.chains.as_ref())
    }
}

impl Ground<'_> {
    /// The graph as it stands: nothing is added, and no alias rests on a stream.
    pub fn baseline(&self) -> Realised {
        let streams = assign(self.model, self.order, self.costs, self.model.streams);
        self.lay(
            Vec::new(),
            self.order.clone(),
            self.live.clone(),
            streams,
            false,
        )
    }

    /// The graph with `added` edges on at most `limit` streams, the order of which counts as a
    /// condition of aliases; `None` where the edges make a cycle.
    pub fn conditioned(&self, added: Vec<Edge>, limit: u32) -> Option<Realised> {
        let order = self.order.with(&added)?;
        let streams = assign(self.model, &order, self.costs, limit);
        let order = order.with(&chains(&order, &streams))?;
        let live = Frontiers::new(self.model, &order);
        Some(self.lay(added, order, live, streams, true))
    }

    fn lay(
        &self,
        added: Vec<Edge>,
        order: Precedence,
        live: Frontiers,
        streams: Vec<u8>,
        conditional: bool,
    ) -> Realised {
        let merges = merges(self.model, &live);
        let layout = layout(self.model, &order, &live, self.demands, &merges, PAIRWISE);
        let schedule = schedule(self.model, self.order, &order, &layout.merges, streams);
        let executed = Executed::new(&order, &schedule.stream_of);
        let unknown = self.costs.iter().any(Option::is_none);
        let idle = |kind: &TaskKind| matches!(kind, TaskKind::Upload | TaskKind::Hold { .. });
        let launches = self.model.tasks.iter().filter(|task| !idle(&task.kind));
        let figures = Figures {
            arena: layout.arena,
            bound: layout.bound.bytes,
            critical_path: executed.critical_path(self.costs),
            at_least: unknown,
            launches: launches.count(),
            added: added.len(),
            streams: schedule.streams,
            waits: schedule.waits,
        };
        let chains = unknown.then(|| Chains::new(self.model, &executed, self.costs));
        Realised {
            added,
            conditional,
            order,
            live,
            layout,
            schedule,
            figures,
            chains,
        }
    }
}

/// Each task of a stream with the next one there.
fn chains(order: &Precedence, streams: &[u8]) -> Vec<Edge> {
    let followed = followed(order, streams).into_iter();
    let edges = (0..).zip(followed);
    let edges = edges.filter_map(|(t, last)| Some((TaskId(last?), TaskId(t))));
    edges.collect()
}
