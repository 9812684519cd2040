//! Candidates in which values are made again.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::choose::stands;
use super::descend::Prefer;
use super::search::{Laid, On, Searched, steps};
use super::{Ground, Kind, Realised, work};
use crate::layout::sizes;
use crate::model::{ResourceId, TaskId};
use crate::recompute::{Cut, Obstacle, Remake, Rewritten, Users, obstacle};
use crate::workspace::Workspace;

/// Values that are made again together where none of them gains by itself.
const TOGETHER: usize = 3;

/// A graph in which values are made again, with what holds of it.
pub struct Remade {
    /// The graph, beside that as it was written.
    pub rewritten: Rewritten,
    /// What holds of it.
    pub ground: Ground,
}

/// A value that cannot be made again before some reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The value.
    pub value: String,
    /// The reader.
    pub before: String,
    /// Why.
    pub why: String,
}

impl Remade {
    /// `to` made again, too, in `from`; `None` where a demand no longer holds.
    fn again(from: &Rewritten, ground: &Ground, cut: Cut) -> Option<Self> {
        let rewritten = from.again(cut, &ground.order)?;
        let ground = Ground::new(rewritten.model.clone()).ok()?;
        Some(Self { rewritten, ground })
    }
}

/// What it takes to make each value of `rewritten` again in `realised`, a candidate of it; `ground`
/// is of the same graph, and `base` of that without them.
pub fn terms(
    rewritten: &Rewritten,
    ground: &Ground,
    base: &Ground,
    realised: &Realised,
) -> Vec<Remake> {
    let base = (&base.model, &base.live);
    let each = rewritten.made.iter().map(|made| {
        let (order, live) = (&realised.order, &realised.live);
        Remake::new(made, &ground.model, &ground.costs, base, order, live)
    });
    each.collect()
}

impl Searched {
    /// Makes values again, one after the other, as long as the arena becomes smaller by that, and
    /// looks for candidates on what comes of it. Where none makes it smaller alone, up to three are
    /// made again together: behind the first those that fill the arena then.
    pub(super) fn remake(&mut self, ground: &Ground) {
        let users = Users::new(&ground.model);
        let all = users.cuts(&ground.model);
        if all.is_empty() {
            return;
        }
        let (first, mut cut) = (self.candidates.len(), self.cut);
        (self.steps, self.cut) = (steps(ground), false);
        let minimised = ground.model.declared.minimize.is_some();
        self.granted = usize::from(minimised);
        let rivals = self.work.set_aside(1);
        let aside = self.aside_to_leave(ground);
        let mut least = stands(&self.candidates);
        let mut at: Option<Rc<Remade>> = None;
        let whole = Rewritten::of(&ground.model);
        cut |= self.refuse(ground, &whole, &users, &all);
        // Of further ones with those that gain nothing alone.
        let mut more = if minimised { steps(ground) } else { 0 };
        loop {
            let mut tried = Tried::new(&at, &whole);
            let mut best = self.level(ground, &whole, &mut tried);
            let gains = |best: &Option<(u64, Rc<Remade>)>| {
                best.as_ref().is_some_and(|(arena, _)| *arena < least)
            };
            for _ in 1..TOGETHER {
                if gains(&best) || self.cut || more == 0 {
                    break;
                }
                std::mem::swap(&mut self.steps, &mut more);
                best = self.level(ground, &whole, &mut tried);
                std::mem::swap(&mut self.steps, &mut more);
                cut |= std::mem::take(&mut self.cut);
            }
            let Some((arena, next)) = best.filter(|(arena, _)| *arena < least) else {
                break;
            };
            least = arena;
            self.further(&next);
            if self.cut {
                break;
            }
            at = Some(next);
        }
        self.cut |= cut;
        self.work.give_back(aside);
        self.leave(ground, first);
        self.work.give_back(rivals);
    }

    /// Makes one more value again in each graph of `tried`, and gives the one of the smallest arena.
    /// What comes of them is tried then, the smallest first.
    fn level(
        &mut self,
        ground: &Ground,
        whole: &Rewritten,
        tried: &mut Tried,
    ) -> Option<(u64, Rc<Remade>)> {
        let mut found: Vec<(u64, Option<Rc<Remade>>, Vec<Cut>)> = Vec::new();
        for (at, cuts) in std::mem::take(&mut tried.from) {
            let own = at.as_ref().map(|at| (&at.rewritten, &at.ground));
            let (from, based) = own.unwrap_or((whole, ground));
            for cut in cuts {
                let price = work::ground(based);
                self.cut |= !self.affords(price + work::laid(based));
                if self.cut {
                    break;
                }
                self.work.take(price);
                let Some(next) = Remade::again(from, based, cut).map(Rc::new) else {
                    continue;
                };
                if !tried.seen.insert(next.rewritten.made_before()) {
                    continue;
                }
                if let Some(laid) = self.placed(&next) {
                    let mut cuts = ranked(&next.rewritten);
                    let live =
                        |cut: &Cut| laid.fills.as_ref().is_none_or(|f| f.contains(&cut.value));
                    cuts.retain(live);
                    found.push((laid.arena, Some(next), cuts));
                }
            }
        }
        found.sort_by_key(|(arena, ..)| *arena);
        let best = found.first();
        let best = best.and_then(|(arena, next, _)| Some((*arena, next.clone()?)));
        let from = found.into_iter().map(|(_, next, cuts)| (next, cuts));
        tried.from = from.collect();
        best
    }

