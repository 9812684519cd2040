//! A better sequence by moves: some tasks go earlier or later, and with them those that must.
//!
//! What lies above a target, one percent below the best peak so far, is added up over the sequence,
//! and moves are sought that make the sum small; once nothing is above, there is a better sequence
//! and a lower target. A move takes one task to another place and all between the two that are
//! before it resp. behind it along, so that it is always allowed. One that makes the sum larger is
//! made with a chance that falls as the search cools (simulated annealing: Kirkpatrick, Gelatt,
//! Vecchi 1983). All is counted in whole numbers: the same everywhere.

use super::cut::Steps;
use super::instance::Instance;
use crate::place::rng::Rng;

/// How often what a move may lose is halved.
const STAGES: u64 = 9;

/// At first a move loses about this part of the peak.
const FIRST: u64 = 200;

/// Of ten moves, those that take a task to where others would be in its way.
const TOGETHER: usize = 7;

/// Sums of more are not added up here.
const MOST: u64 = 1 << 50;

/// `order`, or one with a lower peak; none below `enough` is looked for. The peak is that of the
/// sequence that is returned.
pub(super) fn anneal(
    instance: &Instance,
    order: Vec<u32>,
    enough: u64,
    seed: u64,
    steps: &mut Steps,
) -> (u64, Vec<u32>) {
    let mut now = Sequence::new(instance, order);
    let mut best = (now.peak(), now.order.clone());
    if best.0 <= enough || now.order.len() < 3 || instance.total() > MOST {
        return best;
    }
    let given = steps.0;
    let mut rng = Rng::new(seed);
    let first = best.0 / FIRST;
    let below = |peak: u64| (peak - peak / 100).min(peak - 1).max(enough);
    let mut target = below(best.0);
    let mut over = now.over(target);
    loop {
        let stage = (given - steps.0) * STAGES / given.max(1);
        let Some((from, to)) = now.draw(&mut rng) else {
            if !steps.take(4) {
                break;
            }
            continue;
        };
        if !steps.take(to - from + 1 + now.used(from, to)) {
            break;
        }
        let loss = exponential(rng.next(), first >> stage);
        let part: u64 = now.high[from..=to].iter().map(|h| above(*h, target)).sum();
        match now.weigh(from, to, target, part + loss) {
            Some(sum) => {
                now.make(from, to);
                over = over - part + sum;
            }
            None => continue,
        }
        if over == 0 {
            best = (now.peak(), now.order.clone());
            if best.0 <= enough {
                break;
            }
            target = below(best.0);
            over = now.over(target);
        }
    }
    best
}

fn above(high: u64, target: u64) -> u64 {
    high.saturating_sub(target)
}

/// Of exponential distribution, about, with the mean `mean`: of its logarithm to the base of two,
/// the whole part is exact and the rest a straight line.
pub(super) fn exponential(random: u64, mean: u64) -> u64 {
    let zeros = random.leading_zeros().min(40);
    let fraction = (random << zeros >> 47) & 0xffff;
    // Of 1/65536, times the natural logarithm of two in 1/1024.
    let log = (u64::from(zeros) << 16 | 0xffff) - fraction;
    ((u128::from(log) * u128::from(mean) * 710) >> 26) as u64
}

/// Tasks in a sequence, and what is live along it.
struct Sequence<'a> {
    instance: &'a Instance,
    order: Vec<u32>,
    /// Where each task is.
    at: Vec<u32>,
    /// What is live while the task at each place runs, and behind it.
    high: Vec<u64>,
    low: Vec<u64>,
    /// Of each task the things that it may be the first to use, or the last.
    opens: Vec<Vec<u32>>,
    closes: Vec<Vec<u32>>,
    /// Where each thing is first used, and last.
    start: Vec<u32>,
    end: Vec<u32>,
    draft: Draft,
}

/// What a move would make of a part of the sequence.
#[derive(Default)]
struct Draft {
    order: Vec<u32>,
    rest: Vec<u32>,
    high: Vec<u64>,
    low: Vec<u64>,
    /// Bytes that are over behind each place.
    over: Vec<u64>,
    start: Vec<(u32, u32)>,
    end: Vec<(u32, u32)>,
    /// When each thing was seen last as it starts, and as it ends; and each task as one that moves.
    opened: Vec<u32>,
    closed: Vec<u32>,
    moves: Vec<u32>,
    turn: u32,
}

