//! Each kind of policy, and what it gives in this graph or why it does not apply.

use std::fmt::{self, Formatter, Write};

use super::effect::{Effect, Term, more};
use super::pooled::Pooled;
use super::traded::{Does, conditioned, recompute};
use super::{Alias, Policy, Record};
use crate::fault::counted;
use crate::layout::sizes::{self, rounded};
use crate::model::{Class, Model};
use crate::peak::{Item, items};
use crate::policy::{Ground, Realised, most_in_turn};

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
    /// What it changes; `None` where there is nothing that it could be applied to.
    pub effect: Option<Effect>,
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
    let plan = Placed {
        ground,
        taken,
        policy,
        items: items(
            model,
            &taken.live,
            &ground.sizes,
            &taken.ranges.groups.taken,
        ),
    };
    let does = Does::new(policy, shared);
    vec![
        plan.moved(
            "delay",
            &|item| item.from_start = true,
            "created before its first task; were each created with the run",
        ),
        plan.moved(
            "release_earlier",
            &|item| item.to_end = true,
            "released behind its last tasks; were each released with the run",
        ),
        plan.right_size(),
        plan.share_workspace(),
        plan.alias(),
        conditioned(policy, &does),
        plan.pool(),
        retain(model, &ground.payloads, taken.layout.store),
        recompute(model, policy, &does),
    ]
}

/// The plan, and what lives in its arena.
struct Placed<'a> {
    ground: &'a Ground,
    taken: &'a Realised,
    policy: &'a Policy,
    items: Vec<Item>,
}

impl Placed<'_> {
    /// The most that is live at once where tasks run one at a time as they are issued, with each item
    /// as `change` has it.
    fn turn(&self, change: impl Fn(&mut Item)) -> u64 {
        let mut items = self.items.clone();
        items.iter_mut().for_each(change);
        most_in_turn(&self.taken.order, &items)
    }

    /// The same as they are.
    fn now(&self) -> u64 {
        self.taken.figures.in_turn
    }

    /// Bytes of the arena, padding aside.
    fn tight(&self) -> u64 {
        self.policy.rivals[self.policy.plan].tight()
    }

    /// Where storage is shared in another way, the orders that the plan adds for that are others, too.
    fn same_tasks(&self) -> Effect {
        match self.taken.added.is_empty() {
            true => Effect::none(),
            false => Effect::none().unknown(&[Term::CriticalPath, Term::Waits, Term::Events]),
        }
    }

    /// Live ranges are shorter than `longer` has them.
    fn moved(&self, kind: &'static str, longer: &dyn Fn(&mut Item), action: &str) -> Action {
        let (from, now) = (self.turn(longer), self.now());
        let (all, most) = (rounded(from), rounded(now));
        let why = format!(
            "{action}, {all} would be live at once, what is one in place counted once, and {most} are, \
             where tasks run one at a time as they are issued"
        );
        let effect = self
            .same_tasks()
            .with(Term::Peak, more(from, now))
            .unknown(&[Term::Arena, Term::Slack]);
        // All workspaces would be there together, at the begin or at the end.
        let effect = match self.taken.figures.rooms {
            Some(rooms) => effect.with(Term::Workspace, more(self.rooms().1, rooms)),
            None => effect.unknown(&[Term::Workspace]),
        };
        given(kind, from.saturating_sub(now), why, effect)
    }

    /// Uses of workspaces, and their bytes.
    fn rooms(&self) -> (usize, u64) {
        let rooms = self.items.iter().filter(|item| item.workspace);
        rooms.fold((0, 0u64), |(n, sum), item| {
            (n + 1, sum.saturating_add(item.bytes))
        })
    }

    fn right_size(&self) -> Action {
        let model = &self.ground.model;
        let mut extents = model.resources.iter().flat_map(|r| &r.shape);
        let fixed = extents.all(|e| {
            let (least, most) = e.range_over(&model.dims);
            least == most
        });
        let inside = |r: &&crate::model::Resource| !r.class.persists() && !r.region().staging;
        let all = model.resources.iter().zip(&self.ground.payloads);
        let all = all.filter(|(r, _)| inside(r));
        let idle = all.map(|(_, &payload)| sizes::aligned(payload).saturating_sub(payload));
        let idle = rounded(idle.fold(0, u64::saturating_add));
        let filled = format!("{idle} of all slots only fill up their alignment");
        if fixed {
            let why = format!("no size changes with the dims; {filled}");
            return left("right_size", why, Some(Effect::none()));
        }
        // At no dims is less live than at the smallest sizes, and at none more than at the largest.
        let least = sizes::least(model);
        let part = |item: &Item| item.parts.iter().map(|r| least[r.0 as usize]).max();
        let least = self.turn(|item| item.bytes = part(item).unwrap_or(0));
        let (tight, now) = (self.tight(), self.now());
        let effect = Effect::none()
            .between(Term::Arena, more(tight, least.min(tight)), 0)
            .between(Term::Peak, more(now, least), 0)
            .unknown(&[Term::Slack, Term::Workspace])
            .unknown(&[Term::Compute, Term::CriticalPath, Term::Read, Term::Written]);
        Action {
            kind: "right_size",
            gives: None,
            done: true,
            why: format!(
                "blocked on the dims: slots move together at the load, and `memory()` says by how much; \
                 at the largest sizes {filled}"
            ),
            effect: Some(effect),
        }
    }

    fn share_workspace(&self) -> Action {
        let (n, sum) = self.rooms();
        let effect = self.same_tasks().unknown(&[Term::Arena, Term::Slack]);
        match (n, self.taken.figures.rooms) {
            (0, _) => left("share_workspace", "there is no workspace", None),
            (_, None) => Action {
                kind: "share_workspace",
                gives: None,
                done: true,
                why: "what is in use together is not worked out for so many".to_owned(),
                effect: Some(effect.unknown(&[Term::Workspace])),
            },
            (n, Some(most)) => {
                let (uses, most_text) = (counted(n, "use"), rounded(most));
                let why = match n {
                    1 => format!("{uses}, of {most_text}"),
                    _ => format!("{uses}, of which {most_text} can be in use together"),
                };
                let effect = effect.with(Term::Workspace, more(sum, most));
                given("share_workspace", sum.saturating_sub(most), why, effect)
            }
        }
    }

    fn alias(&self) -> Action {
        let (model, bytes, policy) = (&self.ground.model, &self.ground.sizes, self.policy);
        // What is made again is there because storage is shared.
        let inside = |(r, _): &(usize, &u64)| {
            let of = &model.resources[*r];
            !of.class.persists() && !of.region().staging && !policy.makes_again(&of.name)
        };
        let stands = policy.stands();
        let all = bytes.iter().enumerate().filter(inside);
        let all = all.fold(0u64, |sum, (_, b)| sum.saturating_add(*b));
        let why = "by what dependencies and demanded orders prove: the sum of all slots less the arena as it stands, without its padding";
        let effect = Effect::none().with(Term::Arena, more(all, stands.tight()));
        let effect = match policy.rivals[policy.plan].kind.stands() {
            // What is updated in place would be beside what it becomes.
            true => {
                let apart = items(model, &self.taken.live, bytes, &[]);
                let apart = most_in_turn(&self.taken.order, &apart);
                let (now, tight) = (self.now(), self.tight());
                let slack = |of: u64, live| of.saturating_sub(live);
                effect
                    .with(Term::Peak, more(apart, now))
                    .with(Term::Slack, more(slack(all, apart), slack(tight, now)))
            }
            false => effect.unknown(&[Term::Peak, Term::Slack]),
        };
        given("alias", all.saturating_sub(stands.tight()), why, effect)
    }

    fn pool(&self) -> Action {
        let pool = Pooled::new(&self.ground.model, &self.taken.order, &self.items);
        let (tight, now) = (self.tight(), self.now());
        let serves =
            "every size is known at the load, so that one arena serves and runs allocate nothing";
        if pool.takes == 0 {
            return left("pool", serves, None);
        }
        let of = |count: u64, what| counted(count as usize, what);
        let aside = match self.ground.demands.separate.is_empty() {
            true => "",
            false => " and `separate` aside",
        };
        let why = format!(
            "{serves}; from {} of blocks as large as slots, with tasks issued one at a time{aside}, a run \
             would take {} and give back {}, and the first run would allocate {} of {} in all",
            of(pool.pools, "pool"),
            of(pool.takes, "block"),
            pool.returns,
            pool.blocks,
            rounded(pool.bytes),
        );
        // Blocks are allocated where none is free, which is in the first run, and are kept.
        let blocks = i64::try_from(pool.blocks).unwrap_or(i64::MAX);
        let slack = tight.saturating_sub(now);
        let effect = Effect::none()
            .with(Term::Arena, more(tight, pool.bytes))
            .with(Term::Slack, more(slack, pool.bytes.saturating_sub(now)))
            .between(Term::Allocations, 0, blocks)
            .unknown(&[Term::CriticalPath, Term::Waits, Term::Events]);
        left("pool", why, Some(effect))
    }
}