    /// Lays `remade` out, as late as can be on all streams and in the sequence of the least peak.
    fn placed(&mut self, remade: &Rc<Remade>) -> Option<Laid> {
        let (ground, late) = (&remade.ground, remade.rewritten.late());
        let on = On {
            ground,
            remade: Some(remade),
            edges: &late,
        };
        let streams = ground.model.streams;
        let beside = self.add(&on, Kind::StreamOrder, late.clone(), streams);
        let in_turn = self.in_turn(&on);
        let both = beside.into_iter().chain(in_turn);
        // What fills the one may be over in the other.
        both.reduce(|a, b| Laid {
            arena: a.arena.min(b.arena),
            fills: a.fills.zip(b.fills).map(|(a, b)| &a | &b),
        })
    }

    /// Looks for more candidates of `remade`.
    fn further(&mut self, remade: &Rc<Remade>) {
        let (ground, late) = (&remade.ground, remade.rewritten.late());
        let on = On {
            ground,
            remade: Some(remade),
            edges: &late,
        };
        for limit in (1..ground.model.streams).rev() {
            let kind = Kind::Streams(u8::try_from(limit).unwrap_or(u8::MAX));
            self.add(&on, kind, late.clone(), limit);
        }
        self.descend(&on, Prefer::Bytes);
        self.descend(&on, Prefer::Path);
    }

    /// Notes what cannot be made again before some reader of the graph as it was written; whether it did
    /// not look at all of `cuts`.
    fn refuse(&mut self, ground: &Ground, whole: &Rewritten, users: &Users, cuts: &[Cut]) -> bool {
        let model = &ground.model;
        let name = |r: ResourceId| &model.resources[r.0 as usize].name;
        let task = |t: TaskId| &model.tasks[t.0 as usize].name;
        // Nothing else of a graph is broken by one launch more.
        let placed = !model.aliases.is_empty() || model.workspaces.iter().any(Workspace::is_one);
        let price = work::ground(ground);
        for &cut in cuts {
            let why = match obstacle(model, users, cut) {
                Some(Obstacle::Overwritten { input, by, .. }) => {
                    format!("`{}` is gone: `{}` overwrites it", name(input), task(by))
                }
                Some(Obstacle::Updated { input, by, .. }) => {
                    format!("`{}` is changed by `{}`", name(input), task(by))
                }
                Some(Obstacle::Placed { .. }) => "where it lies is demanded".to_owned(),
                None if !placed => continue,
                None if !self.work.has(price) => return true,
                None => match Remade::again(whole, ground, cut) {
                    Some(_) => {
                        self.work.take(price);
                        continue;
                    }
                    None => "a demanded `alias` gives away what it is made of".to_owned(),
                },
            };
            self.refused.push(Refused {
                value: name(cut.value).clone(),
                before: task(cut.before).clone(),
                why,
            });
        }
        false
    }
}

/// Graphs that one more value is made again in.
struct Tried {
    /// Each with what is to be made again in it; the first is as it was written.
    from: Vec<(Option<Rc<Remade>>, Vec<Cut>)>,
    /// What was made again before what, in all that were laid out.
    seen: BTreeSet<Vec<(ResourceId, TaskId)>>,
}

impl Tried {
    fn new(at: &Option<Rc<Remade>>, whole: &Rewritten) -> Self {
        let from = at.as_ref().map_or(whole, |at| &at.rewritten);
        Self {
            from: vec![(at.clone(), ranked(from))],
            seen: BTreeSet::new(),
        }
    }
}

/// The cuts that nothing stands against: large values first, and of one value the reader that comes
/// the longest after the one before it.
fn ranked(from: &Rewritten) -> Vec<Cut> {
    let model = &from.model;
    let users = Users::new(model);
    let mut cuts = users.cuts(model);
    cuts.retain(|&cut| obstacle(model, &users, cut).is_none());
    let payloads = sizes::payloads(&model.resources, &model.dims);
    let bytes = |cut: &Cut| payloads[cut.value.0 as usize];
    let gap = |cut: &Cut| {
        let readers = users.readers(cut.value);
        let before = readers.iter().rev().find(|t| **t < cut.before);
        before.map_or(0, |t| cut.before.0 - t.0)
    };
    cuts.sort_by_cached_key(|cut| (Reverse(bytes(cut)), Reverse(gap(cut)), *cut));
    cuts
}
