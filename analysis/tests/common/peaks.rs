//! Judges peak bounds of random small orders against all executions.

use gpu_graph_analysis::model::TaskId;
use gpu_graph_analysis::order::Precedence;
use gpu_graph_analysis::peak::{Bounds, Effort, Item, Peak, Proof, peak};

use super::executions::{by_down_sets, extremes, replay, weigh};
use super::orders::{layered, series_parallel};
use super::rng::Rng;

/// What was seen.
#[derive(Debug, Default)]
pub struct Seen {
    pub orders: usize,
    /// The two figures differ.
    pub apart: usize,
    /// The bound from one task is below the least peak: search decides.
    pub searched: usize,
    /// Some resource has several first or last users.
    pub several: usize,
    /// Workspaces of which neither the sum nor the largest is the demand.
    pub between: usize,
    /// Brackets of searches that were cut short.
    pub brackets: usize,
}

/// A random order of up to `most` tasks, with items of all kinds.
pub fn order(rng: &mut Rng, most: usize) -> (Vec<Vec<u32>>, Vec<Item>) {
    let tasks = 1 + rng.below(most);
    let sparse = 1 + rng.below(5);
    let mut before = vec![Vec::new(); tasks];
    for (t, list) in before.iter_mut().enumerate() {
        list.extend((0..t as u32).filter(|_| rng.one_in(sparse)));
    }
    let large = 1 + rng.below(12);
    let mut items = Vec::new();
    for _ in 0..rng.below(2 * tasks + 2) {
        let workspace = rng.one_in(4);
        let mut users: Vec<TaskId> = (0..tasks as u32).map(TaskId).collect();
        rng.shuffle(&mut users);
        users.truncate(if workspace { 1 } else { 1 + rng.below(4) });
        let plain = !workspace;
        items.push(Item {
            bytes: rng.below(large + 1) as u64,
            users,
            from_start: plain && rng.one_in(12),
            to_end: plain && rng.one_in(5),
            workspace,
            parts: Vec::new(),
        });
    }
    // Values, as tasks hand them on.
    for t in 0..tasks as u32 {
        let readers = (0..tasks as u32).filter(|&r| before[r as usize].contains(&t));
        let readers: Vec<TaskId> = readers.map(TaskId).collect();
        if !rng.one_in(3) {
            items.push(Item {
                bytes: 1 + rng.below(large) as u64,
                to_end: readers.is_empty(),
                users: [vec![TaskId(t)], readers].concat(),
                ..Item::default()
            });
        }
    }
    (before, items)
}

/// Compares the bounds of order number `seed` with all executions.
pub fn judge(seed: u64, most: usize, seen: &mut Seen) {
    let rng = &mut Rng(seed);
    let (before, items) = order(rng, most);
    let precedence = Precedence::of(before.clone()).unwrap_or_else(|_| panic!("cyclic"));
    let all = extremes(&precedence, |cut| weigh(&items, cut));
    let workspaces: Vec<Item> = items.iter().filter(|i| i.workspace).cloned().collect();
    let demand = extremes(&precedence, |cut| weigh(&workspaces, cut)).greatest;
    let found = peak(&precedence, &items, &Effort::THOROUGH);
    let exact = [&found.least, &found.greatest, &found.workspace].map(Bounds::exact);
    let wanted = [all.least, all.greatest, demand].map(Some);
    assert_eq!(exact, wanted, "seed {seed}: {before:?} {items:?}");
    let short = Effort {
        width: 1 + rng.below(2),
        steps: [0, 20, 100, 400, 1500][rng.below(5)],
        moves: [0, 200, 5000][rng.below(3)],
        cuts: [0, 100, 1000, 10_000][rng.below(4)],
    };
    let bracket = peak(&precedence, &items, &short);
    for (found, width) in [(&found, 16), (&bracket, short.width)] {
        let context = format!("seed {seed}, {width} wide: {before:?} {items:?} {found:?}");
        let (live, peak) = replay(&precedence, &items, &found.least.witness);
        assert_eq!((live, peak), (found.least.at_most, live), "{context}");
        let (live, _) = replay(&precedence, &items, &found.greatest.witness);
        assert_eq!(live, found.greatest.at_least, "{context}");
        let inside = |b: &Bounds, value| b.at_least <= value && value <= b.at_most;
        assert!(inside(&found.least, all.least), "{context}");
        assert!(inside(&found.greatest, all.greatest), "{context}");
        assert!(inside(&found.workspace, demand), "{context}");
        let proved = match found.least.proof {
            Proof::WhileRuns(t) => all.during[t.0 as usize],
            Proof::AtEnd => all.end,
            _ => all.least,
        };
        assert!(found.least.at_least <= proved, "{context}");
    }
    let moved = permuted(rng, &before, &items, &short);
    assert_eq!(
        ends(&moved),
        ends(&bracket),
        "seed {seed}: {before:?} {items:?}"
    );
    seen.orders += 1;
    seen.apart += usize::from(all.least < all.greatest);
    let forced = all.during.iter().max().copied().unwrap_or(0).max(all.end);
    seen.searched += usize::from(forced < all.least);
    seen.several += usize::from(items.iter().any(|i| i.users.len() > 2));
    let sum = workspaces.iter().map(|i| i.bytes).sum::<u64>();
    let largest = workspaces.iter().map(|i| i.bytes).max().unwrap_or(0);
    seen.between += usize::from(largest < demand && demand < sum);
    seen.brackets += usize::from(bracket.least.exact().is_none());
}

