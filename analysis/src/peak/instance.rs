//! What the bounds are taken of: tasks in a partial order, and items with the tasks that use them.

use crate::model::{ResourceId, TaskId};
use crate::order::Precedence;
use crate::order::bits::BitRows;

/// Something that takes room while it is live: a resource, or resources that lie in one slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// Aligned bytes.
    pub bytes: u64,
    /// The tasks that use it. It is live from the start of the first of them to start to the
    /// completion of the last of them to complete; without any, never.
    pub users: Vec<TaskId>,
    /// It is live from the start of the run on, whatever uses it.
    pub from_start: bool,
    /// It is live to the end of the run, once it is live.
    pub to_end: bool,
    /// It is a workspace.
    pub workspace: bool,
    /// The resources that it stands for.
    pub parts: Vec<ResourceId>,
}

/// Tasks in a partial order with items, numbered in a way that does not depend on the order of
/// declaration as far as the tasks can be told apart; numbers grow along the order.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    /// Tasks right before each.
    pub before: Vec<Vec<u32>>,
    /// Tasks right after each.
    pub after: Vec<Vec<u32>>,
    pub things: Vec<Thing>,
    /// Things that each task uses.
    pub uses: Vec<Vec<u32>>,
    /// The task as it was declared.
    pub task: Vec<u32>,
    /// The order runs backward: what is live at the end is live at the start.
    pub mirrored: bool,
    /// A part of the tasks of another one: items may have users that only begin them, or only hold
    /// them, and others outside.
    pub part: bool,
}

/// An [`Item`] that some task uses, in the numbers of an [`Instance`].
#[derive(Clone, Debug)]
pub(super) struct Thing {
    pub bytes: u64,
    /// Ascending.
    pub users: Vec<u32>,
    /// Minimal users: the first of them to start makes it live.
    pub firsts: Vec<u32>,
    /// Maximal users.
    pub lasts: Vec<u32>,
    pub from_start: bool,
    pub to_end: bool,
    /// Position among the items.
    pub item: u32,
}

impl Instance {
    /// All items that take something, or those that are workspaces.
    pub fn new(order: &Precedence, items: &[Item], only_workspaces: bool) -> Self {
        let tasks = order.tasks();
        let counts = |i: &Item| i.bytes > 0 && !i.users.is_empty();
        let used: Vec<usize> = (0..items.len())
            .filter(|&i| counts(&items[i]) && (items[i].workspace || !only_workspaces))
            .collect();
        let colours = colours(order, items, &used);
        let mut level = vec![0u32; tasks];
        for &t in order.sequence() {
            let before = order.before(TaskId(t)).iter();
            level[t as usize] = before.map(|&b| level[b as usize] + 1).max().unwrap_or(0);
        }
        let mut task: Vec<u32> = (0..tasks as u32).collect();
        task.sort_by_key(|&t| (level[t as usize], colours.0[t as usize], t));
        let mut number = vec![0u32; tasks];
        for (at, &t) in task.iter().enumerate() {
            number[t as usize] = at as u32;
        }
        let number = |t: &u32| number[*t as usize] as usize;
        let mut sorted: Vec<usize> = (0..used.len()).collect();
        sorted.sort_by_key(|&at| (colours.1[at], used[at]));
        // Lists are dealt out in the sequence of what they hold, so that none has to be sorted.
        let mut uses = vec![Vec::new(); tasks];
        for (r, &at) in (0u32..).zip(&sorted) {
            for t in &items[used[at]].users {
                let list: &mut Vec<u32> = &mut uses[number(&t.0)];
                if list.last() != Some(&r) {
                    list.push(r);
                }
            }
        }
        let mut users = vec![Vec::new(); used.len()];
        let (mut before, mut after) = (vec![Vec::new(); tasks], vec![Vec::new(); tasks]);
        for (at, &t) in (0u32..).zip(&task) {
            for &r in &uses[at as usize] {
                users[r as usize].push(at);
            }
            for b in order.before(TaskId(t)) {
                after[number(b)].push(at);
            }
            for a in order.after(TaskId(t)) {
                before[number(a)].push(at);
            }
        }
        let things = sorted.iter().zip(users).map(|(&at, users)| {
            let item = &items[used[at]];
            // Numbers grow along the order, and with the levels.
            let task = |t: u32| TaskId(task[t as usize]);
            let firsts = unreached(users.iter(), &task, &level, |t| order.descendants(t));
            let mut lasts = unreached(users.iter().rev(), &task, &level, |t| order.ancestors(t));
            lasts.reverse();
            Thing {
                bytes: item.bytes,
                firsts,
                lasts,
                from_start: item.from_start,
                to_end: item.to_end,
                item: used[at] as u32,
                users,
            }
        });
        Self {
            things: things.collect(),
            before,
            after,
            uses,
            task,
            mirrored: false,
            part: false,
        }
    }

    pub fn tasks(&self) -> usize {
        self.task.len()
    }

    /// The same backward in time: a cut `(started, completed)` here is the cut there at which the
    /// rest of the tasks is completed and started, and as much is live.
    pub fn mirror(&self) -> Self {
        let mut other = self.clone();
        std::mem::swap(&mut other.before, &mut other.after);
        for thing in &mut other.things {
            std::mem::swap(&mut thing.firsts, &mut thing.lasts);
            std::mem::swap(&mut thing.from_start, &mut thing.to_end);
        }
        other.mirrored = !self.mirrored;
        other
    }

