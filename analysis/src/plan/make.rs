//! From a graph to its plan: what is weighed, what is taken, and what is said of it.

use std::collections::BTreeSet;

use super::{Graph, Plan};
use crate::alias::demands;
use crate::fault::{Edit, Fault, Part};
use crate::frontier::Frontiers;
use crate::layout::{Layout, check_budget, fits_budget, sizes::amount};
use crate::model::{Model, RegionBytes};
use crate::order::Precedence;
use crate::policy::{
    Candidate, Chosen, Ground, Kind, Searched, bounded, choose, may_beat, search, search_kept,
    settled as price, terms,
};
use crate::recompute::{self, Remake, Rewritten};
use crate::record::{DemandRecord, Identity, Known, Policy, Record, Sync};

/// What is wrong with the orders and aliases that `model` demands.
pub(crate) fn demand_faults(model: &Model) -> Vec<Fault> {
    let held = Precedence::new(model).and_then(|order| {
        let live = Frontiers::new(model, &order);
        demands(model, &order, &live).map(drop)
    });
    held.err().unwrap_or_default()
}

/// A graph with the plan that is chosen of what was weighed, before it is known where all combinations
/// of variants have their domains.
pub(super) struct Weighed {
    /// The graph as it was written and with what it demands to be made again, where it demands that.
    demanded: Option<(Ground, Rewritten)>,
    ground: Ground,
    searched: Searched,
    made: Vec<DemandRecord>,
    chosen: Chosen,
}

impl Weighed {
    /// Weighs plans of `model`, which the other checks of this crate have accepted. The one that is
    /// chosen may be over the budget, if all are.
    pub(super) fn new(model: &Model) -> Result<Self, Vec<Fault>> {
        let demanded = match model.again.is_empty() {
            true => None,
            // What is wrong with the graph itself comes first.
            false => Some((
                Ground::new(model.clone())?,
                recompute::demanded(model, None)?,
            )),
        };
        let ground = match &demanded {
            None => Ground::new(model.clone())?,
            Some((_, again)) => {
                let ground = Ground::new(again.model.clone());
                ground.map_err(|faults| recompute::given_away(model, again).unwrap_or(faults))?
            }
        };
        let mut searched = search(&ground);
        let made = match &demanded {
            None => Vec::new(),
            Some((written, again)) => {
                let first = &searched.candidates[0].realised;
                let terms = terms(again, &ground, written, first);
                gains(model, again, &ground, &mut searched, terms)?
            }
        };
        let chosen = taken(&ground, &mut searched)?;
        Ok(Self {
            demanded,
            ground,
            searched,
            made,
            chosen,
        })
    }

    fn taken(&self) -> &Candidate {
        &self.searched.candidates[self.chosen.plan]
    }

    /// The layout of the plan.
    pub(super) fn layout(&self) -> &Layout {
        &self.taken().realised.layout
    }

    /// The layout of the graph as it stands.
    fn stands(&self) -> &Layout {
        &self.searched.candidates[0].realised.layout
    }

    /// What the plan does.
    pub(super) fn does(&self) -> Kind {
        self.taken().does(&self.ground)
    }

    /// The fault of a plan that the budget has no room for, where other combinations of variants take
    /// `beside`. It says where an objective would find room: what it does, and the arena that it takes
    /// then.
    pub(super) fn refused(
        &mut self,
        beside: &RegionBytes,
        found: Option<(Kind, u64)>,
    ) -> Option<Fault> {
        let with = |model: &Model| {
            let mut model = model.clone();
            if let Some(budget) = &mut model.budget {
                budget.beside.clone_from(beside);
            }
            model
        };
        self.ground.model = with(&self.ground.model);
        let (model, plan) = (&self.ground.model, self.taken());
        let own = plan.remade.as_ref().map(|own| with(&own.ground.model));
        let own = own.as_ref().unwrap_or(model);
        let chosen = plan.realised.conditional;
        let fault = check_budget(own, &plan.realised.layout, chosen)?;
        // What was weighed here has room between slots that it would not have then.
        let all = &self.searched.candidates;
        let fault = bounded(&self.ground, all, plan, found.is_some(), fault);
        let (Some((kind, arena)), Some(budget)) = (found, &model.budget) else {
            return Some(fault);
        };
        let edit = Edit::before(budget.site, "minimize peak; ").of(Part::Statement);
        let how = match kind {
            Kind::Packed => "leaves no room between slots of whole pages",
            Kind::Again(_) => "makes values again",
            Kind::Leaving(..) => "does less in place",
            _ => "orders tasks",
        };
        let arena = amount(arena);
        let words = format!("declare `{{}}`, which {how} so that the arena takes {arena}");
        Some(fault.fix(&words, [edit]))
    }

