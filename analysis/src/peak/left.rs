//! What is live when all but a few tasks of an antichain are completed, at least.
//!
//! Every execution comes by a moment at which exactly `r` tasks `R` of an antichain are left and the
//! others, `S`, are completed, with all before them; all behind `R` is left, too. Then each item is
//! live that has a user among the former and one among the latter: of each item, some of the
//! antichain would begin it, `a`, and some hold it, `b`, and it is live if `S` meets `a` and `R`
//! meets `b`. If `a` has more than `r` tasks, `S` does so; else it does unless `R` has one of them
//! that is picked. So at least the bytes of all items whose `b` meets `R` are live, less those that
//! are picked with a task of `R`: what is sought is the union of `r` sets that weighs least, which is
//! NP-hard to find (minimum k-union), and which branch and bound finds or bounds.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::cut::Steps;
use super::instance::Instance;
use super::set::Set;
use super::union::Unions;
use super::view::View;

/// Tasks that are left, as parts of the antichain: so many of 128.
const PARTS: [usize; 9] = [2, 4, 8, 12, 16, 20, 26, 34, 48];

/// Antichains with their number of tasks left that are searched at most.
const TRIED: usize = 4;

/// Items of more bytes are not multiplied here.
const MOST: u64 = 1 << 40;

/// A bound of the least peak, between `low` and `high`, which are known.
pub(super) fn left<const N: usize>(
    view: &View<'_, N>,
    [low, high]: [u64; 2],
    steps: &mut Steps,
) -> u64 {
    if view.instance.total() > MOST {
        return low;
    }
    let instance = view.instance;
    let spans: Vec<_> = instance.things.iter().map(|t| view.span(t)).collect();
    let mut all = Vec::new();
    for tasks in levels(instance) {
        let mut last = 0;
        for part in PARTS {
            let r = (tasks.len() * part / 128).max(1);
            if r == last || r >= tasks.len() {
                continue;
            }
            last = r;
            if !steps.take(tasks.len() * instance.things.len() / 16) {
                return low;
            }
            let unions = unions(instance, &spans, &tasks, r);
            all.push((unions.greedy(r), unions, r));
        }
    }
    all.sort_by_key(|(greedy, ..)| Reverse(*greedy));
    let mut best = low;
    for (greedy, unions, r) in all.into_iter().take(TRIED) {
        // No more than that can come of it.
        if greedy <= best || best >= high {
            continue;
        }
        let found = steps.lend(steps.0 / 2, |own| unions.search(r, high, own));
        best = best.max(found.min(high));
    }
    best
}

/// Tasks of each level that has several.
fn levels(instance: &Instance) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = Vec::new();
    for (t, level) in (0u32..).zip(instance.levels()) {
        all.resize_with(all.len().max(level + 1), Vec::new);
        all[level].push(t);
    }
    all.retain(|level| level.len() > 1);
    all
}

/// What is live at least with `r` of `tasks` left, as sets: that of a task has the items that it
/// would hold, and gives back those that are picked with it.
fn unions<const N: usize>(
    instance: &Instance,
    spans: &[[Set<N>; 2]],
    tasks: &[u32],
    r: usize,
) -> Unions {
    let antichain = Set::of(tasks);
    // By the tasks that would hold them: what items weigh together.
    let mut items: BTreeMap<Set<N>, u64> = BTreeMap::new();
    let mut back: BTreeMap<u32, u64> = BTreeMap::new();
    let mut always = 0;
    for (thing, [begin, hold]) in instance.things.iter().zip(spans) {
        let (begin, hold) = (begin.and(&antichain), hold.and(&antichain));
        let begun = thing.from_start || begin.count() > r;
        if thing.to_end && begun {
            always += thing.bytes;
            continue;
        }
        let hold = if thing.to_end { antichain } else { hold };
        if hold.is_empty() || !begun && begin.is_empty() {
            continue;
        }
        *items.entry(hold).or_default() += thing.bytes;
        if !begun && let Some(picked) = begin.iter().next() {
            *back.entry(picked).or_default() += thing.bytes;
        }
    }
    let weight: Vec<u64> = items.values().copied().collect();
    let set = |t: &u32| {
        let mut set = vec![0u64; items.len().div_ceil(64)];
        for (at, _) in items.keys().enumerate().filter(|(_, hold)| hold.has(*t)) {
            set[at / 64] |= 1 << (at % 64);
        }
        (set, back.get(t).copied().unwrap_or(0))
    };
    Unions::new(always, weight, tasks.iter().map(set).collect())
}

#[cfg(test)]
mod tests {
    use super::super::cut::Steps;
    use super::super::random;
    use super::super::set::Set;
    use super::super::view::View;
    use super::{levels, unions};
    use crate::place::rng::Rng;

    #[test]
    fn no_cut_that_leaves_so_many_has_less_live() {
        let mut rng = Rng::new(5);
        let (mut equal, mut all, mut short) = (0, 0, 0);
        for round in 0..200 {
            let tasks = 4 + rng.below(8);
            let instance = random::instance(&mut rng, tasks);
            let view = View::<1>::new(&instance);
            let sets = random::down_sets(&instance);
            let spans: Vec<_> = instance.things.iter().map(|t| view.span(t)).collect();
            for level in levels(&instance) {
                for r in 1..level.len() {
                    let left =
                        |set: &&Vec<u32>| level.iter().filter(|t| !set.contains(t)).count() == r;
                    let lives = sets
                        .iter()
                        .filter(left)
                        .map(|set| view.level(&Set::of(set)));
                    let least = lives.min().unwrap_or(u64::MAX);
                    let unions = unions(&instance, &spans, &level, r);
                    let found = unions.search(r, u64::MAX, &mut Steps(u64::MAX));
                    assert!(
                        found <= least,
                        "round {round}: {level:?} {r}: {found} > {least}"
                    );
                    assert!(found <= unions.greedy(r), "round {round}");
                    let early = unions.search(r, u64::MAX, &mut Steps(2000));
                    assert!(early <= found, "round {round}");
                    equal += usize::from(found == least);
                    short += usize::from(early < found);
                    all += 1;
                }
            }
        }
        assert!(6 * equal > all && short > 50, "{equal} of {all}, {short}");
    }
}