    /// The tasks, each behind all that are before it: numbers grow along the order, and fall in the
    /// mirror.
    pub fn in_order(&self) -> impl DoubleEndedIterator<Item = u32> + use<> {
        let last = (self.tasks() as u32).saturating_sub(1);
        let mirrored = self.mirrored;
        (0..self.tasks() as u32).map(move |t| if mirrored { last - t } else { t })
    }

    /// Of each task, how many are before it at least, one behind the other.
    pub fn levels(&self) -> Vec<usize> {
        let mut level = vec![0; self.tasks()];
        for t in self.in_order() {
            let before = self.before[t as usize].iter();
            level[t as usize] = before.map(|&b| level[b as usize] + 1).max().unwrap_or(0);
        }
        level
    }

    /// Of each task the things that it may be the first to use, and those that it may be the last to
    /// use; without what is live from the start resp. to the end.
    pub fn ends(&self) -> [Vec<Vec<u32>>; 2] {
        let mut ends = [(); 2].map(|()| vec![Vec::new(); self.tasks()]);
        for (r, thing) in (0u32..).zip(&self.things) {
            for &t in thing.firsts.iter().filter(|_| !thing.from_start) {
                ends[0][t as usize].push(r);
            }
            for &t in thing.lasts.iter().filter(|_| !thing.to_end) {
                ends[1][t as usize].push(r);
            }
        }
        ends
    }

    /// What is live from the start of the run on.
    pub fn floor(&self) -> u64 {
        let kept = self.things.iter().filter(|t| t.from_start);
        kept.fold(0, |sum, t| sum.saturating_add(t.bytes))
    }

    /// All items together; the largest number if they are more.
    pub fn total(&self) -> u64 {
        self.things
            .iter()
            .fold(0, |sum, t| sum.saturating_add(t.bytes))
    }
}

/// Of so many tasks it is looked one by one whether they reach another; what more of them reach is
/// joined.
const ONE_BY_ONE: usize = 8;

/// Those of `users` that no earlier one reaches; `task` is how they were declared, and levels go one
/// way. Those of one level reach none of each other.
fn unreached<'a, 'o>(
    users: impl Iterator<Item = &'a u32>,
    task: &impl Fn(u32) -> TaskId,
    level: &[u32],
    reach: impl Fn(TaskId) -> &'o [u64],
) -> Vec<u32> {
    let mut reached = BitRows::new(1, level.len());
    let mut found: Vec<TaskId> = Vec::new();
    let mut kept = Vec::new();
    // What the first ones reach is joined; those from `own` on are of the level that is looked at.
    let (mut joined, mut own) = (0, 0);
    for &user in users {
        let t = task(user);
        if found
            .last()
            .is_some_and(|f| level[f.0 as usize] != level[t.0 as usize])
        {
            own = found.len();
        }
        let (word, bit) = (t.0 as usize / 64, t.0 % 64);
        let others = &found[joined..own];
        let mut some = others.iter().take(ONE_BY_ONE);
        let mut is = reached.get(0, t.0 as usize) || some.any(|&f| reach(f)[word] >> bit & 1 != 0);
        if !is && others.len() > ONE_BY_ONE {
            others.iter().for_each(|&f| reached.join_words(0, reach(f)));
            joined = own;
            is = reached.get(0, t.0 as usize);
        }
        if !is {
            found.push(t);
            kept.push(user);
        }
    }
    kept
}

/// Rounds in which tasks and things learn what is around them.
const ROUNDS: usize = 6;

/// Numbers for tasks and used items that tell apart what is around them, by colour refinement. Sums
/// of mixed numbers do not depend on the order of their terms.
fn colours(order: &Precedence, items: &[Item], used: &[usize]) -> (Vec<u64>, Vec<u64>) {
    let mut of_task = vec![1u64; order.tasks()];
    let own = |&i: &usize| {
        let item = &items[i];
        let flags = [item.from_start, item.to_end, item.workspace].map(u64::from);
        mix(mix(item.bytes) ^ flags[0] ^ flags[1] << 1 ^ flags[2] << 2)
    };
    let mut of_item: Vec<u64> = used.iter().map(own).collect();
    for _ in 0..ROUNDS {
        let mut next: Vec<u64> = (0..order.tasks() as u32)
            .map(|t| {
                let sum = |list: &[u32], salt: u64| {
                    let each = list.iter().map(|&b| mix(of_task[b as usize] ^ salt));
                    each.fold(0u64, u64::wrapping_add)
                };
                let own = mix(of_task[t as usize]);
                let before = sum(order.before(TaskId(t)), 3);
                own.wrapping_add(before)
                    .wrapping_add(sum(order.after(TaskId(t)), 5))
            })
            .collect();
        for (at, &i) in used.iter().enumerate() {
            let mut sum = mix(of_item[at] ^ 7);
            for user in &items[i].users {
                sum = sum.wrapping_add(mix(of_task[user.0 as usize] ^ 9));
                let place = &mut next[user.0 as usize];
                *place = place.wrapping_add(mix(of_item[at] ^ 11));
            }
            of_item[at] = sum;
        }
        of_task = next;
    }
    (of_task, of_item)
}

/// The finaliser of SplitMix64.
fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
