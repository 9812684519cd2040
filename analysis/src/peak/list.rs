//! A quick sequential execution, for orders of any size: list scheduling by what a task takes.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::instance::Instance;

/// A sequence in which the next task is always the one after which least is live, and of those the
/// one that takes least to run. It takes a logarithm of the tasks for each use of a thing, and no
/// sets of tasks are kept.
pub(super) fn list(instance: &Instance) -> Vec<u32> {
    let mut state = State::new(instance);
    instance.in_order().for_each(|t| state.offer(t));
    let mut order = Vec::with_capacity(instance.tasks());
    while let Some(Reverse((key, t))) = state.ready.pop() {
        // Keys fall, and each time a task is offered anew; what it was offered at before is stale.
        if !state.done[t as usize] && state.key(t) == key {
            order.push(t);
            state.run(t);
        }
    }
    order
}

/// The best of some sequences that take no search, with its peak: worked out once, if it is asked for.
pub(super) struct Quick<'a> {
    pub instance: &'a Instance,
    found: OnceCell<(u64, Vec<u32>)>,
}

impl<'a> Quick<'a> {
    pub fn new(instance: &'a Instance) -> Self {
        let found = OnceCell::new();
        Self { instance, found }
    }

    pub fn get(&self) -> &(u64, Vec<u32>) {
        let instance = self.instance;
        self.found.get_or_init(|| {
            let mut backward = list(&instance.mirror());
            backward.reverse();
            let all = [list(instance), backward, instance.in_order().collect()];
            let all = all.map(|order| (peak(instance, &order)[0], order));
            all.into_iter().min().unwrap_or_default()
        })
    }
}

/// The most that is live while one task after the other of `order` runs, and what is live behind
/// them; the largest number where numbers do not go that far.
pub(super) fn peak(instance: &Instance, order: &[u32]) -> [u64; 2] {
    let mut at = vec![0usize; instance.tasks()];
    for (k, &t) in order.iter().enumerate() {
        at[t as usize] = k;
    }
    let at = |t: &u32| at[*t as usize];
    let mut level = 0u128;
    // What begins with each, and what is over behind it.
    let mut change = vec![(0u128, 0u128); order.len()];
    for thing in &instance.things {
        let bytes = u128::from(thing.bytes);
        match thing.firsts.iter().map(at).min() {
            _ if thing.from_start => level += bytes,
            Some(first) => change[first].0 += bytes,
            None => {}
        }
        match thing.lasts.iter().map(at).max() {
            Some(last) if !thing.to_end => change[last].1 += bytes,
            _ => {}
        }
    }
    let mut peak = 0;
    for (taken, freed) in change {
        level += taken;
        peak = level.max(peak);
        level -= freed;
    }
    [peak, level].map(|bytes| u64::try_from(bytes).unwrap_or(u64::MAX))
}

/// What is live after the task, against what is before, and what is live more while it runs.
type Key = (i128, u128);

struct State<'a> {
    instance: &'a Instance,
    /// Of each task the things that it may be the first to use, or the last.
    opens: Vec<Vec<u32>>,
    closes: Vec<Vec<u32>>,
    live: Vec<bool>,
    /// Last users of each thing that are not done.
    users: Vec<usize>,
    /// Bytes that each task would make live now, and that would be over behind it.
    taken: Vec<u128>,
    freed: Vec<u128>,
    /// Tasks right before each that are not done.
    missing: Vec<usize>,
    done: Vec<bool>,
    ready: BinaryHeap<Reverse<(Key, u32)>>,
}

