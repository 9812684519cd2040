//! Random instances, for tests.

use super::instance::{Instance, Item};
use crate::model::TaskId;
use crate::order::Precedence;
use crate::place::rng::Rng;

/// An instance of so many tasks, with items that any of them may use.
pub(super) fn instance(rng: &mut Rng, tasks: usize) -> Instance {
    let mut before = vec![Vec::new(); tasks];
    for (t, list) in before.iter_mut().enumerate() {
        list.extend((0..t as u32).filter(|_| rng.below(4) == 0));
    }
    let order = Precedence::of(before).expect("edges lead up");
    let items: Vec<Item> = (0..2 * tasks)
        .map(|_| Item {
            bytes: 1 + rng.below(9) as u64,
            users: (0..1 + rng.below(4))
                .map(|_| TaskId(rng.below(tasks) as u32))
                .collect(),
            to_end: rng.below(5) == 0,
            from_start: rng.below(9) == 0,
            ..Item::default()
        })
        .collect();
    Instance::new(&order, &items, false)
}

/// All sets of tasks that have with each all before it.
pub(super) fn down_sets(instance: &Instance) -> Vec<Vec<u32>> {
    let tasks = instance.tasks() as u32;
    let has = |set: u32, t: u32| set >> t & 1 != 0;
    let closed = |set: &u32| {
        let inside = (0..tasks).filter(|&t| has(*set, t));
        inside
            .flat_map(|t| &instance.before[t as usize])
            .all(|&b| has(*set, b))
    };
    let sets = (0..1u32 << tasks).filter(closed);
    sets.map(|set| (0..tasks).filter(|&t| has(set, t)).collect())
        .collect()
}
