//! An instance in one direction of time, with sets of tasks as words.
//!
//! What is live when exactly the tasks of a down-set `D` are completed, and none runs, is
//! `m(D) = Σ b·[some user in D] − Σ b·[all users in D]`: a submodular function on the lattice of
//! down-sets, of which a minimum cut finds the least value and the smallest set that has it.

use super::cut::{Closure, Steps};
use super::instance::{Instance, Thing};
use super::set::Set;

/// What each task pays that is completed, below 0 what it costs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Price {
    /// In parts of a byte, of which it has two to the power of `shift`.
    pub each: i64,
    pub shift: u32,
}

/// So many tasks are looked for one by one in sets of more than four words.
const FEW: usize = 6;

/// An instance with its relations as sets.
pub(super) struct View<'a, const N: usize> {
    pub instance: &'a Instance,
    /// Of each thing its first users, its last ones, and all.
    firsts: Vec<Set<N>>,
    lasts: Vec<Set<N>>,
    users: Vec<Set<N>>,
    /// Tasks right before each.
    before: Vec<Set<N>>,
    /// All tasks before each, and all before or after it.
    pub ancestors: Vec<Set<N>>,
    pub comparable: Vec<Set<N>>,
    /// About how many steps it takes to see what a task does to the level.
    pub cost: Vec<usize>,
    /// What each task ends by itself, less what it begins by itself.
    yields: Vec<i64>,
    /// Things of each that it begins or ends with others.
    shared: Vec<Vec<u32>>,
}

impl<'a, const N: usize> View<'a, N> {
    pub fn new(instance: &'a Instance) -> Self {
        let set = |list: &Vec<u32>| Set::<N>::of(list);
        let closure = |rows: &[Vec<u32>], order: &mut dyn Iterator<Item = u32>| {
            let mut all = vec![Set::<N>::EMPTY; rows.len()];
            for t in order {
                let mut own = Set::<N>::EMPTY;
                for &b in &rows[t as usize] {
                    own.join(&all[b as usize]);
                    own.insert(b);
                }
                all[t as usize] = own;
            }
            all
        };
        let ancestors = closure(&instance.before, &mut instance.in_order());
        let descendants = closure(&instance.after, &mut instance.in_order().rev());
        let both = ancestors.iter().zip(&descendants);
        let mut yields = vec![0i64; instance.tasks()];
        let mut shared = vec![Vec::new(); instance.tasks()];
        for (r, thing) in (0u32..).zip(&instance.things) {
            match thing.firsts[..] {
                _ if thing.from_start => {}
                [first] => yields[first as usize] -= thing.bytes as i64,
                _ => thing
                    .firsts
                    .iter()
                    .for_each(|&f| shared[f as usize].push(r)),
            }
            match thing.lasts[..] {
                _ if thing.to_end => {}
                [last] => yields[last as usize] += thing.bytes as i64,
                _ => thing.lasts.iter().for_each(|&l| shared[l as usize].push(r)),
            }
        }
        // Short sets are compared as words; else users are looked at one by one.
        let looks = |r: &u32| match (N <= 4, &instance.things[*r as usize]) {
            (true, _) => 1,
            (false, thing) => thing.firsts.len() + thing.lasts.len(),
        };
        let uses = instance.uses.iter();
        Self {
            cost: uses.map(|uses| uses.iter().map(looks).sum()).collect(),
            yields,
            shared,
            users: instance.things.iter().map(|t| set(&t.users)).collect(),
            firsts: instance.things.iter().map(|t| set(&t.firsts)).collect(),
            lasts: instance.things.iter().map(|t| set(&t.lasts)).collect(),
            before: instance.before.iter().map(set).collect(),
            comparable: both.map(|(a, d)| a.or(d)).collect(),
            ancestors,
            instance,
        }
    }

    /// The tasks by which a thing is begun once one of them is started, and by which it is not over
    /// as long as one of them is not completed.
    pub fn span(&self, thing: &Thing) -> [Set<N>; 2] {
        let ancestors = |t: u32| &self.ancestors[t as usize];
        let behind = |t: u32| self.comparable[t as usize].minus(ancestors(t)).with(t);
        let begin = thing.firsts.iter().map(|&f| behind(f));
        let hold = thing.lasts.iter().map(|&l| ancestors(l).with(l));
        [
            begin.fold(Set::EMPTY, |all, more| all.or(&more)),
            hold.fold(Set::EMPTY, |all, more| all.or(&more)),
        ]
    }

    pub fn ready(&self, done: &Set<N>, t: u32) -> bool {
        if N <= 4 {
            return self.before[t as usize].within(done);
        }
        self.instance.before[t as usize]
            .iter()
            .all(|&b| done.has(b))
    }

    fn begun(&self, done: &Set<N>, r: u32) -> bool {
        let thing = &self.instance.things[r as usize];
        if thing.from_start {
            return true;
        }
        match N <= 4 || thing.firsts.len() > FEW {
            // In a down-set, a user has a minimal one with it.
            true => self.firsts[r as usize].meets(done),
            false => thing.firsts.iter().any(|&f| done.has(f)),
        }
    }

    fn over(&self, done: &Set<N>, r: u32) -> bool {
        let thing = &self.instance.things[r as usize];
        !thing.to_end
            && match N <= 4 || thing.lasts.len() > FEW {
                true => self.lasts[r as usize].within(done),
                false => thing.lasts.iter().all(|&l| done.has(l)),
            }
    }

    /// What is live behind `done`.
    pub fn level(&self, done: &Set<N>) -> u64 {
        let live = |r: &u32| self.begun(done, *r) && !self.over(done, *r);
        let live = (0..self.instance.things.len() as u32).filter(live);
        live.map(|r| self.instance.things[r as usize].bytes).sum()
    }

