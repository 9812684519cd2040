//! Which candidate is taken, and why the others are not.

use std::cmp::Ordering;

use super::chains::compare_paths;
use super::sum::Sum;
use super::{Candidate, Figures, Metric, Minimize, Realised, Weight};
use crate::fault::{BLOCKED, Fault, list};
use crate::model::{Model, Task, TaskKind};

/// What came of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is the plan.
    Taken,
    /// Values are made again in it, and its arena is no smaller than that of the graph as it stands.
    PeakReturns,
    /// The budget has no room for it.
    OverBudget,
    /// This other candidate is as good in all figures and better in one.
    Beaten(usize),
    /// It is worse than the plan in this metric, the first in which the two differ.
    Worse(Metric),
    /// Its weighted sum is larger.
    Heavier,
    /// It is as good as the plan in all that is minimised, and lost by something else.
    Equal(Lost),
    /// Costs that are not known decide between it and the plan, or another plan ruled it out before.
    Undecided,
    /// Nothing is minimised, so that nothing is traded.
    NotAsked,
}

/// What decides between plans that are as good in all that is minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// It adds more edges.
    Edges,
    /// Aliases of it may rest on the order of streams, and none of the plan do.
    Streams,
    /// Its streams wait for each other more often.
    Waits,
    /// Nothing of these: it was found later.
    Later,
}

/// The choice.
pub struct Chosen {
    /// Which candidate is the plan.
    pub plan: usize,
    /// Of each candidate.
    pub outcomes: Vec<Outcome>,
    /// Metrics in which candidates could not be told apart, as kernels have no cost.
    pub undecided: Vec<Metric>,
}

/// Chooses among `candidates`, of which the first adds nothing. None of them is over the budget but
/// for those that `fits` refuses; where it refuses all, what comes the closest is chosen, or the first
/// where nothing is minimised.
///
/// # Errors
/// A fault where `minimize` weighs what is not known.
pub fn choose(
    model: &Model,
    candidates: &[Candidate],
    fits: impl Fn(&Candidate) -> bool,
) -> Result<Chosen, Vec<Fault>> {
    let fits: Vec<bool> = candidates.iter().map(fits).collect();
    let stands = stands(candidates);
    let returns = |c: usize| {
        let of = &candidates[c];
        of.remade.is_some() && of.realised.figures.arena >= stands
    };
    let room = (0..candidates.len()).filter(|&c| fits[c] && !returns(c));
    let room: Vec<usize> = room.collect();
    let minimize = model.declared.minimize.as_ref();
    let mut undecided = Vec::new();
    let arena = |c: &usize| (candidates[*c].realised.figures.arena, *c);
    let plan = match minimize {
        None => 0,
        Some(_) if room.is_empty() => (0..candidates.len()).min_by_key(arena).unwrap_or(0),
        Some(Minimize::Order(order)) => {
            let metrics = order.iter().map(|(metric, _)| *metric);
            by_order(candidates, room, metrics, &mut undecided)
        }
        Some(minimize @ Minimize::Weights(weights)) => match blocked(model, minimize) {
            Some(fault) => return Err(vec![fault]),
            None => by_weights(candidates, room, weights),
        },
    };
    let outcomes = (0..candidates.len()).map(|c| match minimize {
        _ if c == plan => Outcome::Taken,
        _ if returns(c) => Outcome::PeakReturns,
        _ if !fits[c] => Outcome::OverBudget,
        _ => why(candidates, minimize, plan, c),
    });
    Ok(Chosen {
        plan,
        outcomes: outcomes.collect(),
        undecided,
    })
}

/// The arena of the graph as it stands.
pub(super) fn stands(candidates: &[Candidate]) -> u64 {
    let stand = candidates.iter().filter(|c| c.kind.stands());
    let arenas = stand.map(|c| c.realised.figures.arena);
    arenas.min().unwrap_or(0)
}

