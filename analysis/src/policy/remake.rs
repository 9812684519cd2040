//! Candidates in which values are made again.

use std::cmp::Reverse;
use std::rc::Rc;

use super::search::{On, Prefer, Searched, steps};
use super::{Ground, Kind, Realised};
use crate::layout::sizes;
use crate::model::ResourceId;
use crate::recompute::{Cut, Obstacle, Remake, Rewritten, cuts, obstacle, readers};

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
    /// looks for candidates on what comes of it.
    pub(super) fn remake(&mut self, ground: &Ground) {
        if cuts(&ground.model).is_empty() {
            return;
        }
        let cut_before = self.cut;
        (self.steps, self.cut) = (steps(ground), false);
        let mut least = self.candidates[0].realised.figures.arena;
        let mut at: Option<Rc<Remade>> = None;
        let whole = Rewritten::of(&ground.model);
        self.refuse(ground, &whole);
        loop {
            let own = at
                .as_ref()
                .map(|remade| (&remade.rewritten, &remade.ground));
            let (from, based) = own.unwrap_or((&whole, ground));
            let mut best: Option<(u64, Rc<Remade>)> = None;
            for cut in ranked(from) {
                let Some(next) = Remade::again(from, based, cut).map(Rc::new) else {
                    continue;
                };
                let arena = self.placed(&next);
                if let Some(arena) = arena
                    && best.as_ref().is_none_or(|(least, _)| arena < *least)
                {
                    best = Some((arena, next));
                }
                if self.cut {
                    break;
                }
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
        self.cut |= cut_before;
    }

    /// Lays `remade` out, as late as can be on all streams and in the sequence of the least peak.
    fn placed(&mut self, remade: &Rc<Remade>) -> Option<u64> {
        let (ground, late) = (&remade.ground, remade.rewritten.late());
        let on = On {
            ground,
            remade: Some(remade),
            edges: &late,
        };
        let streams = ground.model.streams;
        let beside = self.add(&on, Kind::StreamOrder, late.clone(), streams);
        let in_turn = self.in_turn(&on);
        beside.into_iter().chain(in_turn).min()
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

    /// Notes what cannot be made again before some reader of the graph as it was written.
    fn refuse(&mut self, ground: &Ground, whole: &Rewritten) {
        let model = &ground.model;
        let name = |r: ResourceId| &model.resources[r.0 as usize].name;
        let task = |t: crate::model::TaskId| &model.tasks[t.0 as usize].name;
        for cut in cuts(model) {
            let why = match obstacle(model, cut) {
                Some(Obstacle::Overwritten { input, by, .. }) => {
                    format!("`{}` is gone: `{}` overwrites it", name(input), task(by))
                }
                Some(Obstacle::Updated { input, by, .. }) => {
                    format!("`{}` is changed by `{}`", name(input), task(by))
                }
                Some(Obstacle::Placed { .. }) => "where it lies is demanded".to_owned(),
                None => match Remade::again(whole, ground, cut) {
                    Some(_) => continue,
                    None => "a demanded `alias` gives away what it is made of".to_owned(),
                },
            };
            self.refused.push(Refused {
                value: name(cut.value).clone(),
                before: task(cut.before).clone(),
                why,
            });
        }
    }
}

/// The cuts that nothing stands against: large values first, and of one value the reader that comes
/// the longest after the one before it.
fn ranked(from: &Rewritten) -> Vec<Cut> {
    let model = &from.model;
    let mut cuts = cuts(model);
    cuts.retain(|&cut| obstacle(model, cut).is_none());
    let bytes = |cut: &Cut| sizes::payload(model, &model.resources[cut.value.0 as usize]);
    let gap = |cut: &Cut| {
        let readers = readers(model, cut.value);
        let before = readers.iter().rev().find(|t| **t < cut.before);
        before.map_or(0, |t| cut.before.0 - t.0)
    };
    cuts.sort_by_key(|cut| (Reverse(bytes(cut)), Reverse(gap(cut)), *cut));
    cuts
}
