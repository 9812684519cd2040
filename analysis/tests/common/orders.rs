//! Random partial orders with items: series-parallel and layered, as values flow along them.

use gpu_graph_analysis::model::TaskId;
use gpu_graph_analysis::order::Precedence;
use gpu_graph_analysis::peak::Item;

use super::rng::Rng;

/// Tasks with those right before them, and items.
pub struct Order {
    pub before: Vec<Vec<u32>>,
    pub items: Vec<Item>,
}

impl Order {
    pub fn precedence(&self) -> Precedence {
        Precedence::of(self.before.clone()).unwrap_or_else(|_| panic!("cyclic"))
    }
}

fn bytes(rng: &mut Rng) -> u64 {
    256 * (1 + rng.below(64) as u64)
}

/// A series-parallel order of about `tasks` tasks.
pub fn series_parallel(rng: &mut Rng, tasks: usize, per_edge: bool) -> Order {
    let mut before = vec![Vec::new()];
    let (_, _) = compose(rng, tasks, 0, &mut before);
    values(rng, before, per_edge)
}

/// Puts about `tasks` tasks behind `from`; returns the last of them.
fn compose(rng: &mut Rng, tasks: usize, from: u32, before: &mut Vec<Vec<u32>>) -> (u32, usize) {
    if tasks <= 1 {
        before.push(vec![from]);
        return (before.len() as u32 - 1, 1);
    }
    if tasks <= 3 || rng.one_in(2) {
        let cut = 1 + rng.below(tasks - 1);
        let (middle, _) = compose(rng, cut, from, before);
        return compose(rng, tasks - cut, middle, before);
    }
    let branches = 2 + rng.below((tasks / 2).min(4));
    let mut left = tasks - 1;
    let mut ends = Vec::new();
    for b in 0..branches {
        let share = if b + 1 == branches {
            left
        } else {
            1 + rng.below((left / 2).max(1))
        };
        let share = share.min(left);
        if share == 0 {
            break;
        }
        left -= share;
        ends.push(compose(rng, share, from, before).0);
    }
    ends.sort_unstable();
    ends.dedup();
    before.push(ends);
    (before.len() as u32 - 1, tasks)
}

/// Layers of up to `wide` tasks, each task behind up to `reads` of the layer before; where `all`,
/// each task of a layer has one behind it in the next.
pub fn layered(
    rng: &mut Rng,
    tasks: usize,
    wide: usize,
    reads: usize,
    all: bool,
    per_edge: bool,
) -> Order {
    let mut before: Vec<Vec<u32>> = Vec::new();
    let mut last: Vec<u32> = Vec::new();
    while before.len() < tasks {
        let want = (wide.div_ceil(2) + rng.below(wide.div_ceil(2))).min(tasks - before.len());
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); want];
        if !last.is_empty() {
            for list in &mut lists {
                for _ in 0..1 + rng.below(reads) {
                    list.push(last[rng.below(last.len())]);
                }
            }
            for &t in &last {
                if all && !lists.iter().any(|l| l.contains(&t)) {
                    lists[rng.below(want)].push(t);
                }
            }
        }
        last.clear();
        for mut list in lists {
            list.sort_unstable();
            list.dedup();
            last.push(before.len() as u32);
            before.push(list);
        }
    }
    values(rng, before, per_edge)
}

/// Each task writes one value for all that come right after it, or one for each; the last ones are
/// outputs. Some have a workspace.
fn values(rng: &mut Rng, before: Vec<Vec<u32>>, per_edge: bool) -> Order {
    let mut after = vec![Vec::new(); before.len()];
    for (t, list) in before.iter().enumerate() {
        for &b in list {
            after[b as usize].push(TaskId(t as u32));
        }
    }
    let mut items = Vec::new();
    for (t, after) in after.iter().enumerate() {
        let me = TaskId(t as u32);
        let item = |bytes, users: Vec<TaskId>, to_end| Item {
            bytes,
            users,
            to_end,
            ..Item::default()
        };
        if after.is_empty() {
            items.push(item(bytes(rng), vec![me], true));
        } else if per_edge {
            for &a in after {
                items.push(item(bytes(rng), vec![me, a], false));
            }
        } else {
            items.push(item(bytes(rng), [vec![me], after.clone()].concat(), false));
        }
        if rng.one_in(4) {
            items.push(item(bytes(rng), vec![me], false));
        }
    }
    Order { before, items }
}
