//! Each kind of policy, and what it gives in this graph or why it does not apply.

use std::fmt::{self, Formatter, Write};

use super::{Policy, Record, Rival};
use crate::fault::counted;
use crate::layout::sizes::rounded;
use crate::model::{Class, Model};
use crate::peak::{Item, items};
use crate::policy::{Ground, Kind, Realised, most_in_turn};

/// A kind of policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Which, in one word with underscores.
    pub kind: &'static str,
    /// Bytes that it gives, where that is known.
    pub gives: Option<u64>,
    /// The plan does it.
    pub done: bool,
    /// How, or why not.
    pub why: String,
}

/// All kinds, of the plan `taken` on `ground`.
pub(super) fn actions(ground: &Ground, taken: &Realised, policy: &Policy) -> Vec<Action> {
    let model = &ground.model;
    let (layout, bytes) = (&taken.layout, &ground.sizes);
    let items = items(model, &taken.live, bytes, &taken.ranges.groups.taken);
    let turn = |change: &dyn Fn(&mut Item)| {
        let mut items = items.clone();
        items.iter_mut().for_each(change);
        most_in_turn(&taken.order, &items)
    };
    let now = turn(&|_| {});
    let order = |kind, from: u64, action| {
        let (all, most) = (rounded(from), rounded(now));
        let why = format!(
            "{action}; all live ranges are {all}, what is one in place counted once, of which at most \
             {most} are live as tasks are issued"
        );
        given(kind, from.saturating_sub(now), why)
    };
    let mut all = vec![
        order(
            "delay",
            turn(&|item| item.from_start = true),
            "created before its first task, not with the run",
        ),
        order(
            "release_earlier",
            turn(&|item| item.to_end = true),
            "released behind its last tasks, not with the run",
        ),
        right_size(model),
        share_workspace(model, bytes, taken.figures.rooms),
    ];
    all.extend(aliases(model, bytes, policy));
    all.push(left(
        "pool",
        "every size is known at the load, so that one arena serves and runs allocate nothing",
    ));
    all.push(retain(model, layout.store));
    all.push(recompute(model, policy));
    all
}

fn given(kind: &'static str, gives: u64, why: impl Into<String>) -> Action {
    Action {
        kind,
        gives: Some(gives),
        done: true,
        why: why.into(),
    }
}

fn left(kind: &'static str, why: impl Into<String>) -> Action {
    Action {
        kind,
        gives: None,
        done: false,
        why: why.into(),
    }
}

fn right_size(model: &Model) -> Action {
    let mut extents = model.resources.iter().flat_map(|r| &r.shape);
    if extents.all(|e| e.as_constant().is_some()) {
        return left("right_size", "no size depends on a dim");
    }
    Action {
        kind: "right_size",
        gives: None,
        done: true,
        why:
            "blocked on the dims: slots move together at the load, and `memory()` says by how much"
                .to_owned(),
    }
}

fn share_workspace(model: &Model, bytes: &[u64], rooms: Option<u64>) -> Action {
    let room = |(r, _): &(usize, &u64)| model.resources[*r].class == Class::Workspace;
    let rooms_of = bytes.iter().enumerate().filter(room);
    let (count, sum) = rooms_of.fold((0, 0u64), |(n, sum), (_, b)| {
        (n + 1, sum.saturating_add(*b))
    });
    match (count, rooms) {
        (0, _) => left("share_workspace", "there is no workspace"),
        (_, None) => Action {
            kind: "share_workspace",
            gives: None,
            done: true,
            why: "what is in use together is not worked out for so many".to_owned(),
        },
        (n, Some(most)) => {
            let (uses, most_text) = (counted(n, "use"), rounded(most));
            let why = format!("{uses}, of which {most_text} can be in use together");
            given("share_workspace", sum.saturating_sub(most), why)
        }
    }
}