fn by_order(
    candidates: &[Candidate],
    mut left: Vec<usize>,
    metrics: impl Iterator<Item = Metric>,
    undecided: &mut Vec<Metric>,
) -> usize {
    for metric in metrics {
        let beaten = |&c: &usize| {
            let mut others = left.iter();
            others.any(|&o| compare(candidates, o, c, metric) == Some(Ordering::Less))
        };
        let kept: Vec<usize> = left.iter().copied().filter(|c| !beaten(c)).collect();
        let mut pairs = kept.iter().flat_map(|a| kept.iter().map(move |b| (*a, *b)));
        if pairs.any(|(a, b)| compare(candidates, a, b, metric).is_none()) {
            undecided.push(metric);
        }
        left = kept;
    }
    least(candidates, left)
}

/// The one with the fewest added edges and waits; the first of several.
fn least(candidates: &[Candidate], left: Vec<usize>) -> usize {
    let key = |&c: &usize| (adds(&candidates[c].realised), c);
    left.into_iter().min_by_key(key).unwrap_or(0)
}

/// What a plan has beside what is minimised, and the less the better: added edges, conditions that are
/// orders of streams, waits.
fn adds(of: &Realised) -> (usize, bool, usize) {
    (of.figures.added, of.conditional, of.figures.waits)
}

/// By what the second lost, which is as good as the first in all that is minimised and not before it.
fn lost(plan: &Realised, other: &Realised) -> Option<Lost> {
    let (mine, its) = (adds(plan), adds(other));
    match its.cmp(&mine) {
        Ordering::Less => None,
        Ordering::Equal => Some(Lost::Later),
        Ordering::Greater if its.0 != mine.0 => Some(Lost::Edges),
        Ordering::Greater if its.1 != mine.1 => Some(Lost::Streams),
        Ordering::Greater => Some(Lost::Waits),
    }
}

fn by_weights(candidates: &[Candidate], room: Vec<usize>, weights: &[Weight]) -> usize {
    let of = |c: usize| Sum::of(weights, &candidates[c].realised.figures);
    let sums: Vec<(Sum, usize)> = room.into_iter().map(|c| (of(c), c)).collect();
    let best = sums.iter().map(|(sum, _)| sum).min();
    let equal = sums.iter().filter(|(sum, _)| Some(sum) == best);
    least(candidates, equal.map(|(_, c)| *c).collect())
}

/// A weighed critical path needs the cost of every kernel.
fn blocked(model: &Model, minimize: &Minimize) -> Option<Fault> {
    if model.declared.profile_refused {
        return None;
    }
    let mut named = minimize.metrics().into_iter();
    let (metric, site) = named.find(|(metric, _)| *metric == Metric::CriticalPath)?;
    let unknown: Vec<&str> = model.declared.without_cost().collect();
    if unknown.is_empty() {
        return None;
    }
    let what = match unknown.len() {
        1 => "cost",
        _ => "costs",
    };
    let names = list(unknown.iter().copied(), 4);
    let message = format!("the plan is blocked on the {what} of {names}");
    let mut fault = Fault::new(BLOCKED, site, message);
    for &name in unknown.iter().take(4) {
        let launches = |task: &&Task| matches!(&task.kind, TaskKind::Kernel(l) if l.name == name);
        if let Some(task) = model.tasks.iter().find(launches) {
            fault = fault.label(task.site, format!("`{name}` has no cost"));
        }
    }
    fault = fault.note("what is not known is not taken for nothing");
    if let Some(profile) = model
        .declared
        .profile
        .as_ref()
        .filter(|p| p.measured.is_none())
    {
        let file = &profile.file;
        fault = fault.note(format!(
            "the profile `{file}` is of another source, and not used"
        ));
    }
    Some(fault.help(format!(
        "declare the cost of each kernel, as in `cost 12 us`, or an order, as in `minimize peak, then {metric}`"
    )))
}

fn compare(candidates: &[Candidate], a: usize, b: usize, metric: Metric) -> Option<Ordering> {
    compared(&candidates[a].realised, &candidates[b].realised, metric)
}

