//! What is live when a given number of tasks is completed, at least.
//!
//! Every sequence comes by a down-set of each size, so that for each `k` the least level of all
//! down-sets of `k` tasks bounds the least peak from below. A down-set of the least level without
//! regard to its size is a minimum cut; the size enters at a price for each task (Lagrange), and
//! where the price makes sets of fewer and of more than `k` tasks equally good, the tasks in which
//! they differ are settled one after the other: completed, with all before, or not, with all behind
//! (branch and bound, the part with the least bound first). Where dependencies fan out, a few of
//! those settle most of the others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cut::Steps;
use super::set::Set;
use super::view::{Price, View};

/// Parts of the sequence that is known, of each of which the size is looked at behind which most is
/// live; and the number of sizes that are tried of those. The better half goes on, time and again.
const PARTS: usize = 16;
const SIZES: usize = 6;

/// Prices that are tried for a part, at most.
const PRICES: usize = 3;

/// A bound of the least peak, which lies between `low` and `high`; `order` is a good sequence.
pub(super) fn counted<const N: usize>(
    view: &View<'_, N>,
    order: &[u32],
    [low, high]: [u64; 2],
    steps: &mut Steps,
) -> u64 {
    let total = view.instance.total();
    // Prices in parts of a byte, as far as numbers have room.
    let shift = total.leading_zeros().saturating_sub(24).min(10);
    if total >> 40 != 0 || order.len() < 2 {
        return low;
    }
    let new = |size: usize| Search::new(view, size, high, shift);
    let mut all: Vec<_> = sizes(view, order).into_iter().map(new).collect();
    let share = steps.0 / (u64::from(all.len().ilog2()) + 2);
    let mut best = (low, 0);
    while !all.is_empty() {
        let each = share / all.len() as u64;
        for search in &mut all {
            steps.lend(each, |own| search.go_on(own));
            best = best.max((search.bound().min(high), search.size));
        }
        all.retain(|s| !s.over());
        all.sort_by_key(|s| (Reverse(s.bound()), s.size));
        all.truncate(all.len() / 2);
    }
    // Sizes around the best one, nearer and nearer.
    let mut far = order.len() / PARTS;
    while far > 0 && best.1 > 0 && best.0 < high {
        for size in [best.1.saturating_sub(far), best.1 + far] {
            if (1..order.len()).contains(&size) {
                let mut search = new(size);
                steps.lend(share / 4, |own| search.go_on(own));
                best = best.max((search.bound().min(high), size));
            }
        }
        far /= 2;
    }
    best.0
}

/// The sizes behind which most is live in a sequence, of each part of it one.
fn sizes<const N: usize>(view: &View<'_, N>, order: &[u32]) -> Vec<usize> {
    let (mut done, mut level) = (Set::EMPTY, view.instance.floor());
    let mut all: Vec<(Reverse<u64>, usize)> = Vec::new();
    for (at, &t) in order[..order.len() - 1].iter().enumerate() {
        level = view.step(&done, level, t).1;
        done.insert(t);
        all.push((Reverse(level), at + 1));
    }
    let parts = all.chunks(all.len().div_ceil(PARTS).max(1));
    let mut best: Vec<_> = parts
        .filter_map(|part| part.iter().min().copied())
        .collect();
    best.sort_unstable();
    best.truncate(SIZES);
    best.into_iter().map(|(_, size)| size).collect()
}

/// A part of the down-sets of one size.
#[derive(Clone, Copy)]
struct Part<const N: usize> {
    /// Completed, and not settled.
    done: Set<N>,
    open: Set<N>,
    /// The price that was asked last.
    price: i64,
    /// A set of fewer tasks and one of more that are as good.
    fewer: Set<N>,
    more: Set<N>,
}

/// The down-sets of one size.
struct Search<'v, 'a, const N: usize> {
    view: &'v View<'a, N>,
    size: usize,
    high: u64,
    shift: u32,
    parts: Vec<Option<Part<N>>>,
    /// Bounds of parts.
    heap: BinaryHeap<(Reverse<u64>, u32)>,
    begun: bool,
    /// A set of this size has as much.
    found: u64,
}

impl<'v, 'a, const N: usize> Search<'v, 'a, N> {
    fn new(view: &'v View<'a, N>, size: usize, high: u64, shift: u32) -> Self {
        Self {
            view,
            size,
            high,
            shift,
            parts: Vec::new(),
            heap: BinaryHeap::new(),
            begun: false,
            found: u64::MAX,
        }
    }

    /// No set of this size has less.
    fn bound(&self) -> u64 {
        match self.heap.peek() {
            _ if !self.begun => 0,
            Some((Reverse(bound), _)) => (*bound).min(self.found),
            None => self.found.min(self.high),
        }
    }

    /// Nothing is left to be found out.
    fn over(&self) -> bool {
        let done = |(bound, _): &(Reverse<u64>, u32)| bound.0 >= self.found;
        self.begun && self.heap.peek().is_none_or(done)
    }