    /// The plan and its record, with each domain where all combinations have it.
    pub(super) fn finish(self, all: &Places) -> (Plan, Record) {
        let Self {
            demanded,
            ground,
            mut searched,
            made,
            chosen,
        } = self;
        let policy = Policy::new(&ground, &searched, chosen, made);
        let stands = &mut searched.candidates[0].realised;
        let baseline = stands.at(&ground.model, &all.stands, |stands| {
            Known::new(&ground.model, stands)
        });
        let mut taken = searched.candidates.swap_remove(policy.plan);
        let own = taken.remade.clone();
        let of = own.as_ref().map_or(&ground, |remade| &remade.ground);
        taken.realised.spread(&of.model, &all.plan);
        let identity = Identity {
            source: ground.model.declared.source,
            baseline,
            chosen: Known::new(&of.model, &taken.realised),
        };
        let demanded = demanded.as_ref().map(|(_, again)| again);
        let graph = graph(demanded, taken.remade.as_ref().map(|r| &r.rewritten));
        let mut plan = Plan::new(&of.model, &taken.realised);
        plan.graph = graph.map(Box::new);
        let record = Record::new(of, taken.realised, policy, identity);
        (plan, record)
    }
}

/// Where all combinations of a graph's variants have their domains.
#[derive(Default)]
pub(super) struct Places {
    /// In their plans.
    plan: RegionBytes,
    /// In the graph as it stands.
    stands: RegionBytes,
}

impl Places {
    /// Room for `one`, too.
    pub(super) fn join(&mut self, one: &Weighed) {
        self.plan.join(&one.layout().regions);
        self.stands.join(&one.stands().regions);
    }
}

/// Plans that are laid out anew beside the one that is taken, since they may be better then.
const RIVALS: usize = 4;

/// Chooses the plan. It is laid out anew, with more effort, and so are a few that would be better if
/// their arenas came close to their bounds; what came of the others is said with the figures of that.
/// So is the graph as it stands, which is measured beside the plan: without an objective it is the
/// plan.
fn taken(ground: &Ground, searched: &mut Searched) -> Result<Chosen, Vec<Fault>> {
    let model = &ground.model;
    let fits = |c: &Candidate| fits_budget(model, &c.realised.layout);
    let mut settled = BTreeSet::from([0]);
    let all = &mut searched.candidates;
    all[0].settle(ground);
    if let Some(packed) = all.iter().position(|c| c.kind == Kind::Packed)
        && let Some(anew) = all[0].realised.packed()
    {
        all[packed].realised = anew;
        settled.insert(packed);
    }
    let mut rivals = 0;
    loop {
        let all = &searched.candidates;
        let chosen = choose(model, all, fits)?;
        let mut next = chosen.plan;
        if settled.contains(&next) && rivals < RIVALS {
            let plan = &all[chosen.plan].realised;
            let better = |c: &usize| may_beat(model, &all[*c].realised, plan);
            let open = (0..all.len()).filter(|c| !settled.contains(c));
            let bound = |c: &usize| (all[*c].realised.hoped, *c);
            if let Some(rival) = open.filter(better).min_by_key(bound) {
                match searched.work.has(price(ground)) {
                    true => next = rival,
                    false => searched.cut = true,
                }
            }
            rivals += 1;
        }
        if !settled.insert(next) {
            return Ok(chosen);
        }
        searched.settle(ground, next);
    }
}

/// The graph in which values are made again: those that it demands, and behind them those that were
/// `chosen`.
fn graph(demanded: Option<&Rewritten>, chosen: Option<&Rewritten>) -> Option<Graph> {
    let last = chosen.or(demanded)?;
    let origin = last.origin.iter().map(|&t| match (demanded, chosen) {
        (Some(first), Some(_)) => first.origin[t.0 as usize],
        _ => t,
    });
    Some(Graph {
        model: last.model.clone(),
        origin: origin.collect(),
    })
}

/// The arena that takes least of what was searched, but for what is made again unasked.
/// It is laid out as well as it can be.
fn least(ground: &Ground, searched: &mut Searched) -> u64 {
    let kept = searched.candidates.iter_mut();
    let kept = kept.filter(|c| c.remade.is_none());
    let Some(least) = kept.min_by_key(|c| c.realised.figures.arena) else {
        return 0;
    };
    least.settle(ground);
    least.realised.figures.arena
}

/// What each value gains that `model` demands to be made again, as it is in `again`; refuses those
/// that make no arena smaller.
fn gains(
    model: &Model,
    again: &Rewritten,
    ground: &Ground,
    searched: &mut Searched,
    terms: Vec<Remake>,
) -> Result<Vec<DemandRecord>, Vec<Fault>> {
    let with = least(ground, searched);
    let figures = &searched.candidates[0].realised.figures;
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for (number, remake) in recompute::met(model).into_iter().zip(terms) {
        let other = recompute::demanded(model, Some(number))?;
        let ground = Ground::new(other.model)?;
        let mut other = search_kept(&ground);
        let without = least(&ground, &mut other);
        if with >= without {
            faults.extend(recompute::no_gain(model, number, again, with, without));
        }
        found.push(DemandRecord {
            remake,
            with,
            without,
            sync: Sync::more(figures, &other.candidates[0].realised.figures),
        });
    }
    match faults.is_empty() {
        true => Ok(found),
        false => Err(faults),
    }
}
