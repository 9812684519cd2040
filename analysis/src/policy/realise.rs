//! A plan under edges that a policy adds.

use super::chains::{Chains, Side};
use super::choose::prefers;
use super::figures::{Executed, Figures};
use super::tied::{Lanes, Tied};
use super::traffic::{most_in_turn, rooms};
use super::{Asked, Edge, Ground};
use crate::alias::{Merge, merges};
use crate::frontier::Frontiers;
use crate::layout::{Effort, Layout, Left, PAIRWISE, Ranges, Spacing, Why, fits_budget, layout};
use crate::model::{Model, RegionBytes, TaskId, TaskKind};
use crate::order::Precedence;
use crate::peak::items;
use crate::schedule::{Schedule, assign, schedule};

/// A candidate as it would run.
#[derive(Clone)]
pub struct Realised {
    /// Edges that are added, beside those of streams: those without which storage would be shared by
    /// what may be live together.
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
    /// What it was laid out for.
    pub(super) asked: Asked,
    /// No layout under all edges that it was laid out for is below that, in bytes.
    pub hoped: u64,
    /// How far its layout was searched for.
    pub(super) effort: Effort,
    /// How often it was laid out until it had no edge too many.
    pub(super) times: u64,
}

impl Realised {
    /// The same without room between slots, where there is some.
    pub fn packed(&self) -> Option<Self> {
        let layout = *self.layout.tight.clone()?;
        let mut packed = self.clone();
        packed.asked.spacing = Spacing::Tight;
        packed.figures.arena = layout.arena;
        packed.layout = layout;
        Some(packed)
    }

    /// Moves the domains to where `all` combinations of variants have them. The figures stay, but for
    /// the arena.
    pub(crate) fn spread(&mut self, model: &Model, all: &RegionBytes) {
        self.layout.spread(model, all);
        self.figures.arena = self.layout.arena;
    }

    /// What `of` says of it where the domains lie as `all` has them; it stays as it is.
    pub(crate) fn at<T>(&mut self, model: &Model, all: &RegionBytes, of: impl Fn(&Self) -> T) -> T {
        let (layout, arena) = (self.layout.clone(), self.figures.arena);
        self.spread(model, all);
        let found = of(self);
        (self.layout, self.figures.arena) = (layout, arena);
        found
    }

    /// The same program with everything where `layout` has it, for which it was searched that far.
    fn lie(&mut self, layout: Layout, effort: Effort) {
        self.figures = Figures {
            arena: layout.arena,
            bound: layout.bound.bytes,
            held: layout.bound.held().0,
            most: layout.most_live(),
            ..self.figures.clone()
        };
        (self.layout, self.effort, self.times) = (layout, effort, 1);
    }

    /// What its critical path is compared by.
    pub(super) fn path(&self) -> Side<'_> {
        (&self.figures, self.chains.as_ref())
    }
}

impl Ground {
    /// The graph as it stands: nothing is added, and no alias rests on a stream.
    pub fn baseline(&self) -> Realised {
        self.stands(Asked::default(), Effort::WEIGHED)
    }

    fn stands(&self, asked: Asked, effort: Effort) -> Realised {
        let tied = Tied {
            added: Vec::new(),
            stream_of: assign(&self.model, &self.order, &self.costs, self.model.streams),
            stated: self.order.clone(),
            order: self.order.clone(),
        };
        let live = self.live.clone();
        let ranges = self.ranges(&tied.order, &live, &asked.left);
        Realised {
            conditional: false,
            ..self.lay(asked, tied, live, ranges, effort, None)
        }
    }

    /// The graph with as few of the edges `asked` as storage needs where all of them let it be laid
    /// out, on at most `limit` streams, the order of which counts as a condition of aliases; `None`
    /// where the edges make a cycle.
    pub fn conditioned(&self, asked: Vec<Edge>, limit: u32) -> Option<Realised> {
        self.realised(Asked::under(self, asked, limit))
    }

    /// The graph laid out for what is `asked`; `None` where edges make a cycle.
    pub fn realised(&self, asked: Asked) -> Option<Realised> {
        self.searched(asked, Effort::WEIGHED)
    }

    fn searched(&self, asked: Asked, effort: Effort) -> Option<Realised> {
        let Some((edges, limit)) = asked.under.clone() else {
            return Some(self.stands(asked, effort));
        };
        let stated = self.order.with(&edges)?;
        let lanes = Lanes::assigned(self, &stated, limit);
        let tied = match limit {
            // The order of the one stream has all of them.
            0 | 1 => self.tied(Vec::new(), lanes)?,
            _ => Tied::new(edges, stated, lanes)?,
        };
        let plan = self.built(&asked, tied, effort, None)?;
        let hoped = plan.figures.bound;
        let plan = self.leanest(plan, limit);
        Some(Realised { hoped, ..plan })
    }

    /// The graph as it is `tied`, laid out anew. Where it was laid out before under more
    /// edges, it stays as it lies unless that is larger; `None` where it cannot.
    pub(super) fn built(
        &self,
        asked: &Asked,
        tied: Tied,
        effort: Effort,
        before: Option<&Realised>,
    ) -> Option<Realised> {
        let live = Frontiers::new(&self.model, &tied.order);
        let ranges = self.ranges(&tied.order, &live, &asked.left);
        if before.is_some_and(|plan| plan.ranges.groups.taken != ranges.groups.taken) {
            return None;
        }
        Some(self.lay(asked.clone(), tied, live, ranges, effort, before))
    }