fn ends(peak: &Peak) -> [(u64, u64); 3] {
    [&peak.least, &peak.greatest, &peak.workspace].map(|b| (b.at_least, b.at_most))
}

/// The bounds of the same order with tasks and items declared in another sequence.
pub fn permuted(rng: &mut Rng, before: &[Vec<u32>], items: &[Item], effort: &Effort) -> Peak {
    let mut number: Vec<u32> = (0..before.len() as u32).collect();
    rng.shuffle(&mut number);
    let mut moved = vec![Vec::new(); before.len()];
    for (t, list) in before.iter().enumerate() {
        let list = list.iter().map(|&b| number[b as usize]).collect();
        moved[number[t] as usize] = list;
    }
    let mut items = items.to_vec();
    rng.shuffle(&mut items);
    for item in &mut items {
        for user in &mut item.users {
            *user = TaskId(number[user.0 as usize]);
        }
        rng.shuffle(&mut item.users);
    }
    let order = Precedence::of(moved).unwrap_or_else(|_| panic!("cyclic"));
    peak(&order, &items, effort)
}

/// Compares the bounds of a random order of about `tasks` tasks with all its down-sets.
pub fn judge_wide(seed: u64, tasks: usize) {
    let rng = &mut Rng(seed);
    let edge = rng.one_in(2);
    let order = match rng.below(3) {
        0 => {
            let wide = 1 + rng.below(6);
            let (reads, all) = (1 + rng.below(3), rng.one_in(2));
            layered(rng, tasks, wide, reads, all, edge)
        }
        _ => series_parallel(rng, tasks - 1, edge),
    };
    let (mut before, mut items) = (order.before, order.items);
    if rng.one_in(3) {
        // A dependency more, and an item across.
        let (a, b) = (
            rng.below(before.len()) as u32,
            rng.below(before.len()) as u32,
        );
        let (a, b) = (a.min(b), a.max(b));
        let mut users = vec![TaskId(a)];
        if a < b {
            before[b as usize].push(a);
            users.push(TaskId(b));
        }
        items.push(Item {
            bytes: 256 * rng.below(64) as u64,
            users,
            from_start: rng.one_in(4),
            ..Item::default()
        });
    }
    let order = Precedence::of(before.clone()).unwrap_or_else(|_| panic!("cyclic"));
    let found = peak(&order, &items, &Effort::THOROUGH);
    let (least, greatest) = by_down_sets(&before, &items);
    let exact = [&found.least, &found.greatest].map(Bounds::exact);
    assert_eq!(
        exact,
        [Some(least), Some(greatest)],
        "seed {seed}: {before:?} {items:?}"
    );
}
