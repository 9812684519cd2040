//! The plans that were weighed, and what came of each.

use std::collections::BTreeMap;
use std::fmt::{self, Formatter, Write};

use super::figures::{differs, figures, peaks, takes};
use super::text::{SHORT, list, short};
use super::{Alias, DemandRecord, Record};
use crate::fault::counted;
use crate::model::{Model, ResourceId, TaskId};
use crate::policy::{
    Chosen, Figures, Ground, Kind, Lost, Metric, Minimize, Outcome, Refused, Searched, terms,
};
use crate::recompute::Remake;

/// One plan that was weighed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rival {
    /// What it does.
    pub kind: Kind,
    /// The same in words.
    pub name: String,
    /// Values that are made again in it, beside those that are demanded.
    pub remade: Vec<Remake>,
    /// What it costs.
    pub figures: Figures,
    /// What the least peak of all its executions lies between, and what the greatest does. Of the plan
    /// that is taken these are searched for.
    pub peaks: [[u64; 2]; 2],
    /// Bytes of that arena that are there so that slots begin on different cache sets.
    pub padding: u64,
    /// Tasks of which it orders the one before the other beside the dependencies and its streams, by
    /// name: values that are made again are made by tasks of their own.
    pub added: Vec<[String; 2]>,
    /// What came of it.
    pub outcome: Outcome,
}

impl Rival {
    /// Bytes of its arena, padding aside.
    pub(super) fn tight(&self) -> u64 {
        self.figures.arena.saturating_sub(self.padding)
    }
}

/// What was weighed, and what was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Every plan that was laid out. The first adds nothing.
    pub rivals: Vec<Rival>,
    /// Which is taken.
    pub plan: usize,
    /// Metrics in which plans could not be told apart, since kernels have no cost.
    pub undecided: Vec<Metric>,
    /// The search ended because its steps were used up.
    pub cut: bool,
    /// Values that are made again by demand, in every plan.
    pub demanded: Vec<DemandRecord>,
    /// Values that cannot be made again before some reader.
    pub refused: Vec<Refused>,
}

impl Policy {
    pub(crate) fn new(
        ground: &Ground,
        searched: &Searched,
        chosen: Chosen,
        demanded: Vec<DemandRecord>,
    ) -> Self {
        let rivals = searched.candidates.iter().zip(chosen.outcomes);
        let rivals = rivals.map(|(candidate, outcome)| {
            let (own, realised) = (candidate.remade.as_ref(), &candidate.realised);
            let remade = own.map_or(Vec::new(), |own| {
                terms(&own.rewritten, &own.ground, ground, realised)
            });
            let model = own.map_or(&ground.model, |own| &own.ground.model);
            let kind = candidate.does(ground);
            let task = |t: TaskId| model.tasks[t.0 as usize].name.clone();
            let added = realised.added.iter();
            let added = added.map(|&(a, b)| [a, b].map(task));
            Rival {
                name: named(&kind, model, &remade),
                kind,
                remade,
                figures: realised.figures.clone(),
                peaks: realised.figures.peaks(),
                padding: realised.layout.padding,
                added: added.collect(),
                outcome,
            }
        });
        Self {
            rivals: rivals.collect(),
            plan: chosen.plan,
            undecided: chosen.undecided,
            cut: searched.cut,
            demanded,
            refused: searched.refused.clone(),
        }
    }

    /// Whether the resource of that name is there because a value is made again.
    pub fn makes_again(&self, name: &str) -> bool {
        let taken = self.rivals.get(self.plan).into_iter();
        let taken = taken.flat_map(|rival| &rival.remade);
        let demanded = self.demanded.iter().map(|demand| &demand.remake);
        taken.chain(demanded).any(|made| made.instance == name)
    }

    /// Whether aliases of the plan may rest on the order of its streams.
    pub fn conditional(&self) -> bool {
        let taken = self.rivals.get(self.plan);
        taken.is_some_and(|rival| rival.kind.is_conditional())
    }