    fn lay(
        &self,
        asked: Asked,
        tied: Tied,
        live: Frontiers,
        ranges: Ranges,
        effort: Effort,
        before: Option<&Realised>,
    ) -> Realised {
        let Tied {
            added,
            stream_of,
            stated,
            order,
        } = tied;
        let (layout, effort) = self.layout(&order, &live, &ranges, effort, asked.spacing);
        let layout = match before.map(|plan| &plan.layout) {
            Some(old) => smaller(old, layout),
            None => layout,
        };
        let taken = &ranges.groups.taken;
        let schedule = schedule(&self.model, &stated, &order, taken, stream_of);
        let executed = Executed::new(&order, &schedule.stream_of);
        let unknown = self.costs.iter().any(Option::is_none);
        let idle = |kind: &TaskKind| matches!(kind, TaskKind::Upload | TaskKind::Hold { .. });
        let launches = self.model.tasks.iter().filter(|task| !idle(&task.kind));
        let items = items(&self.model, &live, &self.sizes, taken);
        let begins = items.iter().filter(|i| i.bytes > 0 && !i.users.is_empty());
        let ends = begins.clone().filter(|i| !i.to_end);
        let known = self.costs.iter().flatten();
        let figures = Figures {
            arena: layout.arena,
            bound: layout.bound.bytes,
            critical_path: executed.critical_path(&self.costs),
            at_least: unknown,
            launches: launches.count(),
            added: added.len(),
            streams: schedule.streams,
            waits: schedule.waits,
            events: schedule.events,
            compute: known.fold(0, |sum, cost| sum.saturating_add(*cost)),
            traffic: self.traffic,
            in_turn: most_in_turn(&order, &items),
            held: layout.bound.held().0,
            most: layout.most_live(),
            rooms: rooms(&executed, &items, self.model.tasks.len()),
            begins: begins.count(),
            ends: ends.count(),
        };
        let chains = unknown.then(|| Chains::new(&self.model, &executed, &self.costs));
        Realised {
            hoped: layout.bound.bytes,
            added,
            conditional: true,
            order,
            live,
            ranges,
            layout,
            schedule,
            figures,
            chains,
            asked,
            effort,
            times: 1,
        }
    }

    /// The live ranges under `order`, without the in-place updates of the tasks `left`.
    pub(super) fn ranges(&self, order: &Precedence, live: &Frontiers, left: &[TaskId]) -> Ranges {
        let leaves = |m: &Merge| left.contains(&m.task) && !self.demanded(m.operand, m.result);
        let merges = merges(&self.model, live).into_iter();
        let (left, merges): (Vec<Merge>, Vec<Merge>) = merges.partition(leaves);
        let (model, sizes) = (&self.model, &self.sizes);
        let mut ranges = Ranges::new(model, sizes, order, live, &self.demands, &merges, PAIRWISE);
        let left = left.into_iter().map(|merge| Left {
            merge,
            why: Why::Chosen,
        });
        ranges.groups.left.extend(left);
        ranges
    }

    /// A layout, with how far it was searched for. One to weigh a plan by is greedy, unless the budget
    /// has no room for it and may have for a better one.
    fn layout(
        &self,
        order: &Precedence,
        live: &Frontiers,
        ranges: &Ranges,
        effort: Effort,
        spacing: Spacing,
    ) -> (Layout, Effort) {
        let (model, sizes) = (&self.model, &self.sizes);
        let lay = |effort| layout(model, sizes, order, live, ranges, effort, spacing);
        let found = lay(effort);
        match effort == Effort::TAKEN || fits_budget(&self.model, &found) {
            true => (found, effort),
            false => (lay(Effort::TAKEN), Effort::TAKEN),
        }
    }

    /// Lays a plan out as well as it can be, since it is taken.
    pub fn settle(&self, plan: &mut Realised) {
        if plan.effort == Effort::TAKEN {
            return;
        }
        let asked = plan.asked.clone();
        let (order, live, ranges) = (&plan.order, &plan.live, &plan.ranges);
        let (layout, effort) = self.layout(order, live, ranges, Effort::TAKEN, asked.spacing);
        let Some((edges, limit)) = &asked.under else {
            plan.hoped = layout.bound.bytes;
            plan.lie(layout, effort);
            return;
        };
        let mut own = plan.clone();
        own.lie(smaller(&plan.layout, layout), effort);
        let own = self.leanest(own, *limit);
        // On one stream there is nothing else to come of it.
        let leaner = *limit > 1 && edges.len() > plan.added.len();
        let anew = leaner.then(|| self.searched(asked.clone(), Effort::TAKEN));
        let best = match anew.flatten() {
            Some(anew) if prefers(&self.model, &anew, &own) => anew,
            _ => own,
        };
        *plan = Realised {
            hoped: plan.hoped,
            ..best
        };
    }
}

/// `layout`, or the one before where that is smaller.
fn smaller(before: &Layout, layout: Layout) -> Layout {
    match before.arena < layout.arena || before.pinned < layout.pinned {
        true => Layout {
            bound: layout.bound,
            ..before.clone()
        },
        false => layout,
    }
}
