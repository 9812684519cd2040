//! The chains of launches that may be the longest, where some kernels have no cost.

use std::cmp::Ordering;

use super::figures::{Figures, within};
use crate::model::{Model, TaskId, TaskKind};
use crate::order::Precedence;
use crate::order::bits::BitRows;
use crate::schedule::Schedule;

/// Chains that are kept for each task; with more, none are.
const MOST: usize = 16;
/// Numbers that are kept, of all tasks.
const NUMBERS: usize = 1 << 16;

/// How long a run may be: every chain that no other one is as long as whatever the costs. Each is
/// the nanoseconds that are known, and then the launches of each kernel without a cost. `None` where
/// there are too many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chains(Option<Vec<Vec<u64>>>);

/// The kernels without a cost that tasks launch, each once.
fn unknown<'a>(model: &'a Model, costs: &[Option<u64>]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for (task, cost) in model.tasks.iter().zip(costs) {
        if let TaskKind::Kernel(launch) = &task.kind
            && cost.is_none()
            && !names.contains(&launch.name.as_str())
        {
            names.push(&launch.name);
        }
    }
    names
}

impl Chains {
    /// Those of `order` on the streams of `schedule`.
    pub fn new(
        model: &Model,
        order: &Precedence,
        schedule: &Schedule,
        costs: &[Option<u64>],
    ) -> Self {
        let unknown = unknown(model, costs);
        let length = 1 + unknown.len();
        if model.tasks.len().saturating_mul(length) > NUMBERS {
            return Self(None);
        }
        let mut done: Vec<Vec<Vec<u64>>> = vec![Vec::new(); model.tasks.len()];
        let mut tails: [Option<u32>; 256] = [None; 256];
        let mut all = Vec::new();
        for &t in order.sequence() {
            let last = tails[usize::from(schedule.stream_of[t as usize])].replace(t);
            let mut front: Vec<Vec<u64>> = Vec::new();
            for b in order.before(TaskId(t)).iter().copied().chain(last) {
                done[b as usize]
                    .iter()
                    .for_each(|chain| keep(&mut front, chain));
            }
            if front.is_empty() {
                front.push(vec![0; length]);
            }
            if front.len() > MOST {
                return Self(None);
            }
            for chain in &mut front {
                match (&model.tasks[t as usize].kind, costs[t as usize]) {
                    (_, Some(cost)) => chain[0] = chain[0].saturating_add(cost),
                    (TaskKind::Kernel(launch), None) => {
                        let at = unknown.iter().position(|name| *name == launch.name);
                        at.into_iter().for_each(|at| chain[1 + at] += 1);
                    }
                    (_, None) => {}
                }
            }
            front.iter().for_each(|chain| keep(&mut all, chain));
            done[t as usize] = front;
        }
        Self((all.len() <= MOST).then_some(all))
    }

    /// Whether each chain is at most as long as one of `other`, whatever the costs.
    fn within(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => a.iter().all(|chain| b.iter().any(|o| covers(o, chain))),
            _ => false,
        }
    }
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

/// One side of a comparison.
pub type Side<'a> = (&'a Figures, &'a Chains, &'a BitRows);

/// Whether the critical path of `a` is shorter than, as long as or longer than that of `b`. Where
/// costs are not known, it is shorter if it is never longer, whatever they are, and the other is not
/// known never to be; `None` where neither is known never to be longer.
pub fn compare_paths(a: Side<'_>, b: Side<'_>) -> Option<Ordering> {
    if !a.0.at_least && !b.0.at_least {
        return Some(a.0.critical_path.cmp(&b.0.critical_path));
    }
    match (never_longer(a, b), never_longer(b, a)) {
        (true, true) => Some(Ordering::Equal),
        (true, false) => Some(Ordering::Less),
        (false, true) => Some(Ordering::Greater),
        (false, false) => None,
    }
}

/// On one stream all is one chain, which nothing is longer than; an order that lacks nothing of
/// another has every chain of it.
fn never_longer(a: Side<'_>, b: Side<'_>) -> bool {
    let serial = b.0.streams == 1 && a.0.launches <= b.0.launches;
    let both = a.1.0.is_some() && b.1.0.is_some();
    serial || a.1.within(b.1) || !both && within(a.2, b.2)
}
