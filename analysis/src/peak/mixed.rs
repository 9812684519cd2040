//! What can be live at one cut at most, by two bounds of each item that are mixed.
//!
//! An item with `k` last users is live once it is begun and until all of those are completed. It is
//! no more than begun and not followed by a task that is behind all of them, and no more than `k` if
//! it is begun less one for each of them that is completed. The one is exact while none is
//! completed, the other once at most one is left. Any mixture bounds it, too, and the most that a
//! mixture of each item allows is a closure of the greatest profit. The mixtures are changed where
//! the closure takes most from them, by less and less (a subgradient of the dual: Held, Karp 1971).

use super::cut::{Closure, Steps};
use super::relax::Relaxation;

/// A mixture has so many parts.
const WHOLE: u64 = 64;

/// Parts that a mixture changes by in the course of the rounds.
const CHANGES: [i64; 6] = [16, 8, 4, 2, 1, 1];

/// Rounds with each.
const ROUNDS: usize = 8;

/// The least bound that is found, no more than `most`; `see` is called with the tasks completed at
/// each cut that a round gives.
pub(super) fn mixed(
    search: &Relaxation<'_>,
    most: u64,
    steps: &mut Steps,
    mut see: impl FnMut(&[bool]),
) -> u64 {
    let instance = search.instance;
    let several = |t: &super::instance::Thing| t.lasts.len() > 1 && !t.to_end;
    if !instance.things.iter().any(several) || instance.total() >> 44 != 0 {
        return most;
    }
    let mut parts = vec![WHOLE; instance.things.len()];
    let mut best = most;
    for change in CHANGES {
        for _ in 0..ROUNDS {
            let Some((bound, completed)) = most_live(search, &parts, steps) else {
                return best;
            };
            best = best.min(bound);
            see(&completed);
            let done = |t: &u32| completed[*t as usize];
            let things = instance.things.iter().zip(&mut parts).zip(&search.near);
            for ((thing, part), [first, behind]) in things.filter(|((t, _), _)| several(t)) {
                let begun = i64::from(thing.from_start || first.iter().all(done));
                let one = begun - i64::from(behind.iter().any(done));
                let left = thing.lasts.len() as i64 * begun;
                let other = left - thing.lasts.iter().filter(|l| done(l)).count() as i64;
                let more = change * (other - one).clamp(-2, 2);
                *part = part.saturating_add_signed(more).min(WHOLE);
            }
        }
    }
    best
}

/// The most that is live by these parts of the first bound, and where.
fn most_live(
    search: &Relaxation<'_>,
    parts: &[u64],
    steps: &mut Steps,
) -> Option<(u64, Vec<bool>)> {
    let instance = search.instance;
    let tasks = instance.tasks();
    if !steps.take(2 * (tasks + instance.things.len())) {
        return None;
    }
    let mut closure = Closure::new(tasks);
    for (t, before) in (0u32..).zip(&instance.before) {
        before.iter().for_each(|&b| closure.demand(t, b));
    }
    let (mut base, mut costs) = (0, vec![0; tasks]);
    for ((thing, &part), [first, behind]) in instance.things.iter().zip(parts).zip(&search.near) {
        let rest = WHOLE - part;
        let all = thing.bytes * (part + rest * thing.lasts.len() as u64);
        if thing.from_start {
            base += all;
        } else {
            let begin = closure.node();
            closure.pays(begin, all);
            first.iter().for_each(|&t| closure.demand(begin, t));
        }
        if thing.to_end {
            continue;
        }
        let end = closure.node();
        closure.costs(end, thing.bytes * part);
        behind.iter().for_each(|&t| closure.demand(t, end));
        for &l in thing.lasts.iter().filter(|_| rest > 0) {
            costs[l as usize] += thing.bytes * rest;
        }
    }
    for (t, bytes) in (0u32..).zip(costs).filter(|(_, bytes)| *bytes > 0) {
        closure.costs(t, bytes);
    }
    let (gain, mut completed) = closure.best(steps)?;
    completed.truncate(tasks);
    Some(((base + gain) / WHOLE, completed))
}

#[cfg(test)]
mod tests {
    use super::super::cut::Steps;
    use super::super::random;
    use super::super::relax::Relaxation;
    use super::super::upper::is_live;
    use super::{WHOLE, mixed, most_live};
    use crate::place::rng::Rng;

    #[test]
    fn no_mixture_allows_less_than_is_live_somewhere() {
        let mut rng = Rng::new(6);
        let (mut less, mut tight) = (0, 0);
        for round in 0..200 {
            let tasks = 3 + rng.below(8);
            let instance = random::instance(&mut rng, tasks);
            let steps = &mut Steps(u64::MAX);
            let search = Relaxation::new(&instance, steps).unwrap();
            let sets = random::down_sets(&instance);
            let lives = sets.iter().map(|set| {
                let mask: Vec<bool> = (0..tasks as u32).map(|t| set.contains(&t)).collect();
                let live = instance
                    .things
                    .iter()
                    .filter(|t| is_live(&instance, t, &mask));
                live.map(|t| t.bytes).sum::<u64>()
            });
            let most = lives.max().unwrap();
            let whole = vec![WHOLE; instance.things.len()];
            let first = most_live(&search, &whole, steps).unwrap().0;
            let random = |t: &super::super::instance::Thing| match t.to_end {
                true => WHOLE,
                false => rng.below(65) as u64,
            };
            let parts: Vec<u64> = instance.things.iter().map(random).collect();
            assert!(
                most_live(&search, &parts, steps).unwrap().0 >= most,
                "round {round}"
            );
            let best = mixed(&search, first, steps, |_| ());
            assert!(most <= best && best <= first, "round {round}");
            less += usize::from(best < first);
            tight += usize::from(best == most);
        }
        assert!(less > 10 && tight > 50, "{less} {tight}");
    }
}
