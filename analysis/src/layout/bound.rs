//! A lower bound on every layout of a plan: what cannot share storage.

use super::ranges::{Part, Range};
use crate::frontier::Frontiers;
use crate::model::{Region, ResourceId, TaskId};
use crate::order::Precedence;
use crate::order::bits::{BitRows, each_bit};

/// What no layout of a plan, its order and its in-place updates, is smaller than.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    /// Bytes of one instance: the sum of its parts.
    pub bytes: u64,
    /// That of each isolation domain, which share nothing.
    pub parts: Vec<DomainBound>,
}

/// The bound of what one isolation domain takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainBound {
    /// Number of the domain.
    pub domain: u8,
    /// No layout is smaller, in bytes.
    pub bytes: u64,
    /// Bytes of what is listed. Where that is less than the bound, a search has shown the rest.
    pub listed: u64,
    /// When all that is listed is live.
    pub at: At,
    /// What cannot overlap, those first that begin first; resources of one entry lie in one slot, as
    /// one becomes the other, and one of them is live then.
    pub live: Vec<Vec<ResourceId>>,
    /// So many bytes are live in every execution, and when.
    pub held: (u64, At),
}

/// When what a bound lists is live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// While this task runs, in every execution.
    Task(TaskId),
    /// When the host reads the outputs, in every execution.
    Host,
    /// Any two of it in some execution, which need not be the same one for all.
    Pairs,
}

impl Bound {
    pub(super) fn of(parts: Vec<DomainBound>) -> Self {
        let sum = |sum: u64, part: &DomainBound| sum.saturating_add(part.bytes);
        Self {
            bytes: parts.iter().fold(0, sum),
            parts,
        }
    }

    /// All that is listed.
    pub fn live(&self) -> impl Iterator<Item = ResourceId> {
        self.parts
            .iter()
            .flat_map(|part| part.live.iter().flatten().copied())
    }

    /// The most that is sure to be live in every execution, and when.
    pub fn held(&self) -> (u64, At) {
        let all = self.parts.iter().map(|part| part.held);
        all.max_by_key(|held| held.0).unwrap_or((0, At::Host))
    }
}

impl DomainBound {
    /// The bound that ranges give of which no two can overlap, or `proved` if that is more.
    pub(super) fn new(
        region: Region,
        clique: &[&Range],
        proved: u64,
        sure: (u64, At),
        order: &Precedence,
        live: &Frontiers,
    ) -> Self {
        let listed = bytes(clique);
        let tasks = order.tasks();
        let mut common = BitRows::new(1, tasks);
        common.copy_words(0, &vec![u64::MAX; tasks.div_ceil(64)]);
        for range in clique {
            let (head, tail) = (range.chain[0], range.chain[range.chain.len() - 1]);
            common.meet_words(0, held(order, live, head, tail).row(0));
        }
        let moment = order
            .sequence()
            .iter()
            .find(|&&t| common.get(0, t as usize));
        let to_end = |range: &&Range| live.of(range.chain[range.chain.len() - 1]).host;
        let at = match moment {
            Some(&t) => At::Task(TaskId(t)),
            None if clique.iter().all(to_end) => At::Host,
            None => At::Pairs,
        };
        let then = |r: &ResourceId| match at {
            At::Task(t) => is_held(order, live, *r, *r, t),
            At::Host => live.of(*r).host,
            At::Pairs => true,
        };
        let may = |r: &ResourceId| match at {
            At::Task(t) => {
                let mut users = live.users(*r).iter();
                let over = users.clone().all(|&u| order.precedes(u, t));
                !over && !users.all(|&u| order.precedes(t, u))
            }
            At::Host | At::Pairs => true,
        };
        // Where one becomes the other beside the task, each of the two may be what is live.
        let entry = |range: &&Range| {
            let sure: Vec<ResourceId> = range.chain.iter().copied().filter(then).collect();
            match sure.is_empty() {
                true => range.chain.iter().copied().filter(may).collect(),
                false => sure,
            }
        };
        Self {
            domain: region.domain,
            bytes: listed.max(proved),
            listed,
            at,
            live: clique.iter().map(entry).collect(),
            held: sure,
        }
    }
}