pub(super) fn given(
    kind: &'static str,
    gives: u64,
    why: impl Into<String>,
    effect: Effect,
) -> Action {
    Action {
        kind,
        gives: Some(gives),
        done: true,
        why: why.into(),
        effect: Some(effect),
    }
}

pub(super) fn left(kind: &'static str, why: impl Into<String>, effect: Option<Effect>) -> Action {
    Action {
        kind,
        gives: None,
        done: false,
        why: why.into(),
        effect,
    }
}

fn retain(model: &Model, payloads: &[u64], store: u64) -> Action {
    let kept = || model.resources.iter().filter(|r| r.class.persists());
    let effect = Effect::none().unknown(&[
        Term::Arena,
        Term::Peak,
        Term::Slack,
        Term::Waits,
        Term::Events,
    ]);
    // An upload writes what it brings; what runs change would have to be brought back, too.
    let effect = match kept().all(|r| r.class == Class::Resident) {
        true => {
            let all = model.resources.iter().zip(payloads);
            let bytes = all.filter(|(r, _)| r.class.persists());
            let bytes = bytes.fold(0u64, |sum, (_, bytes)| sum.saturating_add(*bytes));
            effect.with(Term::Written, more(bytes, 0))
        }
        false => effect.unknown(&[Term::Read, Term::Written, Term::Launches]),
    };
    match kept().count() {
        0 => left("retain", "nothing outlives a run", None),
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
            effect: Some(effect),
        },
    }
}

impl Record {
    pub(super) fn action_facts(&self, out: &mut String) -> fmt::Result {
        for action in &self.actions {
            let gives = action
                .gives
                .map_or(String::new(), |bytes| bytes.to_string());
            let done = if action.done { "done" } else { "" };
            let effect = action.effect.as_ref().map_or(String::new(), Effect::facts);
            writeln!(
                out,
                "action\t{}\t{gives}\t{done}\t{}\t{effect}",
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
            if let Some(effect) = &action.effect {
                let changes = if done { "changes" } else { "would change" };
                writeln!(f, "      {changes:<16} {}", effect.words())?;
            }
        }
        Ok(())
    }
}
