//! Sequential executions below a limit, from valley to valley.
//!
//! Let `m(D)` be what is live between tasks when the down-set `D` is completed, and `h(D, t)` what
//! is live while `t` runs next. Both are submodular in `D`, and for down-sets `E`, `F` and `t ∈ F`
//! outside of `E` resp. `t ∉ F`
//!
//! ```text
//! h(E ∩ F, t) ≤ h(E, t) + m(F) − m(E ∪ F)        h(E ∪ F, t) ≤ h(E, t) + m(F) − m(E ∩ F)
//! ```
//!
//! 1. If `F` has the least `m` of all down-sets between `A` and `Z`, a sequence from `A` to `Z` below
//!    a limit can be led through `F`: first its tasks in `F`, then the others. So the whole is cut
//!    in two at the least cut, and the second half is the first half of the mirrored instance; what
//!    is left is to descend to a least cut `Z`. (Liu 1987 cuts trees at such valleys; Kayaaslan,
//!    Lambert, Marchal, Uçar 2018 series-parallel graphs.)
//! 2. If some `F` with `m(F) ≤ m(A)` that is least between `A` and `F` can be reached from `A` below
//!    the limit, one may go there at once, whatever follows: nothing is taken back behind a valley.
//! 3. Where the tasks between `A` and `Z` fall into parts that no dependency and no item joins, some
//!    part alone has a valley that can be reached, if there is a way at all: take the part that is
//!    first to be back at its level.
//!
//! What is left to try is the first task of the climb out of each valley, within one part; the way
//! from there is again a descent.

use std::collections::BTreeMap;

use super::cut::Steps;
use super::set::Set;
use super::view::View;

/// The steps ran out.
pub(super) struct Spent;

/// A search for a sequence that never has more than `limit` live.
pub(super) struct Climb<'v, 'a, 's, const N: usize> {
    /// In the direction of time, and against it.
    views: &'v [View<'a, N>; 2],
    limit: u64,
    /// The least that was above the limit: below it, the search would go the same way.
    pub blocked: u64,
    /// What leads from one set to the next valley on the way to another, if anything does.
    known: [Known<N>; 2],
    steps: &'s mut Steps,
}

/// By a set and the one it is on the way to.
type Known<const N: usize> = BTreeMap<(Set<N>, Set<N>), Option<Vec<u32>>>;

/// Where a search is.
#[derive(Clone, Copy)]
struct Place<const N: usize> {
    /// Which of the two views.
    way: usize,
    done: Set<N>,
    level: u64,
}

type Found = Result<Option<Vec<u32>>, Spent>;