/// Bytes of all.
pub(super) fn bytes(ranges: &[&Range]) -> u64 {
    ranges
        .iter()
        .fold(0, |sum, range| sum.saturating_add(range.bytes))
}

/// The ranges that are live while some one task runs, in every execution, of the task where these have
/// the most bytes: of any two of them neither is over before the other. Or those that are live at the
/// end, where that is more.
pub(super) fn at_one_task<'a>(
    part: &'a Part,
    order: &Precedence,
    live: &Frontiers,
) -> (Vec<&'a Range>, At) {
    let mut load = vec![0u64; order.tasks()];
    let mut end = 0u64;
    // Those that begin together are often over together.
    let (mut last, mut until): (&[TaskId], _) = (&[], BitRows::new(1, order.tasks()));
    for range in &part.ranges {
        let (head, tail) = (range.chain[0], range.chain[range.chain.len() - 1]);
        let of = live.of(tail);
        if !of.host && of.last != last {
            (last, until) = (&of.last, before_any(order, &of.last));
        }
        let tasks = held_until(order, live, head, tail, Some(&until));
        each_bit(tasks.row(0), |t| {
            load[t] = load[t].saturating_add(range.bytes);
        });
        if live.of(tail).host {
            end = end.saturating_add(range.bytes);
        }
    }
    let fullest = order
        .sequence()
        .iter()
        .rev()
        .max_by_key(|&&t| load[t as usize]);
    let fullest = fullest.filter(|&&t| load[t as usize] >= end);
    let then = |range: &&Range| {
        let (head, tail) = (range.chain[0], range.chain[range.chain.len() - 1]);
        match fullest {
            Some(&t) => is_held(order, live, head, tail, TaskId(t)),
            None => live.of(tail).host,
        }
    };
    let at = fullest.map_or(At::Host, |&t| At::Task(TaskId(t)));
    (part.ranges.iter().filter(then).collect(), at)
}

/// Whether what begins with `head` and ends with `tail` is live during `task` in every execution.
fn is_held(
    order: &Precedence,
    live: &Frontiers,
    head: ResourceId,
    tail: ResourceId,
    task: TaskId,
) -> bool {
    let (first, last) = (&live.of(head).first, &live.of(tail).last);
    let begun = || first.iter().any(|&f| order.precedes(f, task));
    let held = || live.of(tail).host || last.iter().any(|&l| order.precedes(task, l));
    let mut users = live.users(head).iter().chain(live.users(tail));
    users.any(|&user| user == task) || begun() && held()
}

/// The tasks during which what begins with `head` and ends with `tail` is live in every execution.
pub(crate) fn held(
    order: &Precedence,
    live: &Frontiers,
    head: ResourceId,
    tail: ResourceId,
) -> BitRows {
    held_until(order, live, head, tail, None)
}

/// The tasks that are before any of `last`.
fn before_any(order: &Precedence, last: &[TaskId]) -> BitRows {
    let mut until = BitRows::new(1, order.tasks());
    for &last in last {
        until.join_words(0, order.ancestors(last));
    }
    until
}

/// The same where the tasks `until` some last user are known, unless it is live to the end.
fn held_until(
    order: &Precedence,
    live: &Frontiers,
    head: ResourceId,
    tail: ResourceId,
    until: Option<&BitRows>,
) -> BitRows {
    let mut tasks = BitRows::new(1, order.tasks());
    for &first in &live.of(head).first {
        tasks.join_words(0, order.descendants(first));
    }
    if !live.of(tail).host {
        match until {
            Some(until) => tasks.meet_words(0, until.row(0)),
            None => tasks.meet_words(0, before_any(order, &live.of(tail).last).row(0)),
        }
    }
    for user in live.users(head).iter().chain(live.users(tail)) {
        tasks.set(0, user.0 as usize);
    }
    tasks
}