    /// The graph as it stands, in the smaller arena where slots may or may not lie apart: that they lie
    /// close is no saving of what else a plan does.
    pub fn stands(&self) -> &Rival {
        let stand = self.rivals.iter().filter(|rival| rival.kind.stands());
        let least = stand.min_by_key(|rival| rival.figures.arena);
        least.unwrap_or(&self.rivals[0])
    }
}

/// Rivals that are written out.
const SHOWN: usize = 12;

impl Record {
    pub(super) fn policy(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let policy = &self.policy;
        let count = counted(policy.rivals.len(), "plan");
        writeln!(f, "\npolicy: {count} weighed")?;
        match &self.declared.minimize {
            None => writeln!(f, "  minimize       nothing: nothing is traded")?,
            Some(minimize) => writeln!(f, "  minimize       {minimize}")?,
        }
        // The first is what all others are compared with, and written out whatever beats it.
        let beaten =
            |(at, rival): &(usize, &Rival)| *at > 0 && matches!(rival.outcome, Outcome::Beaten(_));
        let all = policy.rivals.iter().enumerate();
        let (beaten, front): (Vec<_>, Vec<_>) = all.partition(beaten);
        // The plan is among those that are written out, wherever it stands.
        let taken = |(_, rival): &&(usize, &Rival)| rival.outcome == Outcome::Taken;
        let first = front.iter().take(SHOWN);
        let behind = front.iter().skip(SHOWN).find(taken);
        let shown = SHOWN.min(front.len()) + usize::from(behind.is_some());
        for &(at, rival) in first.chain(behind) {
            writeln!(f, "  {}", rival.name)?;
            writeln!(f, "    costs     {}", figures(&rival.figures))?;
            writeln!(f, "    takes     {}", takes(&rival.figures))?;
            writeln!(f, "    peak      {}", peaks(rival.peaks))?;
            if at > 0 {
                let differs = differs(&policy.rivals[0].figures, &rival.figures);
                writeln!(f, "    differs   from the first by {differs}")?;
            }
            // Those of the plan that is taken stand under its schedule.
            if !rival.added.is_empty() && rival.outcome != Outcome::Taken {
                let edge = |[a, b]: &[String; 2]| format!("`{a}` before `{b}`");
                let added = short(rival.added.iter().map(edge));
                writeln!(
                    f,
                    "    adds      {added}: tasks that could run beside each other"
                )?;
            }
            self.remade(f, rival)?;
            writeln!(f, "    {}", self.outcome(rival))?;
        }
        if front.len() > shown {
            let more = front.len() - shown;
            writeln!(f, "  and {more} more that nothing beats in all")?;
        }
        if !beaten.is_empty() {
            let more = beaten.len();
            writeln!(
                f,
                "  and {more} more, each with another one as good in all and better"
            )?;
        }
        self.reconstructions(f)?;
        for blocked in self.undecided() {
            writeln!(f, "  blocked        {blocked}")?;
        }
        if policy.cut {
            writeln!(
                f,
                "  search         ended by its limit for a graph of this size"
            )?;
        }
        self.actions(f)
    }

    /// What could not decide between plans, each with the reason.
    pub(super) fn undecided(&self) -> impl Iterator<Item = String> {
        let metrics = self.policy.undecided.iter();
        metrics.map(|metric| {
            let kernels = list(self.declared.without_cost(), SHORT);
            format!("{metric} does not decide: no cost of {kernels}")
        })
    }