impl<'v, 'a, 's, const N: usize> Climb<'v, 'a, 's, N> {
    pub fn new(views: &'v [View<'a, N>; 2], limit: u64, steps: &'s mut Steps) -> Self {
        Self {
            views,
            limit,
            blocked: u64::MAX,
            known: [BTreeMap::new(), BTreeMap::new()],
            steps,
        }
    }

    /// A sequence from nothing to `target` in view `way`; `target` has the least live of all
    /// down-sets in it.
    pub fn descend(&mut self, way: usize, target: &Set<N>) -> Found {
        let level = self.views[way].instance.floor();
        let done = Set::EMPTY;
        self.descend_from(Place { way, done, level }, target)
    }

    fn descend_from(&mut self, mut at: Place<N>, target: &Set<N>) -> Found {
        let mut moves = Vec::new();
        while at.done != *target {
            let Some(more) = self.valley(at, target)? else {
                return Ok(None);
            };
            self.follow(&mut at, &more);
            moves.extend(more);
        }
        Ok(Some(moves))
    }

    fn follow(&self, at: &mut Place<N>, moves: &[u32]) {
        for &t in moves {
            at.level = self.views[at.way].step(&at.done, at.level, t).1;
            at.done.insert(t);
        }
    }

    /// A way to a valley no higher, towards `target`.
    fn valley(&mut self, at: Place<N>, target: &Set<N>) -> Found {
        let view = &self.views[at.way];
        let rest = target.minus(&at.done);
        if !self.steps.take(rest.count()) {
            return Err(Spent);
        }
        let mut first = Vec::new();
        for t in rest.iter().filter(|&t| view.ready(&at.done, t)) {
            let (high, low) = view.step(&at.done, at.level, t);
            if !self.steps.take(view.cost[t as usize]) {
                return Err(Spent);
            }
            if high > self.limit {
                self.blocked = self.blocked.min(high);
            } else if low <= at.level {
                return Ok(Some(vec![t]));
            } else {
                first.push((low, t));
            }
        }
        if first.is_empty() {
            return Ok(None);
        }
        let key = (at.done, *target);
        if let Some(known) = self.known[at.way].get(&key) {
            return Ok(known.clone());
        }
        first.sort_unstable();
        let mut seen = Set::EMPTY;
        let mut found = None;
        for k in 0..first.len() {
            if seen.has(first[k].1) {
                continue;
            }
            let part = view.part(&at.done, &rest, first[k].1);
            if !self.steps.take(8 * part.count()) {
                return Err(Spent);
            }
            seen = seen.or(&part);
            found = match self.bottleneck(at.way, &part) {
                Some(t) if self.splits(at, &part, t) => self.through(at, &part, t)?,
                _ => {
                    let within: Vec<_> = first.iter().filter(|f| part.has(f.1)).collect();
                    self.out(at, &at.done.or(&part), &within)?
                }
            };
            if found.is_some() {
                break;
            }
        }
        self.known[at.way].insert(key, found.clone());
        Ok(found)
    }

    /// The first task that is before or after each other task of `part`, and not before all.
    fn bottleneck(&self, way: usize, part: &Set<N>) -> Option<u32> {
        let view = &self.views[way];
        let narrow = |t: &u32| part.within(&view.comparable[*t as usize].with(*t));
        let behind = |t: u32| view.ancestors[t as usize].and(part).count();
        let all = part.iter().filter(narrow).map(|t| (behind(t), t));
        all.filter(|&(n, _)| n > 0).min().map(|(_, t)| t)
    }

    /// Whether what is before `t` falls into parts when it is taken backward.
    fn splits(&self, at: Place<N>, part: &Set<N>, t: u32) -> bool {
        let (view, mirror) = (&self.views[at.way], &self.views[1 - at.way]);
        let rest = view.ancestors[t as usize].and(part);
        let done = Set::below(view.instance.tasks()).minus(&at.done.or(&rest));
        let mut first = rest.iter().filter(|&t| mirror.ready(&done, t));
        first
            .next()
            .is_some_and(|t| mirror.part(&done, &rest, t) != rest)
    }

    /// A valley within `part`, where all ways go through `t` with all that is before it.
    fn through(&mut self, at: Place<N>, part: &Set<N>, t: u32) -> Found {
        let view = &self.views[at.way];
        let rest = view.ancestors[t as usize].and(part);
        let (gain, lowest) = view.dip(&at.done, &rest, None, self.steps).ok_or(Spent)?;
        if gain > 0 {
            return self.valley(at, &lowest);
        }
        // Up to `t`, the least cut is here: the way up is a way down in the mirror.
        let done = at.done.or(&rest);
        let level = view.level(&done);
        let all = Set::below(view.instance.tasks());
        let back = Place {
            way: 1 - at.way,
            done: all.minus(&done),
            level,
        };
        let Some(mut moves) = self.descend_from(back, &all.minus(&at.done))? else {
            return Ok(None);
        };
        moves.reverse();
        let (high, low) = view.step(&done, level, t);
        if high > self.limit {
            self.blocked = self.blocked.min(high);
            return Ok(None);
        }
        moves.push(t);
        let behind = Place {
            done: done.with(t),
            level: low,
            ..at
        };
        self.back(at, behind, moves, &at.done.or(part))
    }

    /// The same within one part, by one of the tasks `first`.
    fn out(&mut self, at: Place<N>, target: &Set<N>, first: &[&(u64, u32)]) -> Found {
        for &&(level, t) in first {
            let done = at.done.with(t);
            let found = self.back(at, Place { done, level, ..at }, vec![t], target)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Goes on from `high`, where `moves` led, until the level is that of `at`.
    fn back(
        &mut self,
        at: Place<N>,
        mut high: Place<N>,
        mut moves: Vec<u32>,
        target: &Set<N>,
    ) -> Found {
        while high.level > at.level {
            let Some(more) = self.valley(high, target)? else {
                return Ok(None);
            };
            self.follow(&mut high, &more);
            moves.extend(more);
        }
        // A set that lies lower between the two is reached by its part of the way.
        let rest = high.done.minus(&at.done);
        let dip = self.views[at.way].dip(&at.done, &rest, None, self.steps);
        let (gain, lowest) = dip.ok_or(Spent)?;
        if gain > at.level - high.level {
            moves.retain(|&t| lowest.has(t));
        }
        Ok(Some(moves))
    }
}
