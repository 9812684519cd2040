//! Bytes that were live at once, as far as the times of a run tell.
//!
//! A resource is live from the begin of its first task to the end of its last, and most are where some
//! task begins. Times that are read coarsely leave it open whether one of two tasks was over when the other
//! began: where the program orders them it is known all the same, and where it does not, both may be so.

use std::ops::Range;

use super::super::record::updates;
use crate::driver::Timeline;
use crate::exec::Tables;
use crate::table::{Class, Op, Program, SLOT_ALIGN};

/// What is live, its storage once: what in-place updates join is one.
struct Life {
    bytes: u64,
    tasks: Vec<usize>,
    /// The host reads it once the run is over.
    to_end: bool,
}

/// Which tasks are over before which begin, whatever the times.
struct Order {
    /// By task: its stream, and its place among the launches there.
    at: Vec<(usize, u32)>,
    /// By task: of each stream, how many launches are over where it begins.
    known: Vec<Vec<u32>>,
}

/// The least and the most bytes that can have been live at once. It counts nothing that outlives runs.
pub(super) fn peaks(tables: &Tables, seen: &Timeline) -> [u64; 2] {
    let tasks = tables.image().source.tasks.len();
    let order = Order::of(tables.image().program, tasks);
    between(&lives(tables), seen, &order)
}

fn lives(tables: &Tables) -> Vec<Life> {
    let source = tables.image().source;
    let mut home: Vec<usize> = (0..source.resources.len()).collect();
    for update in updates(source, tables.image().program) {
        let (a, b) = (root(&home, update.operand), root(&home, update.result));
        home[b] = a;
    }
    let none = |_| Life {
        bytes: 0,
        tasks: Vec::new(),
        to_end: false,
    };
    let mut lives: Vec<Life> = home.iter().map(none).collect();
    let counts = |class: Class| !class.persists() && class != Class::Staging;
    for (r, resource) in source.resources.iter().enumerate() {
        if counts(resource.class) {
            let life = &mut lives[root(&home, r)];
            let size = (tables.bytes(r as u32) as u64).next_multiple_of(SLOT_ALIGN);
            life.bytes = life.bytes.max(size);
            life.to_end |= resource.class == Class::Output;
        }
    }
    for (t, task) in source.tasks.iter().enumerate() {
        for access in source.accesses_of(task) {
            let r = access.resource as usize;
            if counts(source.resources[r].class) {
                lives[root(&home, r)].tasks.push(t);
            }
        }
    }
    lives.retain(|life| life.bytes > 0 && !life.tasks.is_empty());
    lives
}

fn root(home: &[usize], resource: usize) -> usize {
    let mut at = resource;
    while home[at] != at {
        at = home[at];
    }
    at
}

impl Order {
    fn of(program: &Program<'_>, tasks: usize) -> Self {
        let none = vec![0; usize::from(program.streams)];
        let mut streams = vec![none.clone(); none.len()];
        let mut events = vec![none.clone(); program.events as usize];
        let mut order = Self {
            at: vec![(0, 0); tasks],
            known: vec![none; tasks],
        };
        for op in program.issue {
            match *op {
                Op::Launch { task, stream, .. } => {
                    let stream = usize::from(stream);
                    let known = &mut streams[stream];
                    order.at[task as usize] = (stream, known[stream]);
                    order.known[task as usize].clone_from(known);
                    known[stream] += 1;
                }
                Op::Record { event, stream } => {
                    events[event as usize].clone_from(&streams[usize::from(stream)]);
                }
                Op::Wait { stream, event } => {
                    let known = streams[usize::from(stream)].iter_mut();
                    let event = &events[event as usize];
                    known.zip(event).for_each(|(a, b)| *a = (*a).max(*b));
                }
                _ => {}
            }
        }
        order
    }

    fn is_before(&self, before: usize, after: usize) -> bool {
        let (stream, place) = self.at[before];
        self.known[after][stream] > place
    }
}

/// Amounts at points in a row, told by where they change.
struct Steps(Vec<i128>);

impl Steps {
    fn add(&mut self, at: Range<usize>, amount: i128) {
        self.0[at.start] += amount;
        self.0[at.end] -= amount;
    }

    /// The most at any point.
    fn most(&self) -> u64 {
        let sums = self.0.iter().scan(0, |sum, change| {
            *sum += change;
            Some(*sum)
        });
        u64::try_from(sums.max().unwrap_or(0)).unwrap_or(0)
    }
}

fn between(lives: &[Life], seen: &Timeline, order: &Order) -> [u64; 2] {
    let (times, off) = (&seen.tasks, seen.resolution);
    let mut by_begin: Vec<usize> = (0..times.len()).collect();
    by_begin.sort_by_key(|&t| times[t].0);
    // How many tasks begin before that.
    let first = |time: u64| by_begin.partition_point(|&t| times[t].0 < time);
    let none = || Steps(vec![0; times.len() + 1]);
    let (mut sure, mut possible) = (none(), none());
    for life in lives {
        let bytes = i128::from(life.bytes);
        let begins = life.tasks.iter().map(|&t| times[t].0);
        let from = begins.min().unwrap_or(0);
        let ends = life.tasks.iter().map(|&t| times[t].1);
        let to = match life.to_end {
            true => u64::MAX,
            false => ends.max().unwrap_or(0).max(from + 1),
        };
        let shown = first(from)..first(to);
        sure.add(shown.clone(), bytes);
        possible.add(shown.clone(), bytes);
        // Where it is live as shown, but may not have been yet, or any more.
        let far = first(from.saturating_add(off))..first(to.saturating_sub(off));
        let near_begin = shown.start..far.start.min(shown.end);
        let near_end = near_begin.end.max(far.end).min(shown.end)..shown.end;
        for at in near_begin.chain(near_end) {
            let (task, begin) = (by_begin[at], times[by_begin[at]].0);
            let own = life.tasks.contains(&task);
            let mut all = life.tasks.iter();
            let begun = begin >= from.saturating_add(off)
                || all.any(|&before| order.is_before(before, task));
            let mut all = life.tasks.iter();
            let goes_on = to == u64::MAX
                || begin < to.saturating_sub(off)
                || all.any(|&after| order.is_before(task, after));
            if !(own || (begun && goes_on)) {
                sure.add(at..at + 1, -bytes);
            }
            let mut all = life.tasks.iter();
            let not_yet = all.all(|&after| order.is_before(task, after));
            let mut all = life.tasks.iter();
            let over = !life.to_end && all.all(|&before| order.is_before(before, task));
            if not_yet || over {
                possible.add(at..at + 1, -bytes);
            }
        }
        // Where it is not live as shown, but may have been already, or still.
        let before = first(from.saturating_sub(off));
        for (at, &task) in by_begin.iter().enumerate().take(shown.start).skip(before) {
            if !life.tasks.iter().all(|&after| order.is_before(task, after)) {
                possible.add(at..at + 1, bytes);
            }
        }
        for at in shown.end..first(to.saturating_add(off)) {
            let (task, begin) = (by_begin[at], times[by_begin[at]].0);
            let late = |&&before: &&usize| times[before].1.saturating_add(off) > begin;
            let mut late = life.tasks.iter().filter(late);
            if late.any(|&before| !order.is_before(before, task)) {
                possible.add(at..at + 1, bytes);
            }
        }
    }
    [sure.most(), possible.most()]
}

#[cfg(test)]
mod tests;
