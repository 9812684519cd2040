//! The plans that were weighed, and what came of each.

use std::fmt::{self, Formatter};

use super::text::{SHORT, list, short};
use super::{Alias, Record};
use crate::fault::counted;
use crate::layout::sizes::amount;
use crate::model::TaskId;
use crate::policy::{Chosen, Figures, Kind, Metric, Minimize, Outcome, Searched};

/// One plan that was weighed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rival {
    /// What it does.
    pub kind: Kind,
    /// Edges that it adds, `(a, b)`, a before b, beside the order of streams.
    pub added: Vec<(TaskId, TaskId)>,
    /// What it costs.
    pub figures: Figures,
    /// What came of it.
    pub outcome: Outcome,
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
}

impl Policy {
    pub(crate) fn new(searched: &Searched, chosen: Chosen) -> Self {
        let rivals = searched.candidates.iter().zip(chosen.outcomes);
        let rivals = rivals.map(|(candidate, outcome)| Rival {
            kind: candidate.kind.clone(),
            added: candidate.realised.added.clone(),
            figures: candidate.realised.figures.clone(),
            outcome,
        });
        Self {
            rivals: rivals.collect(),
            plan: chosen.plan,
            undecided: chosen.undecided,
            cut: searched.cut,
        }
    }

    /// Whether aliases of the plan may rest on the order of its streams.
    pub fn conditional(&self) -> bool {
        let taken = self.rivals.get(self.plan);
        taken.is_some_and(|rival| rival.kind != Kind::Baseline)
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
        let beaten = |rival: &Rival| matches!(rival.outcome, Outcome::Beaten(_));
        let (beaten, front): (Vec<&Rival>, Vec<&Rival>) =
            policy.rivals.iter().partition(|rival| beaten(rival));
        for rival in front.iter().take(SHOWN) {
            writeln!(f, "  {}", self.kind(&rival.kind))?;
            writeln!(f, "    costs     {}", self.figures(&rival.figures))?;
            writeln!(f, "    {}", self.outcome(rival))?;
        }
        if front.len() > SHOWN {
            writeln!(
                f,
                "  and {} more that nothing beats in all",
                front.len() - SHOWN
            )?;
        }
        if !beaten.is_empty() {
            let plans = counted(beaten.len(), "plan");
            let have = if beaten.len() == 1 { "has" } else { "have" };
            writeln!(f, "  {plans} {have} no advantage over another one here")?;
        }
        for metric in &policy.undecided {
            let kernels = self.without_cost();
            writeln!(
                f,
                "  blocked        {metric} does not decide: no cost of {kernels}"
            )?;
        }
        if policy.cut {
            writeln!(
                f,
                "  search         ended by its limit for a graph of this size"
            )?;
        }
        Ok(())
    }

    fn without_cost(&self) -> String {
        list(self.declared.without_cost(), SHORT)
    }

    pub(super) fn kind(&self, kind: &Kind) -> String {
        match kind {
            Kind::Baseline => "as it stands".to_owned(),
            Kind::StreamOrder => "the order of streams as a condition".to_owned(),
            Kind::Streams(1) => "the same on 1 stream".to_owned(),
            Kind::Streams(n) => format!("the same on {n} streams"),
            Kind::InTurn => "one task at a time, in the sequence in which least is live".to_owned(),
            Kind::After(pairs) => {
                let one = |(a, b)| format!("`{}` after `{}`", self.name(b), self.name(a));
                short(pairs.iter().copied().map(one))
            }
        }
    }

    fn figures(&self, figures: &Figures) -> String {
        let path = match (figures.at_least, figures.critical_path) {
            (true, 0) => "critical path unknown".to_owned(),
            (true, known) => format!("critical path at least {}", time(known)),
            (false, known) => format!("critical path {}", time(known)),
        };
        let (arena, launches) = (amount(figures.arena), figures.launches);
        let added = counted(figures.added, "added edge");
        let (streams, waits) = (
            counted(usize::from(figures.streams), "stream"),
            counted(figures.waits, "wait"),
        );
        format!("arena {arena}, {path}, {launches} launches, {added}, {streams}, {waits}")
    }

    pub(super) fn outcome(&self, rival: &Rival) -> String {
        let weighed = matches!(self.declared.minimize, Some(Minimize::Weights(_)));
        match &rival.outcome {
            Outcome::Taken => "taken".to_owned(),
            Outcome::OverBudget => "rejected  it exceeds the budget".to_owned(),
            Outcome::Beaten(_) => "rejected  another one is as good in all and better".to_owned(),
            Outcome::Worse(metric) => format!("rejected  its {metric} is larger"),
            Outcome::Heavier => "rejected  its weighted sum is larger".to_owned(),
            Outcome::Equal if weighed => {
                "rejected  its sum is the same, and it adds more".to_owned()
            }
            Outcome::Equal => "rejected  no better in what counts, and it adds more".to_owned(),
            Outcome::Undecided => "rejected  costs that are not known would decide".to_owned(),
            Outcome::NotAsked => {
                "open      no other one beats it in all; `minimize` would choose".to_owned()
            }
        }
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

/// `12 us`.
pub(super) fn time(nanos: u64) -> String {
    match nanos {
        n if n > 0 && n.is_multiple_of(1_000_000) => format!("{} ms", n / 1_000_000),
        n if n > 0 && n.is_multiple_of(1_000) => format!("{} us", n / 1_000),
        n => format!("{n} ns"),
    }
}