fn compared(a: &Realised, b: &Realised, metric: Metric) -> Option<Ordering> {
    match metric {
        Metric::CriticalPath => compare_paths(a.path(), b.path()),
        _ => Some(a.figures.of(metric).cmp(&b.figures.of(metric))),
    }
}

/// Whether `a` is better than `b`, which is another layout of the same candidate: in what is minimised,
/// or else by a smaller arena, and then by fewer edges and waits.
pub(super) fn prefers(model: &Model, a: &Realised, b: &Realised) -> bool {
    let asked = match &model.declared.minimize {
        None => compared(a, b, Metric::Peak),
        Some(Minimize::Order(order)) => {
            let each = order.iter().map(|(metric, _)| compared(a, b, *metric));
            let mut differs = each.filter(|o| *o != Some(Ordering::Equal));
            differs.next().unwrap_or(Some(Ordering::Equal))
        }
        Some(Minimize::Weights(weights)) => {
            let [a, b] = [a, b].map(|of| Sum::of(weights, &of.figures));
            Some(a.cmp(&b))
        }
    };
    let takes = |of: &Realised| (of.figures.arena, of.figures.added, of.figures.waits);
    match asked {
        Some(Ordering::Equal) => takes(a) < takes(b),
        found => found == Some(Ordering::Less),
    }
}

/// Whether `rival` would be better than `plan` in what is minimised if it could be laid out in no more
/// than the bound of its arena, under all edges that it was laid out for.
pub fn may_beat(model: &Model, rival: &Realised, plan: &Realised) -> bool {
    let bound = rival.hoped.min(rival.figures.bound);
    match &model.declared.minimize {
        None => false,
        Some(Minimize::Order(order)) => {
            let each = order.iter().map(|(metric, _)| match metric {
                Metric::Peak => Some(bound.cmp(&plan.figures.arena)),
                metric => compared(rival, plan, *metric),
            });
            let mut differs = each.filter(|o| *o != Some(Ordering::Equal));
            differs.next() == Some(Some(Ordering::Less))
        }
        Some(Minimize::Weights(weights)) => {
            let hoped = Figures {
                arena: rival.figures.arena.min(bound),
                ..rival.figures.clone()
            };
            Sum::of(weights, &hoped) < Sum::of(weights, &plan.figures)
        }
    }
}

fn why(candidates: &[Candidate], minimize: Option<&Minimize>, plan: usize, c: usize) -> Outcome {
    let beaten = |&o: &usize| {
        let found = Metric::ALL.map(|metric| compare(candidates, o, c, metric));
        let worse = |o: &Option<Ordering>| matches!(o, None | Some(Ordering::Greater));
        o != c && !found.iter().any(worse) && found.contains(&Some(Ordering::Less))
    };
    if let Some(by) = (0..candidates.len()).find(beaten) {
        return Outcome::Beaten(by);
    }
    let lost = || {
        let [plan, other] = [plan, c].map(|c| &candidates[c].realised);
        lost(plan, other).map_or(Outcome::Undecided, Outcome::Equal)
    };
    match minimize {
        None => Outcome::NotAsked,
        Some(Minimize::Weights(weights)) => {
            let [plan, other] =
                [plan, c].map(|c| Sum::of(weights, &candidates[c].realised.figures));
            match other > plan {
                true => Outcome::Heavier,
                false => lost(),
            }
        }
        Some(Minimize::Order(order)) => {
            let mut metrics = order.iter().map(|(metric, _)| *metric);
            let differs =
                |metric: &Metric| compare(candidates, plan, c, *metric) == Some(Ordering::Less);
            let same =
                |metric: Metric| compare(candidates, plan, c, metric) == Some(Ordering::Equal);
            match metrics.clone().all(same) {
                true => lost(),
                false => metrics
                    .find(differs)
                    .map_or(Outcome::Undecided, Outcome::Worse),
            }
        }
    }
}