    /// What is live while `t` runs behind `done`, where `level` is live, and what after it.
    pub fn step(&self, done: &Set<N>, level: u64, t: u32) -> (u64, u64) {
        let (mut high, mut over) = (level, 0);
        let after = done.with(t);
        for &r in &self.instance.uses[t as usize] {
            let bytes = self.instance.things[r as usize].bytes;
            if !self.begun(done, r) && self.begun(&after, r) {
                high += bytes;
            }
            if self.over(&after, r) && !self.over(done, r) {
                over += bytes;
            }
        }
        (high, high - over)
    }

    /// What is live while each task of a sequence runs, with that task.
    pub fn profile(&self, order: &[u32]) -> Vec<(u64, u32)> {
        let (mut done, mut level) = (Set::EMPTY, self.instance.floor());
        let mut peaks = Vec::new();
        for &t in order {
            let (high, low) = self.step(&done, level, t);
            peaks.push((high, t));
            level = low;
            done.insert(t);
        }
        peaks
    }

    /// The most that is live while a task of a sequence runs.
    pub fn peak(&self, order: &[u32]) -> u64 {
        let peaks = self.profile(order).into_iter().map(|p| p.0);
        peaks.max().unwrap_or_else(|| self.instance.floor())
    }

    /// The tasks of `rest` that dependencies and items join to `t`, between `done` and all of
    /// `done` and `rest`.
    pub fn part(&self, done: &Set<N>, rest: &Set<N>, t: u32) -> Set<N> {
        let target = done.or(rest);
        let mut part = Set::EMPTY.with(t);
        let mut fresh = part;
        while !fresh.is_empty() {
            let mut near = Set::EMPTY;
            for t in fresh.iter() {
                let instance = self.instance;
                for &next in instance.before[t as usize]
                    .iter()
                    .chain(&instance.after[t as usize])
                {
                    near.insert(next);
                }
                for &r in &instance.uses[t as usize] {
                    if !self.begun(done, r) || self.over(&target, r) {
                        near = near.or(&self.users[r as usize]);
                    }
                }
            }
            fresh = near.and(rest).minus(&part);
            part = part.or(&fresh);
        }
        part
    }

    /// How far the level can fall below that of `done` over the down-sets that have `done` and some
    /// of `rest`, and the smallest one where it does, while the task `runs` does so.
    pub fn dip(
        &self,
        done: &Set<N>,
        rest: &Set<N>,
        runs: Option<u32>,
        steps: &mut Steps,
    ) -> Option<(u64, Set<N>)> {
        self.priced(done, rest, runs, Price::default(), steps)
    }

    /// The same where each task of `rest` that is taken pays a price; in parts of a byte.
    pub fn priced(
        &self,
        done: &Set<N>,
        rest: &Set<N>,
        runs: Option<u32>,
        price: Price,
        steps: &mut Steps,
    ) -> Option<(u64, Set<N>)> {
        let instance = self.instance;
        let free: Vec<u32> = rest.iter().collect();
        let target = done.or(rest);
        let mut number = vec![u32::MAX; instance.tasks()];
        for (at, &t) in (0u32..).zip(&free) {
            number[t as usize] = at;
        }
        let inside = |list: &[u32]| -> Vec<u32> {
            let numbers = list.iter().map(|&t| number[t as usize]);
            numbers.filter(|&at| at != u32::MAX).collect()
        };
        let mut closure = Closure::new(free.len());
        let mut things = Vec::new();
        for (at, &t) in (0u32..).zip(&free) {
            let yields = (self.yields[t as usize] << price.shift) + price.each;
            match yields {
                0 => {}
                1.. => closure.pays(at, yields.unsigned_abs()),
                _ => closure.costs(at, yields.unsigned_abs()),
            }
            let before = inside(&instance.before[t as usize]);
            before.iter().for_each(|&b| closure.demand(at, b));
            things.extend_from_slice(&self.shared[t as usize]);
        }
        things.sort_unstable();
        things.dedup();
        if !steps.take(4 * (free.len() + things.len())) {
            return None;
        }
        for r in things {
            let thing = &instance.things[r as usize];
            let is = |t: &u32| Some(*t) == runs;
            let begun = self.begun(done, r) || thing.firsts.iter().any(is);
            let ends = self.over(&target, r) && !thing.lasts.iter().any(is);
            // Over from the start, or begun and live at all of these cuts.
            if self.over(done, r) || begun && !ends {
                continue;
            }
            let bytes = thing.bytes << price.shift;
            if !begun && thing.firsts.len() > 1 {
                let begin = closure.node();
                closure.costs(begin, bytes);
                let firsts = inside(&thing.firsts);
                firsts.iter().for_each(|&f| closure.demand(f, begin));
            }
            if ends && thing.lasts.len() > 1 {
                let end = closure.node();
                closure.pays(end, bytes);
                let lasts = inside(&thing.lasts);
                lasts.iter().for_each(|&l| closure.demand(end, l));
            }
        }
        let (gain, chosen) = closure.best(steps)?;
        let set = (0..free.len()).filter(|&at| chosen[at]);
        Some((gain, set.fold(*done, |set, at| set.with(free[at]))))
    }

    /// The least that is live while `task` runs, over all executions.
    pub fn while_runs(&self, task: u32, steps: &mut Steps) -> Option<u64> {
        let done = &self.ancestors[task as usize];
        let all = Set::below(self.instance.tasks());
        let rest = all.minus(&self.comparable[task as usize].with(task));
        let (high, _) = self.step(done, self.level(done), task);
        let (gain, _) = self.dip(done, &rest, Some(task), steps)?;
        Some(high - gain)
    }
}
