//! Branch and bound for the largest value over a box.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::Expr;
use super::super::bracket::{Range, bracket};
use super::Extreme;
use super::space::{Region, Space};

/// What a search is to find.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// The largest value.
    Largest,
    /// Whether there is one above 0, which is asked often: of many pairs of rows.
    AboveZero,
}

impl Goal {
    /// Boxes looked at; beyond, what is found is a bound.
    fn boxes(self) -> usize {
        match self {
            Self::Largest => 1 << 10,
            Self::AboveZero => 1 << 5,
        }
    }
}

impl Space {
    /// The largest value of `of`, or as much of it as the goal asks for.
    pub(super) fn largest(&mut self, of: &Expr, goal: Goal) -> Extreme {
        let declared: Vec<(u16, usize)> = self.declared.clone();
        let bounds =
            |&(_, i): &(u16, usize)| (self.dims[i].min.min(self.dims[i].max), self.dims[i].max);
        let whole: Region = declared.iter().map(bounds).collect();
        self.enter(&whole);
        let mut products = self.dims.iter().filter(|d| !d.is_declared());
        if products.any(|d| d.max == u64::MAX) {
            // It may leave 64 bits.
            return Extreme {
                bound: i128::MAX,
                seen: None,
                at: Vec::new(),
            };
        }
        let mut search = Search {
            space: self,
            of,
            best: None,
            parts: 0,
        };
        let mut open: BinaryHeap<Part> = search.part(whole).into_iter().collect();
        let mut bound = None;
        while let Some(part) = open.pop() {
            let known = search.meets(part.most);
            let decided = goal == Goal::AboveZero && (part.most <= 0 || search.meets(1));
            let done = known || decided || search.parts >= goal.boxes();
            let halves = part.halves().filter(|_| !done);
            let Some(halves) = halves else {
                // No part that is open has more.
                bound = Some(part.most).filter(|_| !known);
                break;
            };
            open.extend(halves.into_iter().filter_map(|half| search.part(half)));
        }
        let (seen, point) = search.best.unzip();
        let named = declared.iter().map(|&(dim, _)| dim);
        Extreme {
            bound: bound.or(seen).unwrap_or(i128::MAX),
            seen,
            at: named.zip(point.unwrap_or_default()).collect(),
        }
    }
}

/// A part of the box that may have a better value than is known.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    /// No value in it is above this.
    most: i128,
    /// Which was made first.
    number: Reverse<usize>,
    region: Region,
    /// Which dim is halved next: where steps may raise the value the most.
    widest: Option<usize>,
}

impl Part {
    fn halves(&self) -> Option<[Region; 2]> {
        let widest = self.widest?;
        let (lo, hi) = self.region[widest];
        let middle = lo.midpoint(hi);
        Some([(lo, middle), (middle + 1, hi)].map(|half| {
            let mut region = self.region.clone();
            region[widest] = half;
            region
        }))
    }
}

struct Search<'s> {
    space: &'s mut Space,
    of: &'s Expr,
    /// The best value known, and where it is.
    best: Option<(i128, Vec<u64>)>,
    /// Parts made so far.
    parts: usize,
}

impl Search<'_> {
    /// What of `region` is left to look at once its ends and its middle are; `None` if nothing is.
    fn part(&mut self, mut region: Region) -> Option<Part> {
        self.parts += 1;
        self.space.enter(&region);
        let most = self.of.sum(&self.space.dims, bracket).1;
        // All often grows together.
        self.look(point(&region, |_, hi| hi));
        if self.meets(most) {
            return None;
        }
        let steps = self.narrow(&mut region);
        let mut most = most.min(self.of.sum(&self.space.dims, bracket).1);
        let picks: [fn(u64, u64) -> u64; 3] = [|_, hi| hi, |lo, _| lo, u64::midpoint];
        for pick in picks {
            let at = point(&region, pick);
            if let Some(value) = self.look(at.clone()) {
                most = away(value, &at, &region, &steps).map_or(most, |bound| most.min(bound));
            }
            if self.meets(most) {
                return None;
            }
        }
        let change = |i: &usize| {
            let (lo, hi) = region[*i];
            let step = steps[*i].map_or(i128::MAX, |(a, b)| b.max(a.saturating_neg()));
            (step.saturating_mul((hi - lo).into()), Reverse(*i))
        };
        let wide = (0..region.len()).filter(|&i| region[i].0 < region[i].1);
        let widest = wide.max_by_key(change);
        Some(Part {
            most,
            number: Reverse(self.parts),
            region,
            widest,
        })
    }

    /// Whether a value that is known is no less than `most`.
    fn meets(&self, most: i128) -> bool {
        self.best.as_ref().is_some_and(|(best, _)| *best >= most)
    }

    /// The value at `point`, kept if it is the best; `None` where it leaves `i128`.
    fn look(&mut self, point: Vec<u64>) -> Option<i128> {
        let value = self.space.at(self.of, &point)?;
        if self.best.as_ref().is_none_or(|(best, _)| *best < value) {
            self.best = Some((value, point));
        }
        Some(value)
    }

    /// Leaves of each dim of `region`, which is entered, the end that counts where no step lowers the value,
    /// or none raises it. By how much a step of each dim changes the value in what is left.
    fn narrow(&mut self, region: &mut Region) -> Vec<Option<Range>> {
        loop {
            let declared = self.space.declared.iter().zip(region.iter());
            let steps = declared.map(|(&(_, i), (lo, hi))| match lo < hi {
                true => self.space.step(self.of, i),
                false => None,
            });
            let steps: Vec<_> = steps.collect();
            let mut narrower = false;
            for ((lo, hi), step) in region.iter_mut().zip(&steps).filter(|(r, _)| r.0 < r.1) {
                match step {
                    Some((0.., _)) => (*lo, narrower) = (*hi, true),
                    Some((_, ..=0)) => (*hi, narrower) = (*lo, true),
                    _ => {}
                }
            }
            if !narrower {
                return steps;
            }
            self.space.enter(region);
            if region.iter().all(|(lo, hi)| lo == hi) {
                return steps;
            }
        }
    }
}

fn point(region: &Region, pick: fn(u64, u64) -> u64) -> Vec<u64> {
    region.iter().map(|&(lo, hi)| pick(lo, hi)).collect()
}

/// What no value in `region` is above, by that at `point` and the steps away from there.
fn away(value: i128, point: &[u64], region: &Region, steps: &[Option<Range>]) -> Option<i128> {
    let dims = point.iter().zip(region).zip(steps);
    let mut dims = dims.filter(|((_, (lo, hi)), _)| lo < hi);
    dims.try_fold(value, |most, ((&at, &(lo, hi)), step)| {
        let (down, up) = (*step)?;
        let up = up.max(0).checked_mul((hi - at).into())?;
        let down = down.min(0).checked_neg()?.checked_mul((at - lo).into())?;
        most.checked_add(up.max(down))
    })
}
