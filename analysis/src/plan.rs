//! The plan: storage, schedule and events, ready to become a program.

use std::collections::{BTreeMap, BTreeSet};

use crate::alias::demands;
use crate::declared::{Declared, Issue};
use crate::digest::{Digest, Digester};
use crate::fault::{Edit, Fault, Part};
use crate::frontier::Frontiers;
use crate::layout::{check_budget, fits_budget, sizes::amount};
use crate::model::{Model, TaskId};
use crate::order::Precedence;
use crate::policy::{
    Candidate, Chosen, Ground, Realised, Searched, bounded, choose, may_beat, search, search_kept,
    terms,
};
use crate::recompute::{self, Remake, Rewritten};
use crate::record::{DemandRecord, Identity, Policy, Record, Sync};

/// Alignment of every slot, in bytes.
pub const SLOT_ALIGN: u64 = 256;

/// Where a resource lives, as an offset in arena, store and pinned memory, laid end to end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    /// Offset in bytes, a multiple of [`SLOT_ALIGN`].
    pub offset: u64,
    /// Aligned size at the dims' maxima, in bytes.
    pub bytes: u64,
}

/// One step of a run; the runtime's ops, one to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "documented once, at the runtime's `Op`")]
pub enum Op {
    Gate {
        event: u32,
    },
    Acquire {
        resource: u32,
    },
    Release {
        resource: u32,
    },
    Launch {
        task: u32,
        stream: u8,
        in_place: bool,
    },
    Record {
        event: u32,
        stream: u8,
    },
    Wait {
        stream: u8,
        event: u32,
    },
}

/// What the host does to read an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "documented once, at the runtime's `HostOp`")]
pub enum HostOp {
    Wait { event: u32 },
    Read { resource: u32 },
}

/// A graph in which values are made again.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// The graph.
    pub model: Model,
    /// Of each task the one of the graph as it was written that does the same.
    pub origin: Vec<TaskId>,
}

impl Graph {
    /// The tasks that make a value again, each with the one that makes it first, in the order of the
    /// former.
    pub fn again(&self) -> Vec<(TaskId, TaskId)> {
        let mut first = BTreeMap::new();
        let tasks = self.origin.iter().zip(0..).filter_map(|(&origin, t)| {
            // A value is made before it is made again.
            let of = *first.entry(origin).or_insert(TaskId(t));
            (of != TaskId(t)).then_some((TaskId(t), of))
        });
        tasks.collect()
    }
}

/// Storage, schedule and events of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The graph that is planned, where values are made again in it; else it is as it was written.
    pub graph: Option<Box<Graph>>,
    /// A slot for each resource.
    pub slots: Vec<Slot>,
    /// Bytes of one instance's arena.
    pub arena: u64,
    /// Bytes of the store, which holds what outlives runs, one copy for all instances. Its slots
    /// have offsets from `arena` on.
    pub store: u64,
    /// Bytes of one instance's staging. Its slots have offsets from `arena + store` on.
    pub pinned: u64,
    /// No layout of this graph is smaller than this.
    pub lower_bound: u64,
    /// Instances.
    pub ring: u32,
    /// Streams of one instance.
    pub streams: u8,
    /// Events of one instance.
    pub events: u32,
    /// Issued by `run`, in this order.
    pub issue: Vec<Op>,
    /// Done by the host for each output.
    pub collect: Vec<HostOp>,
}

impl Plan {
    /// What runs where a graph is realised so.
    pub(crate) fn new(model: &Model, realised: &Realised) -> Self {
        let (layout, schedule) = (&realised.layout, &realised.schedule);
        Self {
            graph: None,
            slots: layout.slots.clone(),
            arena: layout.arena,
            store: layout.store,
            pinned: layout.pinned,
            lower_bound: layout.bound.bytes,
            ring: model.depth.max(1),
            streams: schedule.streams,
            events: schedule.events,
            issue: schedule.issue.clone(),
            collect: schedule.collect.clone(),
        }
    }