    fn go_on(&mut self, steps: &mut Steps) {
        if !self.begun {
            let all = Set::below(self.view.instance.tasks());
            let whole = Part {
                done: Set::EMPTY,
                open: all,
                price: 0,
                fewer: Set::EMPTY,
                more: all,
            };
            if self.see(whole, 0, steps).is_none() {
                return;
            }
            self.begun = true;
        }
        while !self.over() {
            let Some((Reverse(bound), at)) = self.heap.pop() else {
                return;
            };
            let Some(part) = self.parts[at as usize].take() else {
                continue;
            };
            if self.split(bound, &part, steps).is_none() {
                self.heap.push((Reverse(bound), at));
                self.parts[at as usize] = Some(part);
                return;
            }
        }
    }

    /// Settles one task of a part both ways; `None` if the steps ran out before that.
    fn split(&mut self, bound: u64, part: &Part<N>, steps: &mut Steps) -> Option<()> {
        let gap = part.more.minus(&part.fewer).and(&part.open);
        let view = self.view;
        let gap = if gap.is_empty() { part.open } else { gap };
        if !steps.take(gap.count()) {
            return None;
        }
        let both = |t: u32| {
            let before = view.ancestors[t as usize].and(&gap).count();
            let around = view.comparable[t as usize].and(&gap).count();
            (before.min(around - before), around, Reverse(t))
        };
        let task = gap.iter().max_by_key(|&t| both(t))?;
        let before = view.ancestors[task as usize].with(task);
        let behind = view.comparable[task as usize].minus(&before).with(task);
        let with = Part {
            done: part.done.or(&before),
            open: part.open.minus(&before),
            ..*part
        };
        self.see(with, bound, steps)?;
        let without = Part {
            open: part.open.minus(&behind),
            ..*part
        };
        self.see(without, bound, steps)
    }

    /// Bounds a part of one with at least `bound`, and keeps it if it may have less than `high`.
    fn see(&mut self, mut part: Part<N>, bound: u64, steps: &mut Steps) -> Option<()> {
        let count = part.done.count();
        if count > self.size || count + part.open.count() < self.size {
            return Some(());
        }
        if !steps.take(self.view.instance.things.len()) {
            return None;
        }
        let size = (self.size - count) as i128;
        let floor = i128::from(self.view.level(&part.done)) << self.shift;
        (part.fewer, part.more) = (part.done, part.done.or(&part.open));
        let mut best = i128::from(bound) << self.shift;
        // Of the sets with fewer tasks and with more: how many they have, and what is live.
        let mut ends: [Option<(i128, i128)>; 2] = [None, None];
        for _ in 0..PRICES {
            let price = Price {
                each: part.price,
                shift: self.shift,
            };
            let (gain, set) = self
                .view
                .priced(&part.done, &part.open, None, price, steps)?;
            let taken = (set.count() - count) as i128;
            let (value, price) = (floor - i128::from(gain), i128::from(part.price));
            best = best.max(value + price * size);
            let has = value + price * taken;
            if taken == size {
                self.found = self.found.min(self.bytes(has));
                return Some(());
            }
            if best >= i128::from(self.high) << self.shift {
                return Some(());
            }
            let side = usize::from(taken > size);
            ends[side] = Some((taken, has));
            match side {
                0 => part.fewer = set,
                _ => part.more = set,
            }
            let next = match ends {
                [Some((few, low)), Some((many, high))] => {
                    let next = (high - low).div_euclid(many - few);
                    // On the line between the two there is no better price.
                    if best + (many - few) >= low + next * (size - few) {
                        break;
                    }
                    next
                }
                [Some(_), None] => (price * 2).max(price / 2).max(1 << self.shift) * 2,
                _ => (price * 2).min(price / 2).min(-(1 << self.shift)) * 2,
            };
            let Some(next) = i64::try_from(next).ok().filter(|n| n.abs() < 1 << 56) else {
                break;
            };
            part.price = next;
        }
        let bytes = self.bytes(best);
        self.heap.push((Reverse(bytes), self.parts.len() as u32));
        self.parts.push(Some(part));
        Some(())
    }

    fn bytes(&self, scaled: i128) -> u64 {
        u64::try_from((scaled + (1 << self.shift) - 1) >> self.shift).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cut::Steps;
    use super::super::random;
    use super::super::set::Set;
    use super::super::view::View;
    use super::Search;
    use crate::place::rng::Rng;

    #[test]
    fn of_each_size_the_least_level_of_all_down_sets_is_found() {
        let mut rng = Rng::new(3);
        let (mut split, mut cut_short) = (0, 0);
        for round in 0..200 {
            let tasks = 3 + rng.below(8);
            let instance = random::instance(&mut rng, tasks);
            let view = View::<1>::new(&instance);
            let mut least = vec![u64::MAX; tasks + 1];
            for set in random::down_sets(&instance) {
                let level = view.level(&Set::of(&set));
                least[set.len()] = least[set.len()].min(level);
            }
            for (size, &least) in least.iter().enumerate().take(tasks).skip(1) {
                let mut search = Search::new(&view, size, u64::MAX, 10);
                search.go_on(&mut Steps(u64::MAX));
                assert!(search.over());
                assert_eq!(search.bound(), least, "round {round}, size {size}");
                split += usize::from(search.parts.len() > 1);
                let mut short = Search::new(&view, size, u64::MAX, 10);
                short.go_on(&mut Steps(400));
                assert!(short.bound() <= least, "round {round}, size {size}");
                cut_short += usize::from(!short.over() && short.begun);
            }
        }
        assert!(split > 100 && cut_short > 20, "{split} {cut_short}");
    }
}
