//! Each kind of policy, and what it gives in this graph or why it does not apply.

use std::fmt::{self, Formatter, Write};

use super::{Alias, Policy, Record, Rival};
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
    /// Bytes that it gives, where that is known: of what, [`of`](Self::of) says.
    pub gives: Option<u64>,
    /// The plan does it.
    pub done: bool,
    /// How, or why not.
    pub why: String,
}

impl Action {
    /// What the bytes are bytes of. The runtime's page says the same.
    pub fn of(&self) -> &'static str {
        match self.kind {
            "delay" | "release_earlier" => "of what is live at once",
            "share_workspace" => "of workspaces",
            _ => "of the arena",
        }
    }
}

/// All kinds, of the plan `taken` on `ground`, in which storage is handed over by `shared`.
pub(super) fn actions(
    ground: &Ground,
    taken: &Realised,
    policy: &Policy,
    shared: &[Alias],
) -> Vec<Action> {
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
            "{action}, {all} would be live at once, what is one in place counted once, and {most} are, \
             where tasks run one at a time as they are issued"
        );
        given(kind, from.saturating_sub(now), why)
    };
    let mut all = vec![
        order(
            "delay",
            turn(&|item| item.from_start = true),
            "created before its first task; were each created with the run",
        ),
        order(
            "release_earlier",
            turn(&|item| item.to_end = true),
            "released behind its last tasks; were each released with the run",
        ),
        right_size(model),
        share_workspace(model, bytes, taken.figures.rooms),
    ];
    let kind = &policy.rivals[policy.plan].kind;
    let does = Does {
        orders: shared.iter().any(|alias| !alias.condition.is_empty()),
        again: !policy.rivals[policy.plan].remade.is_empty(),
        leaves: match kind {
            Kind::Again(with) => matches!(**with, Kind::Leaving(..)),
            kind => matches!(kind, Kind::Leaving(..)),
        },
    };
    all.push(alias(model, bytes, policy));
    all.push(conditioned(policy, &does));
    all.push(left(
        "pool",
        "every size is known at the load, so that one arena serves and runs allocate nothing",
    ));
    all.push(retain(model, layout.store));
    all.push(recompute(model, policy, &does));
    all
}

/// What the plan does of what may make the arena smaller together.
struct Does {
    /// An alias of it rests on an order that no dependency has.
    orders: bool,
    /// Values are made again in it, beside those that are demanded.
    again: bool,
    /// In-place updates are left in it.
    leaves: bool,
}

impl Does {
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
            let why = match n {
                1 => format!("{uses}, of {most_text}"),
                _ => format!("{uses}, of which {most_text} can be in use together"),
            };
            given("share_workspace", sum.saturating_sub(most), why)
        }
    }
}

fn alias(model: &Model, bytes: &[u64], policy: &Policy) -> Action {
    // What is made again is there because storage is shared.
    let inside = |(r, _): &(usize, &u64)| {
        let of = &model.resources[*r];
        !of.class.persists() && !of.region().staging && !policy.makes_again(&of.name)
    };
    let base = policy.stands().tight();
    let all = bytes.iter().enumerate().filter(inside);
    let all = all.fold(0u64, |sum, (_, b)| sum.saturating_add(*b));
    let why = "by what dependencies and demanded orders prove: the sum of all slots less the arena as it stands, without its padding";
    given("alias", all.saturating_sub(base), why)
}

/// What orders give that are added, in the plan or in what was weighed beside it.
fn conditioned(policy: &Policy, does: &Does) -> Action {
    const KIND: &str = "conditioned_alias";
    let (base, taken) = (policy.stands().tight(), &policy.rivals[policy.plan]);
    let alone = |kind: &Kind| kind.is_conditional() && !matches!(kind, Kind::Again(_));
    let edges = policy.rivals.iter().filter(|r| alone(&r.kind));
    let least = edges.map(Rival::tight).min();
    if does.orders {
        let mut why = does.with("conditioned alias");
        if does.again {
            why += &match least.map_or(0, |least| base.saturating_sub(least)) {
                0 => ", and without that none that was weighed gives anything".to_owned(),
                bytes => format!(", {} at most without that", rounded(bytes)),
            };
        }
        why += "; what it orders stands with the schedule";
        return given(KIND, base.saturating_sub(taken.tight()), why);
    }
    match least {
        _ if alone(&taken.kind) => left(KIND, "the plan orders tasks, and no alias rests on that"),
        Some(least) if least < base => Action {
            kind: KIND,
            gives: Some(base - least),
            done: false,
            why: "the least of what was weighed, and not taken; why stands with that plan"
                .to_owned(),
        },
        Some(_) => left(KIND, "no edge that was weighed makes the arena smaller"),
        None => left(KIND, "no edge was weighed"),
    }
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
                "{} in the store, {}, so that no run brings {}",
                counted(n, "resource"),
                rounded(store),
                if n == 1 { "it" } else { "them" }
            ),
        },
    }
}

fn recompute(model: &Model, policy: &Policy, does: &Does) -> Action {
    let base = policy.stands().tight();
    let of_taken = base.saturating_sub(policy.rivals[policy.plan].tight());
    let weighed = policy.rivals.iter().filter(|r| !r.remade.is_empty());
    let least = weighed.map(Rival::tight).min();
    if does.again {
        let why = does.with("recompute") + "; its terms stand with the plan";
        return given("recompute", of_taken, why);
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
            why: "the least of what was weighed, with what that plan orders, and not taken; why stands \
                  with that plan"
                .to_owned(),
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
        writeln!(
            f,
            "  what each kind of policy gives, padding aside: each by itself, so that lines overlap and \
             do not add"
        )?;
        for action in &self.actions {
            let kind = action.kind.replace('_', " ");
            let (done, of) = (action.done, action.of());
            let gives = match (done, action.gives) {
                (true, Some(bytes)) => format!("gives {} {of}: ", rounded(bytes)),
                (false, Some(bytes)) => format!("would give {} {of}: ", rounded(bytes)),
                (true, None) => String::new(),
                (false, None) => "does not apply: ".to_owned(),
            };
            writeln!(f, "    {kind:<18} {gives}{}", action.why)?;
        }
        Ok(())
    }
}
