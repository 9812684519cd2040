//! A plan under edges that a policy adds.

use super::chains::{Chains, Side};
use super::figures::{Executed, Figures, costs, followed};
use super::traffic::{Traffic, most_in_turn, rooms};
use crate::alias::{Demands, demands, merges};
use crate::fault::Fault;
use crate::frontier::Frontiers;
use crate::layout::{Effort, Layout, PAIRWISE, Ranges, fits_budget, layout, sizes};
use crate::model::{Model, TaskId, TaskKind};
use crate::order::Precedence;
use crate::peak::items;
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
    /// Bytes of each resource.
    pub sizes: &'a [u64],
    /// Of each task, in nanoseconds.
    pub costs: &'a [Option<u64>],
    /// Bytes that tasks move.
    pub traffic: Traffic,
}

/// A graph, and what all its candidates have in common.
pub struct Based {
    /// The graph.
    pub model: Model,
    order: Precedence,
    live: Frontiers,
    demands: Demands,
    sizes: Vec<u64>,
    costs: Vec<Option<u64>>,
    traffic: Traffic,
}

impl Based {
    /// What holds of `model`, and what it demands.
    ///
    /// # Errors
    /// Where its orders are cyclic, or a demand does not hold.
    pub fn new(model: Model) -> Result<Self, Vec<Fault>> {
        let order = Precedence::new(&model)?;
        let live = Frontiers::new(&model, &order);
        let demands = demands(&model, &order, &live)?;
        let costs = costs(&model);
        Ok(Self {
            traffic: Traffic::new(&model),
            sizes: sizes::all(&model),
            model,
            order,
            live,
            demands,
            costs,
        })
    }

    /// The same, to lay candidates out on.
    pub fn ground(&self) -> Ground<'_> {
        Ground {
            model: &self.model,
            order: &self.order,
            live: &self.live,
            demands: &self.demands,
            sizes: &self.sizes,
            costs: &self.costs,
            traffic: self.traffic,
        }
    }
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
    /// What was laid out.
    pub ranges: Ranges,
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
        let (order, live) = (self.order.clone(), self.live.clone());
        Realised {
            conditional: false,
            ..self.lay(Vec::new(), self.order, order, live, streams)
        }
    }

    /// The graph with `added` edges on at most `limit` streams, the order of which counts as a
    /// condition of aliases; `None` where the edges make a cycle.
    pub fn conditioned(&self, added: Vec<Edge>, limit: u32) -> Option<Realised> {
        let stated = self.order.with(&added)?;
        let streams = assign(self.model, &stated, self.costs, limit);
        let order = stated.with(&chains(&stated, &streams))?;
        let live = Frontiers::new(self.model, &order);
        Some(self.lay(added, &stated, order, live, streams))
    }

    fn lay(
        &self,
        added: Vec<Edge>,
        stated: &Precedence,
        order: Precedence,
        live: Frontiers,
        streams: Vec<u8>,
    ) -> Realised {
        let ranges = self.ranges(&order, &live);
        let layout = self.layout(&order, &live, &ranges);
        let taken = &ranges.groups.taken;
        let schedule = schedule(self.model, stated, &order, taken, streams);
        let executed = Executed::new(&order, &schedule.stream_of);
        let unknown = self.costs.iter().any(Option::is_none);
        let idle = |kind: &TaskKind| matches!(kind, TaskKind::Upload | TaskKind::Hold { .. });
        let launches = self.model.tasks.iter().filter(|task| !idle(&task.kind));
        let items = items(self.model, &live, self.sizes, taken);
        let begins = items.iter().filter(|i| i.bytes > 0 && !i.users.is_empty());
        let ends = begins.clone().filter(|i| !i.to_end);
        let known = self.costs.iter().flatten();
        let figures = Figures {
            arena: layout.arena,
            bound: layout.bound.bytes,
            critical_path: executed.critical_path(self.costs),
            at_least: unknown,
            launches: launches.count(),
            added: added.len(),
            streams: schedule.streams,
            waits: schedule.waits,
            events: schedule.events,
            compute: known.fold(0, |sum, cost| sum.saturating_add(*cost)),
            traffic: self.traffic,
            in_turn: most_in_turn(&order, &items),
            rooms: rooms(&executed, &items, self.model.tasks.len()),
            begins: begins.count(),
            ends: ends.count(),
        };
        let chains = unknown.then(|| Chains::new(self.model, &executed, self.costs));
        Realised {
            added,
            conditional: true,
            order,
            live,
            ranges,
            layout,
            schedule,
            figures,
            chains,
        }
    }

    /// The live ranges under `order`.
    pub(super) fn ranges(&self, order: &Precedence, live: &Frontiers) -> Ranges {
        let merges = merges(self.model, live);
        let (model, demands) = (self.model, self.demands);
        Ranges::new(model, self.sizes, order, live, demands, &merges, PAIRWISE)
    }

    /// A layout that is good enough to weigh a plan by: a greedy one, unless the budget has no room for
    /// it and may have for a better one.
    fn layout(&self, order: &Precedence, live: &Frontiers, ranges: &Ranges) -> Layout {
        let lay = |effort| layout(self.model, self.sizes, order, live, ranges, effort);
        let found = lay(Effort::WEIGHED);
        match fits_budget(self.model, &found) {
            true => found,
            false => lay(Effort::TAKEN),
        }
    }

    /// Lays a plan out as well as it can be, since it is taken.
    pub fn settle(&self, plan: &mut Realised) {
        let Realised {
            order,
            live,
            ranges,
            ..
        } = &*plan;
        let found = layout(self.model, self.sizes, order, live, ranges, Effort::TAKEN);
        if found.arena <= plan.layout.arena {
            plan.figures.arena = found.arena;
            plan.figures.bound = found.bound.bytes;
            plan.layout = found;
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