    /// What the program is known by: where everything lies, and what is issued and how, of the source
    /// that is declared. The lower bound is none of it.
    pub fn digest(&self, declared: &Declared) -> Digest {
        let mut digester = Digester::default();
        if let Some(source) = declared.source {
            digester.text(&source.to_string());
        }
        digester.number(match declared.issue.unwrap_or_default() {
            Issue::Streams => 0,
            Issue::Graph => 1,
        });
        let counts = [self.ring, self.streams.into(), self.events].map(u64::from);
        let sizes = [self.arena, self.store, self.pinned];
        for number in counts.into_iter().chain(sizes) {
            digester.number(number);
        }
        digester.number(self.slots.len() as u64);
        for slot in &self.slots {
            digester.number(slot.offset);
            digester.number(slot.bytes);
        }
        digester.number(self.issue.len() as u64);
        for op in &self.issue {
            let (kind, stream, index) = match *op {
                Op::Gate { event } => (0, 0, event),
                Op::Acquire { resource } => (1, 0, resource),
                Op::Release { resource } => (2, 0, resource),
                Op::Launch {
                    task,
                    stream,
                    in_place,
                } => (3 + u64::from(in_place), stream, task),
                Op::Record { event, stream } => (5, stream, event),
                Op::Wait { stream, event } => (6, stream, event),
            };
            digester.number(kind << 56 | u64::from(stream) << 48 | u64::from(index));
        }
        for op in &self.collect {
            digester.number(match *op {
                HostOp::Wait { event } => u64::from(event) << 1,
                HostOp::Read { resource } => u64::from(resource) << 1 | 1,
            });
        }
        digester.finish()
    }
}

/// What is wrong with the orders and aliases that `model` demands.
pub(crate) fn demand_faults(model: &Model) -> Vec<Fault> {
    let held = Precedence::new(model).and_then(|order| {
        let live = Frontiers::new(model, &order);
        demands(model, &order, &live).map(drop)
    });
    held.err().unwrap_or_default()
}

/// Plans `model`, which the other checks of this crate have accepted.
///
/// The same model gives the same plan on every machine: searches count steps, never seconds.
///
/// # Errors
/// All faults of the first phase that finds any: a cyclic order; then demanded aliases that no proof
/// supports; then a budget that the graph exceeds, or an objective that rests on what is not known.
pub fn plan(model: &Model) -> Result<(Plan, Record), Vec<Fault>> {
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
    let budget = budget_fault(&ground, &searched.candidates, chosen.plan);
    if let Some(fault) = budget {
        return Err(vec![fault]);
    }
    let policy = Policy::new(&ground, &searched, chosen, made);
    let (Some(baseline), Some(taken)) = (
        searched.candidates.first(),
        searched.candidates.get(policy.plan),
    ) else {
        return Err(Vec::new());
    };
    let own = taken.remade.clone();
    let of = own.as_ref().map_or(&ground, |remade| &remade.ground);
    let identity = Identity::new(
        (&ground.model, &baseline.realised),
        (&of.model, &taken.realised),
    );
    let demanded = demanded.as_ref().map(|(_, again)| again);
    let graph = graph(demanded, taken.remade.as_ref().map(|r| &r.rewritten));
    let mut plan = Plan::new(&of.model, &taken.realised);
    plan.graph = graph.map(Box::new);
    let Some(taken) = searched.candidates.into_iter().nth(policy.plan) else {
        return Err(Vec::new());
    };
    let record = Record::new(of, taken.realised, policy, identity);
    Ok((plan, record))
}

/// Plans that are laid out anew beside the one that is taken, since they may be better then.
const RIVALS: usize = 4;

