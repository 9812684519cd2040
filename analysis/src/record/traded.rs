//! What orders and values that are made again give.

use super::actions::{Action, given, left};
use super::effect::{Effect, Term, more};
use super::{Alias, Policy};
use crate::layout::sizes::rounded;
use crate::model::{Class, Model};
use crate::policy::Kind;
use crate::recompute::Remake;

/// What the plan does of what may make the arena smaller together.
pub(super) struct Does {
    /// An alias of it rests on an order that no dependency has.
    orders: bool,
    /// Values are made again in it, beside those that are demanded.
    again: bool,
    /// In-place updates are left in it.
    leaves: bool,
}

impl Does {
    /// What the plan of `policy` does, in which storage is handed over by `shared`.
    pub(super) fn new(policy: &Policy, shared: &[Alias]) -> Self {
        let taken = &policy.rivals[policy.plan];
        Self {
            orders: shared.iter().any(|alias| !alias.condition.is_empty()),
            again: !taken.remade.is_empty(),
            leaves: match &taken.kind {
                Kind::Again(with) => matches!(**with, Kind::Leaving(..)),
                kind => matches!(kind, Kind::Leaving(..)),
            },
        }
    }

    /// That it does `own`, and what else it does, so that the figure is of all that together.
    fn with(&self, own: &str) -> String {
        let all = [
            (self.orders, "conditioned alias"),
            (self.again, "recompute"),
            (self.leaves, "in-place updates that are left"),
        ];
        let others = all.iter().filter(|(does, what)| *does && *what != own);
        let others: Vec<&str> = others.map(|(_, what)| *what).collect();
        match &others[..] {
            [] => "it is taken".to_owned(),
            others => format!(
                "it is taken, and so much is what it gives together with {}",
                others.join(" and ")
            ),
        }
    }
}

/// What orders give that are added, in the plan or in what was weighed beside it.
pub(super) fn conditioned(policy: &Policy, does: &Does) -> Action {
    const KIND: &str = "conditioned_alias";
    let (base, taken) = (policy.stands().tight(), &policy.rivals[policy.plan]);
    let alone = |kind: &Kind| kind.is_conditional() && !matches!(kind, Kind::Again(_));
    let edges = policy.rivals.iter().filter(|r| alone(&r.kind));
    let least = edges.min_by_key(|rival| rival.tight());
    if does.orders {
        let mut why = does.with("conditioned alias");
        if does.again {
            why += &match least.map_or(0, |least| base.saturating_sub(least.tight())) {
                0 => ", and without that none that was weighed gives anything".to_owned(),
                bytes => format!(", {} at most without that", rounded(bytes)),
            };
        }
        why += "; what it orders stands with the schedule";
        let effect = Effect::of(policy.stands(), taken);
        return given(KIND, base.saturating_sub(taken.tight()), why, effect);
    }
    match least {
        _ if alone(&taken.kind) => left(
            KIND,
            "the plan orders tasks, and no alias rests on that",
            None,
        ),
        Some(least) if least.tight() < base => Action {
            kind: KIND,
            effect: Some(Effect::of(policy.stands(), least)),
            gives: Some(base - least.tight()),
            done: false,
            why: "the least of what was weighed, and not taken; why stands with that plan"
                .to_owned(),
        },
        Some(least) => left(
            KIND,
            "no edge that was weighed makes the arena smaller",
            Some(Effect::of(policy.stands(), least)),
        ),
        None => left(KIND, "no edge was weighed", None),
    }
}

pub(super) fn recompute(model: &Model, policy: &Policy, does: &Does) -> Action {
    let base = policy.stands().tight();
    let taken = &policy.rivals[policy.plan];
    let weighed = policy.rivals.iter().filter(|r| !r.remade.is_empty());
    let least = weighed.min_by_key(|rival| rival.tight());
    if does.again {
        let why = does.with("recompute") + "; its terms stand with the plan";
        let effect = Effect::of(policy.stands(), taken);
        let gives = base.saturating_sub(taken.tight());
        return given("recompute", gives, why, effect);
    }
    if !policy.demanded.is_empty() {
        let saved = policy
            .demanded
            .iter()
            .map(|d| d.without.saturating_sub(d.with));
        let least = saved.min().unwrap_or(0);
        return given(
            "recompute",
            least,
            "it is demanded: the least arena that was found with it is so much below the least without it, \
             padding and all; its terms stand with the plans",
            demanded(policy, least),
        );
    }
    let mut classes = model.resources.iter().map(|r| r.class);
    match least {
        _ if !classes.any(|c| c == Class::Reconstructable) => {
            left("recompute", "there is no `recompute let`", None)
        }
        Some(least) if least.tight() < base => Action {
            kind: "recompute",
            effect: Some(Effect::of(policy.stands(), least)),
            gives: Some(base - least.tight()),
            done: false,
            why: "the least of what was weighed, with what that plan orders, and not taken; why stands \
                  with that plan"
                .to_owned(),
        },
        Some(least) => left(
            "recompute",
            "the peak returns wherever it was weighed",
            Some(Effect::of(policy.stands(), least)),
        ),
        None if policy.refused.is_empty() => left(
            "recompute",
            "no value that may be made again has a second reader",
            None,
        ),
        None => left(
            "recompute",
            "refused wherever there is a second reader",
            None,
        ),
    }
}

/// What demands to make values again change, of which each has arenas of its own without it.
fn demanded(policy: &Policy, least: u64) -> Effect {
    let made = || policy.demanded.iter().map(|demand| &demand.remake);
    let fills = |made: &Remake| made.rooms.iter().filter(|room| room.zeroed).count();
    let launches: usize = made().map(|made| 1 + fills(made)).sum();
    let effect = Effect::none()
        .with(Term::Arena, more(least, 0))
        .with(Term::Launches, more(0, launches as u64))
        .unknown(&[Term::Peak, Term::Slack, Term::Workspace])
        .unknown(&[Term::Read, Term::Written])
        .unknown(&[Term::CriticalPath, Term::Waits, Term::Events]);
    let compute = made().try_fold(0u64, |sum, made| Some(sum.saturating_add(made.construct?)));
    match compute {
        Some(compute) => effect.with(Term::Compute, more(0, compute)),
        None => effect.unknown(&[Term::Compute]),
    }
}
