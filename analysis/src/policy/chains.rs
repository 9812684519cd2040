//! The chains of launches that may be the longest, where some kernels have no cost.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::figures::{Executed, Figures};
use crate::model::{Model, TaskKind};
use crate::order::bits::BitRows;

/// Chains that are kept for each task; with more, none are.
const MOST: usize = 16;
/// Numbers that are kept, of all tasks.
const NUMBERS: usize = 1 << 16;

/// How long a run may be, where not every cost is known.
#[derive(Clone)]
pub struct Chains {
    /// Every chain that no other one is as long as whatever the costs: the nanoseconds that are
    /// known, and then the launches of each kernel without a cost. `None` where there are too many.
    longest: Option<Vec<Vec<u64>>>,
    /// The same of all launches, one behind the other.
    all: Vec<u64>,
    /// What comes before each task.
    before: BitRows,
}

/// The kernels without a cost that tasks launch, each with its place in a chain.
fn unknown<'a>(model: &'a Model, costs: &[Option<u64>]) -> BTreeMap<&'a str, usize> {
    let mut places = BTreeMap::new();
    for (task, cost) in model.tasks.iter().zip(costs) {
        if let (TaskKind::Kernel(launch), None) = (&task.kind, cost) {
            let next = 1 + places.len();
            places.entry(launch.name.as_str()).or_insert(next);
        }
    }
    places
}

impl Chains {
    /// Those of a plan.
    pub fn new(model: &Model, executed: &Executed<'_>, costs: &[Option<u64>]) -> Self {
        let mut before = BitRows::new(costs.len(), costs.len());
        for t in executed.tasks() {
            for b in executed.before(t) {
                before.join(t, b);
                before.set(t, b);
            }
        }
        Self {
            longest: longest(model, executed, costs),
            all: all(model, costs),
            before,
        }
    }

    /// Whether no cost makes this one longer than `other`: each chain of it is at most as long as
    /// one of the other, or, where these are too many, the other lacks nothing of its order.
    fn within(&self, other: &Self) -> bool {
        match (&self.longest, &other.longest) {
            (Some(a), Some(b)) => a.iter().all(|chain| b.iter().any(|o| covers(o, chain))),
            // Tasks are those of one graph, unless values are made again in one of the two.
            _ => {
                self.before.rows() == other.before.rows()
                    && self.all == other.all
                    && self.before.within(&other.before)
            }
        }
    }
}

/// See [`Chains::all`].
fn all(model: &Model, costs: &[Option<u64>]) -> Vec<u64> {
    let unknown = unknown(model, costs);
    let mut all = vec![0u64; 1 + unknown.len()];
    for t in 0..costs.len() {
        launch(model, costs, &unknown, t, &mut all);
    }
    all
}

/// Makes `chain` longer by task `t`.
fn launch(
    model: &Model,
    costs: &[Option<u64>],
    unknown: &BTreeMap<&str, usize>,
    t: usize,
    chain: &mut [u64],
) {
    match (&model.tasks[t].kind, costs[t]) {
        (_, Some(cost)) => chain[0] = chain[0].saturating_add(cost),
        (TaskKind::Kernel(launch), None) => {
            let at = unknown.get(launch.name.as_str());
            at.into_iter().for_each(|&at| chain[at] += 1);
        }
        (_, None) => {}
    }
}

/// See [`Chains::longest`].
fn longest(model: &Model, executed: &Executed<'_>, costs: &[Option<u64>]) -> Option<Vec<Vec<u64>>> {
    let unknown = unknown(model, costs);
    let length = 1 + unknown.len();
    if costs.len().saturating_mul(length) > NUMBERS {
        return None;
    }
    let mut done: Vec<Vec<Vec<u64>>> = vec![Vec::new(); costs.len()];
    let mut all = Vec::new();
    for t in executed.tasks() {
        let mut front: Vec<Vec<u64>> = Vec::new();
        for b in executed.before(t) {
            done[b].iter().for_each(|chain| keep(&mut front, chain));
        }
        if front.is_empty() {
            front.push(vec![0; length]);
        }
        if front.len() > MOST {
            return None;
        }
        for chain in &mut front {
            launch(model, costs, &unknown, t, chain);
        }
        front.iter().for_each(|chain| keep(&mut all, chain));
        done[t] = front;
    }
    (all.len() <= MOST).then_some(all)
}

fn covers(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a >= b)
}

/// Puts `chain` among those that nothing covers.
fn keep(front: &mut Vec<Vec<u64>>, chain: &[u64]) {
    if !front.iter().any(|known| covers(known, chain)) {
        front.retain(|known| !covers(chain, known));
        front.push(chain.to_vec());
    }
}

/// One side of a comparison: the chains are there where a cost is unknown.
pub type Side<'a> = (&'a Figures, Option<&'a Chains>);

/// Whether the critical path of `a` is shorter than, as long as or longer than that of `b`. Where
/// costs are not known, it is shorter if it is never longer, whatever they are, and the other is not
/// known never to be; `None` where neither is known never to be longer.
pub fn compare_paths(a: Side<'_>, b: Side<'_>) -> Option<Ordering> {
    let (Some(x), Some(y)) = (a.1, b.1) else {
        return Some(a.0.critical_path.cmp(&b.0.critical_path));
    };
    // On one stream all is one chain, which nothing is longer than.
    let never_longer = |x: &Chains, b: &Figures, y: &Chains| {
        b.streams == 1 && covers(&y.all, &x.all) || x.within(y)
    };
    match (never_longer(x, b.0, y), never_longer(y, a.0, x)) {
        (true, true) => Some(Ordering::Equal),
        (true, false) => Some(Ordering::Less),
        (false, true) => Some(Ordering::Greater),
        (false, false) => None,
    }
}