fn aliases(model: &Model, bytes: &[u64], policy: &Policy) -> [Action; 2] {
    let taken = &policy.rivals[policy.plan];
    // What is made again is there because storage is shared.
    let inside = |(r, _): &(usize, &u64)| {
        let of = &model.resources[*r];
        !of.class.persists() && !of.region().staging && !policy.makes_again(&of.name)
    };
    let base = policy.stands().tight();
    let all = bytes.iter().enumerate().filter(inside);
    let all = all.fold(0u64, |sum, (_, b)| sum.saturating_add(*b));
    let why = "by dependencies alone: the sum of all slots less the arena as it stands, without its padding";
    let alias = given("alias", all.saturating_sub(base), why);
    let conditioned = |kind: &Kind| kind.is_conditional() && !matches!(kind, Kind::Again(_));
    let edges = policy.rivals.iter().filter(|r| conditioned(&r.kind));
    let least = edges.map(Rival::tight).min();
    let is_taken = conditioned(&taken.kind);
    let conditioned = match least {
        _ if is_taken => given(
            "conditioned_alias",
            base.saturating_sub(taken.tight()),
            "it is taken; its edges and streams are named above",
        ),
        Some(least) if least < base => Action {
            kind: "conditioned_alias",
            gives: Some(base - least),
            done: false,
            why: "the least of what was weighed, and not taken; why is said above".to_owned(),
        },
        Some(_) => left(
            "conditioned_alias",
            "no edge that was weighed makes the arena smaller",
        ),
        None => left("conditioned_alias", "no edge was weighed"),
    };
    [alias, conditioned]
}

fn retain(model: &Model, store: u64) -> Action {
    let kept = model
        .resources
        .iter()
        .filter(|r| r.class.persists())
        .count();
    match kept {
        0 => left("retain", "nothing outlives a run"),
        n => Action {
            kind: "retain",
            gives: None,
            done: true,
            why: format!(
                "{} in the store, {}, so that no run brings them",
                counted(n, "resource"),
                rounded(store)
            ),
        },
    }
}

fn recompute(model: &Model, policy: &Policy) -> Action {
    let taken = &policy.rivals[policy.plan];
    let base = policy.stands().tight();
    let of_taken = base.saturating_sub(taken.tight());
    let weighed = policy.rivals.iter().filter(|r| !r.remade.is_empty());
    let least = weighed.map(Rival::tight).min();
    if !taken.remade.is_empty() {
        return given("recompute", of_taken, "it is taken; its terms are above");
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
            "it is demanded; its terms, padding and all, are above",
        );
    }
    let mut classes = model.resources.iter().map(|r| r.class);
    match least {
        _ if !classes.any(|c| c == Class::Reconstructable) => {
            left("recompute", "there is no `recompute let`")
        }
        Some(least) if least < base => Action {
            kind: "recompute",
            gives: Some(base - least),
            done: false,
            why: "the least of what was weighed, and not taken; why is said above".to_owned(),
        },
        Some(_) => left("recompute", "the peak returns wherever it was weighed"),
        None if policy.refused.is_empty() => left(
            "recompute",
            "no value that may be made again has a second reader",
        ),
        None => left("recompute", "refused wherever there is a second reader"),
    }
}

impl Record {
    pub(super) fn action_facts(&self, out: &mut String) -> fmt::Result {
        for action in &self.actions {
            let gives = action
                .gives
                .map_or(String::new(), |bytes| bytes.to_string());
            let done = if action.done { "done" } else { "" };
            writeln!(
                out,
                "action\t{}\t{gives}\t{done}\t{}",
                action.kind, action.why
            )?;
        }
        Ok(())
    }

    pub(super) fn actions(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "  what each kind of policy gives, padding aside")?;
        for action in &self.actions {
            let kind = action.kind.replace('_', " ");
            let gives = match (action.done, action.gives) {
                (true, Some(bytes)) => format!("gives {}: ", rounded(bytes)),
                (false, Some(bytes)) => format!("would give {}: ", rounded(bytes)),
                (true, None) => String::new(),
                (false, None) => "does not apply: ".to_owned(),
            };
            writeln!(f, "    {kind:<18} {gives}{}", action.why)?;
        }
        Ok(())
    }
}