/// Chooses the plan. It is laid out anew, with more effort, and so are a few that would be better if
/// their arenas came close to their bounds; what came of the others is said with the figures of that.
/// So is the graph as it stands, which is measured beside the plan: without an objective it is the
/// plan.
fn taken(ground: &Ground, searched: &mut Searched) -> Result<Chosen, Vec<Fault>> {
    let model = &ground.model;
    let all = &mut searched.candidates;
    let fits = |c: &Candidate| fits_budget(model, &c.realised.layout);
    let mut settled = BTreeSet::from([0]);
    all[0].settle(ground);
    let mut rivals = 0;
    loop {
        let chosen = choose(model, all, fits)?;
        let mut next = chosen.plan;
        if settled.contains(&next) && rivals < RIVALS {
            let plan = &all[chosen.plan].realised;
            let better = |c: &usize| may_beat(model, &all[*c].realised, plan);
            let open = (0..all.len()).filter(|c| !settled.contains(c));
            let bound = |c: &usize| (all[*c].realised.figures.bound, *c);
            next = open.filter(better).min_by_key(bound).unwrap_or(next);
            rivals += 1;
        }
        if !settled.insert(next) {
            return Ok(chosen);
        }
        all[next].settle(ground);
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

/// The fault of a plan that the budget has no room for; it says where an objective would find room.
fn budget_fault(ground: &Ground, candidates: &[Candidate], plan: usize) -> Option<Fault> {
    let (model, plan) = (&ground.model, candidates.get(plan)?);
    let fault = check_budget(model, &plan.realised.layout)?;
    let fault = bounded(ground, candidates, plan, fault);
    let least = candidates
        .iter()
        .filter(|c| fits_budget(model, &c.realised.layout))
        .min_by_key(|c| (c.realised.layout.arena, c.remade.is_some()));
    let (Some(least), Some(budget)) = (least, &model.budget) else {
        return Some(fault);
    };
    let edit = Edit::before(budget.site, "minimize peak; ").of(Part::Statement);
    let how = match least.remade {
        None => "orders tasks",
        Some(_) => "makes values again",
    };
    let arena = amount(least.realised.layout.arena);
    let words = format!("declare `{{}}`, which {how} so that the arena takes {arena}");
    Some(fault.fix(&words, [edit]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan {
            graph: None,
            slots: vec![Slot {
                offset: 256,
                bytes: 512,
            }],
            arena: 768,
            store: 1,
            pinned: 2,
            lower_bound: 3,
            ring: 4,
            streams: 5,
            events: 6,
            issue: vec![
                Op::Gate { event: 0 },
                Op::Launch {
                    task: 1,
                    stream: 2,
                    in_place: true,
                },
                Op::Wait {
                    stream: 3,
                    event: 4,
                },
            ],
            collect: vec![HostOp::Wait { event: 5 }, HostOp::Read { resource: 6 }],
        }
    }

    /// Profiles are known by it, wherever they were written.
    #[test]
    fn a_program_is_known_by_the_same_hash_on_every_machine() {
        let digest = plan().digest(&Declared::default());
        assert_eq!(digest.to_string(), "a53976b5148d5656");
    }

    #[test]
    fn a_program_is_known_by_all_that_runs_and_by_its_source() {
        let of = |change: &dyn Fn(&mut Plan)| {
            let mut plan = plan();
            change(&mut plan);
            plan.digest(&Declared::default())
        };
        let same = of(&|_| {});
        assert_eq!(of(&|p| p.lower_bound = 9), same);
        let changes: [&dyn Fn(&mut Plan); 12] = [
            &|p| p.slots[0].offset = 0,
            &|p| p.slots[0].bytes = 256,
            &|p| p.slots.clear(),
            &|p| p.arena = 1024,
            &|p| p.store = 0,
            &|p| p.pinned = 0,
            &|p| p.ring = 1,
            &|p| p.streams = 1,
            &|p| p.events = 7,
            &|p| p.issue.swap(0, 2),
            &|p| {
                p.issue[1] = Op::Launch {
                    task: 1,
                    stream: 2,
                    in_place: false,
                }
            },
            &|p| p.collect.truncate(1),
        ];
        for (i, change) in changes.into_iter().enumerate() {
            assert_ne!(of(change), same, "change {i}");
        }
        let declared = Declared {
            issue: Some(Issue::Graph),
            ..Declared::default()
        };
        assert_ne!(plan().digest(&declared), same);
        let declared = Declared {
            source: Some(same),
            ..Declared::default()
        };
        assert_ne!(plan().digest(&declared), same);
    }
}