impl<'a> State<'a> {
    fn new(instance: &'a Instance) -> Self {
        let [opens, closes] = instance.ends();
        let things = || instance.things.iter();
        let bytes = |r: &u32| u128::from(instance.things[*r as usize].bytes);
        let alone = |r: &&u32| instance.things[**r as usize].lasts.len() == 1;
        let taken = opens.iter().map(|list| list.iter().map(bytes).sum());
        let freed = closes
            .iter()
            .map(|list| list.iter().filter(alone).map(bytes).sum());
        Self {
            instance,
            taken: taken.collect(),
            freed: freed.collect(),
            opens,
            closes,
            live: things().map(|thing| thing.from_start).collect(),
            users: things().map(|thing| thing.lasts.len()).collect(),
            missing: instance.before.iter().map(Vec::len).collect(),
            done: vec![false; instance.tasks()],
            ready: BinaryHeap::new(),
        }
    }

    fn key(&self, t: u32) -> Key {
        let (taken, freed) = (self.taken[t as usize], self.freed[t as usize]);
        // Fewer than 2^32 things of less than 2^64 bytes.
        (taken as i128 - freed as i128, taken)
    }

    /// Offers a task, if it is ready: anew where less is live after it than was thought.
    fn offer(&mut self, t: u32) {
        if self.missing[t as usize] == 0 && !self.done[t as usize] {
            self.ready.push(Reverse((self.key(t), t)));
        }
    }

    fn run(&mut self, t: u32) {
        let instance = self.instance;
        self.done[t as usize] = true;
        for r in std::mem::take(&mut self.opens[t as usize]) {
            let thing = &instance.things[r as usize];
            if !std::mem::replace(&mut self.live[r as usize], true) {
                for &user in &thing.firsts {
                    self.taken[user as usize] -= u128::from(thing.bytes);
                    self.offer(user);
                }
            }
        }
        for r in std::mem::take(&mut self.closes[t as usize]) {
            let thing = &instance.things[r as usize];
            self.users[r as usize] -= 1;
            if self.users[r as usize] == 1 {
                let mut lasts = thing.lasts.iter();
                if let Some(&last) = lasts.find(|&&u| !self.done[u as usize]) {
                    self.freed[last as usize] += u128::from(thing.bytes);
                    self.offer(last);
                }
            }
        }
        for &next in &instance.after[t as usize] {
            self.missing[next as usize] -= 1;
            self.offer(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::random;
    use super::super::view::View;
    use super::{list, peak};
    use crate::place::rng::Rng;

    #[test]
    fn every_task_comes_once_and_behind_those_before_it() {
        let mut rng = Rng::new(4);
        for round in 0..300 {
            let tasks = 1 + rng.below(60);
            let instance = random::instance(&mut rng, tasks);
            for instance in [instance.mirror(), instance] {
                let order = list(&instance);
                let mut sorted = order.clone();
                sorted.sort_unstable();
                let all: Vec<u32> = (0..tasks as u32).collect();
                assert_eq!(sorted, all, "round {round}");
                let at = |t: u32| order.iter().position(|&o| o == t);
                for (t, before) in (0u32..).zip(&instance.before) {
                    assert!(before.iter().all(|&b| at(b) < at(t)), "round {round}");
                }
                let view = View::<1>::new(&instance);
                assert_eq!(
                    peak(&instance, &order)[0],
                    view.peak(&order),
                    "round {round}"
                );
            }
        }
    }

    #[test]
    fn the_next_task_is_the_one_after_which_least_is_live() {
        let mut rng = Rng::new(5);
        for round in 0..200 {
            let tasks = 1 + rng.below(40);
            let instance = random::instance(&mut rng, tasks);
            let view = View::<1>::new(&instance);
            let (mut done, mut level) = (super::super::set::Set::EMPTY, instance.floor());
            for t in list(&instance) {
                let ready = (0..tasks as u32).filter(|&r| !done.has(r) && view.ready(&done, r));
                let steps = ready.map(|r| (view.step(&done, level, r), r));
                let least = steps.map(|((high, low), r)| (low, high, r)).min();
                let (low, _, next) = least.unwrap();
                assert_eq!(t, next, "round {round}");
                (done, level) = (done.with(t), low);
            }
        }
    }
}
