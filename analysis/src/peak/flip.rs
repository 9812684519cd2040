//! Cuts with more live: one task at a time is completed, or taken back.
//!
//! A flip that makes less live stays with a chance that falls as the search cools (simulated
//! annealing: Kirkpatrick, Gelatt, Vecchi 1983).

use super::anneal::exponential;
use super::cut::Steps;
use super::instance::Instance;
use crate::place::rng::Rng;

/// How often what a flip may lose is halved.
const STAGES: u64 = 7;

/// The tasks completed at the best cut that is found from `completed` on, which are those themselves
/// if there is none with more than they have; none above `enough` is looked for.
pub(super) fn flip(
    instance: &Instance,
    completed: &[bool],
    enough: u64,
    steps: &mut Steps,
) -> Vec<bool> {
    let mut best = completed.to_vec();
    let things = instance.things.len() as u64;
    if instance.tasks() == 0 || things == 0 {
        return best;
    }
    let mut cut = Cut::new(instance, completed);
    let mut most = cut.live;
    let given = steps.0;
    let mut rng = Rng::new(given);
    let first = instance.total() / things;
    while most < enough {
        let task = rng.below(instance.tasks()) as u32;
        if !steps.take(2 + cut.flippable(task) * cut.changes(task)) {
            break;
        }
        if cut.flippable(task) == 0 {
            continue;
        }
        let before = cut.live;
        cut.turn(task);
        let stage = (given - steps.0) * STAGES / given.max(1);
        let loss = exponential(rng.next(), first >> stage);
        if cut.live.saturating_add(loss) < before {
            cut.turn(task);
        }
        if cut.live > most {
            most = cut.live;
            best.clone_from(&cut.completed);
        }
    }
    best
}

/// A cut at which all runs that is ready.
struct Cut<'a> {
    instance: &'a Instance,
    completed: Vec<bool>,
    live: u64,
    /// Of each task, how many right before it are not completed, and how many right behind it are.
    missing: Vec<u32>,
    behind: Vec<u32>,
    /// Of each thing, how many of its first users are ready, and how many of its last ones are not
    /// completed; one more where it is live from the start, or to the end.
    ready: Vec<u32>,
    open: Vec<u32>,
    /// Things that each task may be the first to use, or the last.
    opens: Vec<Vec<u32>>,
    closes: Vec<Vec<u32>>,
}

impl<'a> Cut<'a> {
    fn new(instance: &'a Instance, completed: &[bool]) -> Self {
        let tasks = instance.tasks();
        let [opens, closes] = instance.ends();
        let things = instance.things.iter();
        let mut cut = Self {
            instance,
            completed: vec![false; tasks],
            live: 0,
            missing: instance.before.iter().map(|b| b.len() as u32).collect(),
            behind: vec![0; tasks],
            ready: things.clone().map(|t| u32::from(t.from_start)).collect(),
            open: things
                .map(|t| t.lasts.len() as u32 + u32::from(t.to_end))
                .collect(),
            opens,
            closes,
        };
        for (thing, ready) in instance.things.iter().zip(&mut cut.ready) {
            let starts = |f: &&u32| instance.before[**f as usize].is_empty();
            *ready += thing.firsts.iter().filter(starts).count() as u32;
        }
        cut.live = (0..cut.open.len()).map(|r| cut.bytes(r)).sum();
        // Numbers grow along the order.
        for t in (0..tasks as u32).filter(|&t| completed[t as usize]) {
            cut.turn(t);
        }
        cut
    }

    fn bytes(&self, r: usize) -> u64 {
        match self.ready[r] > 0 && self.open[r] > 0 {
            true => self.instance.things[r].bytes,
            false => 0,
        }
    }

    /// 1 if the task can be completed or taken back, else 0.
    fn flippable(&self, task: u32) -> usize {
        let t = task as usize;
        usize::from(match self.completed[t] {
            true => self.behind[t] == 0,
            false => self.missing[t] == 0,
        })
    }

    /// How much is looked at when the task turns.
    fn changes(&self, task: u32) -> usize {
        let after = self.instance.after[task as usize].len();
        self.closes[task as usize].len() + 3 * after
    }

    /// Completes a task, or takes it back.
    fn turn(&mut self, task: u32) {
        let (t, instance) = (task as usize, self.instance);
        let back = self.completed[t];
        self.completed[t] = !back;
        let step = |n: &mut u32, up: bool| *n = if up { *n + 1 } else { *n - 1 };
        for at in 0..self.closes[t].len() {
            let r = self.closes[t][at] as usize;
            self.live -= self.bytes(r);
            step(&mut self.open[r], back);
            self.live += self.bytes(r);
        }
        for &b in &instance.before[t] {
            step(&mut self.behind[b as usize], !back);
        }
        for &a in &instance.after[t] {
            let a = a as usize;
            let was = self.missing[a];
            step(&mut self.missing[a], back);
            if was != 0 && self.missing[a] != 0 {
                continue;
            }
            for at in 0..self.opens[a].len() {
                let r = self.opens[a][at] as usize;
                self.live -= self.bytes(r);
                step(&mut self.ready[r], !back);
                self.live += self.bytes(r);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cut::Steps;
    use super::super::random;
    use super::super::upper::is_live;
    use super::{Cut, flip};
    use crate::place::rng::Rng;

    #[test]
    fn what_is_live_follows_each_flip_and_the_best_cut_is_mostly_the_one_with_most() {
        let mut rng = Rng::new(4);
        let mut most = 0;
        for round in 0..200 {
            let tasks = 3 + rng.below(8);
            let instance = random::instance(&mut rng, tasks);
            let weigh = |completed: &[bool]| {
                let live = instance
                    .things
                    .iter()
                    .filter(|t| is_live(&instance, t, completed));
                live.map(|t| t.bytes).sum::<u64>()
            };
            let mut cut = Cut::new(&instance, &vec![false; tasks]);
            assert_eq!(cut.live, weigh(&cut.completed), "round {round}");
            for _ in 0..40 {
                let task = rng.below(tasks) as u32;
                if cut.flippable(task) == 1 {
                    cut.turn(task);
                    assert_eq!(cut.live, weigh(&cut.completed), "round {round}");
                }
            }
            let start = cut.completed.clone();
            let again = Cut::new(&instance, &start);
            assert_eq!(again.live, cut.live, "round {round}");
            let found = flip(&instance, &start, u64::MAX, &mut Steps(20_000));
            let sets = random::down_sets(&instance);
            let masks = sets
                .iter()
                .map(|set| (0..tasks as u32).map(|t| set.contains(&t)));
            let best = masks.map(|mask| weigh(&mask.collect::<Vec<_>>())).max();
            assert!(weigh(&found) >= weigh(&start), "round {round}");
            assert!(Some(weigh(&found)) <= best, "round {round}");
            most += usize::from(Some(weigh(&found)) == best);
        }
        assert!(most > 180, "{most}");
    }
}