    pub(super) fn outcome(&self, rival: &Rival) -> String {
        match &rival.outcome {
            Outcome::Taken => "taken".to_owned(),
            Outcome::PeakReturns => {
                "rejected  the peak returns: the arena is no smaller than as it stands".to_owned()
            }
            Outcome::OverBudget => "rejected  it exceeds the budget".to_owned(),
            Outcome::Beaten(_) => "rejected  another one is as good in all and better".to_owned(),
            Outcome::Worse(metric) => format!("rejected  its {metric} is larger"),
            Outcome::Heavier => "rejected  its weighted sum is larger".to_owned(),
            Outcome::Equal(lost) => {
                let same = match self.declared.minimize {
                    Some(Minimize::Weights(_)) => "its sum is the same",
                    _ => "no better in what counts",
                };
                let but = match lost {
                    Lost::Edges => "it adds more edges",
                    Lost::Streams => "the order of streams is a condition of it",
                    Lost::Waits => "its streams wait more often",
                    Lost::Later => "it was found later",
                };
                format!("rejected  {same}, and {but}")
            }
            Outcome::Undecided => "rejected  costs that are not known would decide".to_owned(),
            Outcome::NotAsked => {
                "open      no other one beats it in all; `minimize` would choose".to_owned()
            }
        }
    }

    /// The edges that rivals add as lines of [`facts`](Self::facts).
    pub(super) fn edge_facts(&self, out: &mut String) -> fmt::Result {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        for (t, name) in self.tasks.iter().enumerate() {
            numbers.entry(name).or_insert(t);
        }
        for (at, rival) in self.policy.rivals.iter().enumerate() {
            let mut others: Vec<&str> = Vec::new();
            let mut pairs = Vec::new();
            for name in rival.added.as_flattened() {
                let number = numbers.get(&**name).copied().unwrap_or_else(|| {
                    let known = others.iter().position(|other| other == name);
                    let at = known.unwrap_or(others.len());
                    if known.is_none() {
                        others.push(name);
                    }
                    self.tasks.len() + at
                });
                pairs.push(number.to_string());
            }
            if !pairs.is_empty() {
                write!(out, "adds\t{at}\t{}", pairs.join(" "))?;
                others.iter().try_for_each(|name| write!(out, "\t{name}"))?;
                out.push('\n');
            }
        }
        Ok(())
    }

    /// What the proof of `alias` needs beside the dependencies, if anything.
    pub(super) fn condition(&self, alias: &Alias) -> Option<String> {
        if alias.condition.is_empty() {
            return None;
        }
        let edge = |&(a, b): &(TaskId, TaskId)| {
            let [from, to] = [a, b].map(|t| self.stream_of[t.0 as usize]);
            let why = match from == to {
                true => format!(" on stream {to}"),
                false if self.added.contains(&(a, b)) => ", which is added".to_owned(),
                false => " through what is added".to_owned(),
            };
            format!("`{}` before `{}`{why}", self.task(a), self.task(b))
        };
        Some(short(alias.condition.iter().map(edge)))
    }
}

/// What `kind` does, in words; `remade` is what is made again.
fn named(kind: &Kind, model: &Model, remade: &[Remake]) -> String {
    let name = |r: ResourceId| &model.resources[r.0 as usize].name;
    match kind {
        Kind::Baseline => "as it stands".to_owned(),
        Kind::Packed => "as it stands, with no room between slots of whole pages".to_owned(),
        Kind::Leaving(pairs, with) => {
            let one = |(a, b)| format!("`{}` not in place of `{}`", name(b), name(a));
            let left = short(pairs.iter().copied().map(one));
            format!("{}; {left}", named(with, model, remade))
        }
        Kind::StreamOrder => "the order of streams as a condition".to_owned(),
        Kind::Streams(1) => "one task at a time, as they are written".to_owned(),
        Kind::Streams(n) => format!("the order of {n} streams as a condition"),
        Kind::InTurn => "one task at a time, in a sequence found with less live at once".to_owned(),
        Kind::After(pairs) => {
            let one = |(a, b)| format!("`{}` after `{}`", name(b), name(a));
            short(pairs.iter().copied().map(one))
        }
        Kind::Again(with) => {
            let one =
                |made: &Remake| format!("recompute `{}` before `{}`", made.value, made.before);
            let made = short(remade.iter().map(one));
            match &**with {
                Kind::StreamOrder => made,
                with => format!("{made}; {}", named(with, model, &[])),
            }
        }
    }
}
