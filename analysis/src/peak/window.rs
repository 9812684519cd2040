//! A part of the tasks, as an instance of its own whose peak is no higher.
//!
//! Each execution of all tasks is one of some of them, if the others are left out. An item is known
//! to be begun once a task is started that is a user of it or comes after one, and known not to be
//! over as long as a task is not completed that is a user or comes before one; if it is counted
//! only while both are known, no more is counted than is live. So no execution of the part has a
//! higher peak than the whole one that it is taken from, and the least peak of the part bounds that
//! of the whole from below.

use super::instance::{Instance, Thing};
use super::set::Set;
use super::view::View;

/// The instance of `tasks`, ascending, of one that is not mirrored.
pub(super) fn window<const N: usize>(view: &View<'_, N>, tasks: &[u32]) -> Instance {
    let instance = view.instance;
    let number = |t: u32| tasks.binary_search(&t).ok().map(|at| at as u32);
    let inside = Set::<N>::of(tasks);
    let mut after = vec![Vec::new(); tasks.len()];
    let before: Vec<Vec<u32>> = (0u32..)
        .zip(tasks)
        .map(|(at, &t)| {
            let ancestors = view.ancestors[t as usize].and(&inside);
            // Those that another one of them is behind are implied.
            let implied = ancestors.iter().fold(Set::EMPTY, |set: Set<N>, b| {
                set.or(&view.ancestors[b as usize])
            });
            let nearest = ancestors.minus(&implied);
            let list: Vec<u32> = nearest.iter().filter_map(number).collect();
            for &b in &list {
                after[b as usize].push(at);
            }
            list
        })
        .collect();
    let mut things = Vec::new();
    let mut uses = vec![Vec::new(); tasks.len()];
    for (thing, item) in instance.things.iter().zip(0u32..) {
        // In a part, not all that may begin an item hold it, nor the other way.
        let [begins, holds] = view.span(thing);
        let (begins, holds) = (begins.and(&inside), holds.and(&inside));
        if !begins.meets(&holds) {
            continue;
        }
        let minimal = |t: &u32| !view.ancestors[*t as usize].meets(&begins);
        let behind = |t: u32| view.comparable[t as usize].minus(&view.ancestors[t as usize]);
        let maximal = |t: &u32| !behind(*t).meets(&holds);
        let firsts: Vec<u32> = begins.iter().filter(minimal).filter_map(number).collect();
        let lasts: Vec<u32> = holds.iter().filter(maximal).filter_map(number).collect();
        let mut users = [firsts.clone(), lasts.clone()].concat();
        users.sort_unstable();
        users.dedup();
        for &u in &users {
            uses[u as usize].push(things.len() as u32);
        }
        things.push(Thing {
            bytes: thing.bytes,
            from_start: thing.from_start,
            to_end: thing.to_end,
            users,
            firsts,
            lasts,
            item,
        });
    }
    Instance {
        before,
        after,
        things,
        uses,
        task: tasks.to_vec(),
        mirrored: false,
        part: true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::cut::Steps;
    use super::super::left::left;
    use super::super::list::Quick;
    use super::super::lower::{lower, plain};
    use super::super::random;
    use super::super::view::View;
    use super::super::{Effort, Proof};
    use super::window;
    use crate::place::rng::Rng;

    #[test]
    fn no_part_needs_more_than_the_whole() {
        let mut rng = Rng::new(7);
        let mut tight = 0;
        for round in 0..600 {
            let tasks = 3 + rng.below(10);
            let instance = random::instance(&mut rng, tasks);
            let whole = lower(&Quick::new(&instance), &Effort::THOROUGH);
            assert_eq!(whole.at_least, whole.at_most, "round {round}");
            let some: Vec<u32> = (0..tasks as u32).filter(|_| rng.below(3) > 0).collect();
            let own = window(&View::<1>::new(&instance), &some);
            let part = lower(&Quick::new(&own), &Effort::THOROUGH);
            assert!(
                part.at_most <= whole.at_least,
                "round {round}: {instance:?} {some:?}"
            );
            assert_eq!(part.at_least, part.at_most, "round {round}");
            let view = View::<1>::new(&own);
            let cuts = left(&view, [0, u64::MAX], &mut Steps(100_000));
            assert!(
                cuts <= part.at_least,
                "round {round}: {instance:?} {some:?}"
            );
            assert!(
                plain(&Quick::new(&own)).at_least <= part.at_least,
                "round {round}"
            );
            let fewer: Vec<u32> = (0..some.len() as u32)
                .filter(|_| rng.below(3) > 0)
                .collect();
            let inner = lower(&Quick::new(&window(&view, &fewer)), &Effort::THOROUGH);
            assert!(
                inner.at_most <= part.at_least,
                "round {round}: {instance:?} {some:?}"
            );
            tight += usize::from(part.at_least == whole.at_least && some.len() < tasks);
            let by_task = matches!(
                part.proof,
                Proof::WhileRuns(_) | Proof::AtEnd | Proof::Search
            );
            assert!(by_task, "round {round}");
        }
        assert!(tight > 50, "{tight}");
    }
}