impl<'a> Sequence<'a> {
    fn new(instance: &'a Instance, order: Vec<u32>) -> Self {
        let tasks = instance.tasks();
        let things = instance.things.len();
        let [opens, closes] = instance.ends();
        let mut new = Self {
            instance,
            at: vec![0; tasks],
            high: Vec::new(),
            low: Vec::new(),
            opens,
            closes,
            start: vec![0; things],
            end: vec![u32::MAX; things],
            draft: Draft {
                opened: vec![0; things],
                closed: vec![0; things],
                moves: vec![0; tasks],
                ..Draft::default()
            },
            order,
        };
        new.replay();
        new
    }

    /// All that follows from the sequence of the tasks.
    fn replay(&mut self) {
        for (at, &t) in (0u32..).zip(&self.order) {
            self.at[t as usize] = at;
        }
        for (r, thing) in self.instance.things.iter().enumerate() {
            let places = |list: &'a [u32]| list.iter().map(|&t| self.at[t as usize]);
            if !thing.from_start {
                self.start[r] = places(&thing.firsts).min().unwrap_or(0);
            }
            if !thing.to_end {
                self.end[r] = places(&thing.lasts).max().unwrap_or(0);
            }
        }
        let mut level = self.instance.floor();
        let (mut high, mut low) = (Vec::new(), Vec::new());
        for (at, &t) in (0u32..).zip(&self.order) {
            let bytes = |r: &&u32| self.instance.things[**r as usize].bytes;
            let opens = self.opens[t as usize].iter();
            level += opens
                .filter(|r| self.start[**r as usize] == at)
                .map(|r| bytes(&r))
                .sum::<u64>();
            high.push(level);
            let closes = self.closes[t as usize].iter();
            level -= closes
                .filter(|r| self.end[**r as usize] == at)
                .map(|r| bytes(&r))
                .sum::<u64>();
            low.push(level);
        }
        (self.high, self.low) = (high, low);
    }

    fn peak(&self) -> u64 {
        self.high.iter().copied().max().unwrap_or(0)
    }

    fn over(&self, target: u64) -> u64 {
        self.high.iter().map(|h| above(*h, target)).sum()
    }

    /// How often things are looked at while a part is weighed.
    fn used(&self, from: usize, to: usize) -> usize {
        let lists = self.order[from..=to].iter().map(|&t| t as usize);
        lists
            .map(|t| self.opens[t].len() + self.closes[t].len())
            .sum()
    }

    /// Drafts a move: the part of the sequence that it changes.
    fn draw(&mut self, rng: &mut Rng) -> Option<(usize, usize)> {
        let n = self.order.len();
        let place = rng.below(n);
        let task = self.order[place];
        let together = rng.below(10) < TOGETHER;
        let scale = rng.below(n.ilog2() as usize);
        let far = 1 + rng.below(2 << scale);
        let draft = &mut self.draft;
        draft.turn += 1;
        draft.order.clear();
        draft.rest.clear();
        draft.moves[task as usize] = draft.turn;
        let at = |t: u32| self.at[t as usize] as usize;
        if rng.below(2) == 0 {
            let before = &self.instance.before;
            let near = before[task as usize]
                .iter()
                .map(|&b| at(b) + 1)
                .max()
                .unwrap_or(0);
            let from = place.saturating_sub(far);
            let from = if together { from } else { from.max(near) };
            // From the last one on, so that who needs whom is known when it is met.
            for &t in self.order[from..=place].iter().rev() {
                if draft.moves[t as usize] == draft.turn {
                    draft.order.push(t);
                    for &b in before[t as usize].iter().filter(|b| at(**b) >= from) {
                        draft.moves[b as usize] = draft.turn;
                    }
                } else {
                    draft.rest.push(t);
                }
            }
            draft.order.reverse();
            draft.order.extend(draft.rest.iter().rev());
            (from < place).then_some((from, place))
        } else {
            let after = &self.instance.after;
            let near = after[task as usize]
                .iter()
                .map(|&a| at(a) - 1)
                .min()
                .unwrap_or(n - 1);
            let to = (place + far).min(n - 1);
            let to = if together { to } else { to.min(near) };
            for &t in &self.order[place..=to] {
                if draft.moves[t as usize] == draft.turn {
                    draft.rest.push(t);
                    for &a in after[t as usize].iter().filter(|a| at(**a) <= to) {
                        draft.moves[a as usize] = draft.turn;
                    }
                } else {
                    draft.order.push(t);
                }
            }
            draft.order.append(&mut draft.rest);
            (place < to).then_some((place, to))
        }
    }

    /// What lies above `target` in the part as it is drafted, unless that is more than `most`.
    fn weigh(&mut self, from: usize, to: usize, target: u64, most: u64) -> Option<u64> {
        let draft = &mut self.draft;
        let things = &self.instance.things;
        draft.over.clear();
        draft.over.resize(to - from + 1, 0);
        draft.end.clear();
        for (k, &t) in draft.order.iter().enumerate().rev() {
            for &r in &self.closes[t as usize] {
                if self.end[r as usize] as usize <= to && draft.closed[r as usize] != draft.turn {
                    draft.closed[r as usize] = draft.turn;
                    draft.over[k] += things[r as usize].bytes;
                    draft.end.push((r, (from + k) as u32));
                }
            }
        }
        let mut level = match from {
            0 => self.instance.floor(),
            _ => self.low[from - 1],
        };
        let mut sum = 0;
        draft.high.clear();
        draft.low.clear();
        draft.start.clear();
        for (k, &t) in draft.order.iter().enumerate() {
            for &r in &self.opens[t as usize] {
                if self.start[r as usize] as usize >= from && draft.opened[r as usize] != draft.turn
                {
                    draft.opened[r as usize] = draft.turn;
                    level += things[r as usize].bytes;
                    draft.start.push((r, (from + k) as u32));
                }
            }
            draft.high.push(level);
            sum += above(level, target);
            if sum > most {
                return None;
            }
            level -= draft.over[k];
            draft.low.push(level);
        }
        Some(sum)
    }

    /// Makes the move that was weighed last.
    fn make(&mut self, from: usize, to: usize) {
        let draft = &self.draft;
        self.order[from..=to].copy_from_slice(&draft.order);
        self.high[from..=to].copy_from_slice(&draft.high);
        self.low[from..=to].copy_from_slice(&draft.low);
        for (at, &t) in (from as u32..).zip(&draft.order) {
            self.at[t as usize] = at;
        }
        draft
            .start
            .iter()
            .for_each(|&(r, at)| self.start[r as usize] = at);
        draft
            .end
            .iter()
            .for_each(|&(r, at)| self.end[r as usize] = at);
    }
}

#[cfg(test)]
mod tests {
    use super::super::cut::Steps;
    use super::super::random;
    use super::super::view::View;
    use super::{anneal, exponential};
    use crate::place::rng::Rng;

    #[test]
    fn the_sequence_respects_the_order_and_has_the_peak_that_is_said() {
        let mut rng = Rng::new(2);
        let mut better = 0;
        for round in 0..200 {
            let tasks = 3 + rng.below(40);
            let instance = random::instance(&mut rng, tasks);
            let view = View::<1>::new(&instance);
            let order: Vec<u32> = (0..tasks as u32).collect();
            let before = view.peak(&order);
            let (peak, found) = anneal(&instance, order, 0, round, &mut Steps(20_000));
            let mut sorted = found.clone();
            sorted.sort_unstable();
            assert_eq!(
                sorted,
                (0..tasks as u32).collect::<Vec<_>>(),
                "round {round}"
            );
            let at = |t: u32| found.iter().position(|&f| f == t);
            for (t, list) in (0u32..).zip(&instance.before) {
                assert!(list.iter().all(|&b| at(b) < at(t)), "round {round}");
            }
            assert_eq!(peak, view.peak(&found), "round {round}");
            assert!(peak <= before, "round {round}");
            better += usize::from(peak < before);
        }
        assert!(better > 100, "{better}");
    }

    #[test]
    fn losses_have_the_mean_that_is_asked_for() {
        let mut rng = Rng::new(1);
        let sum: u64 = (0..100_000).map(|_| exponential(rng.next(), 1000)).sum();
        let mean = sum / 100_000;
        assert!((950..1100).contains(&mean), "{mean}");
    }
}
