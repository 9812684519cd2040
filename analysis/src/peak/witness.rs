//! Executions that show a figure.

use super::instance::{Instance, Item};
use crate::model::TaskId;
use crate::order::Precedence;

/// An event of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The task starts.
    Start(TaskId),
    /// The task completes.
    Complete(TaskId),
}

/// An execution and a cut of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// All starts and completions.
    pub steps: Vec<Step>,
    /// So many of them are behind at the cut.
    pub cut: usize,
    /// The tasks that run at the cut.
    pub running: Vec<TaskId>,
    /// Positions of the items that are live at the cut and counted.
    pub live: Vec<usize>,
}

impl Witness {
    /// The tasks in the sequence in which they start. Those that are completed at the cut come first,
    /// and then those that run there; but for these, each completes before the next one starts.
    pub fn sequence(&self) -> impl Iterator<Item = TaskId> + '_ {
        self.steps.iter().filter_map(|step| match step {
            Step::Start(t) => Some(*t),
            Step::Complete(_) => None,
        })
    }
}

/// The execution in which tasks start in `sequence`, one at a time, cut where most is live; or, with `cut`,
/// so many of them one at a time, then so many at once, which run at the cut, then the rest one at a
/// time. `None` where `order` does not admit it.
pub fn replayed(
    order: &Precedence,
    items: &[Item],
    sequence: &[TaskId],
    cut: Option<[usize; 2]>,
) -> Option<Witness> {
    let [over, beside] = cut.unwrap_or_default();
    let mut at = vec![None; order.tasks()];
    for (nth, t) in sequence.iter().enumerate() {
        if at.get_mut(t.0 as usize)?.replace(nth).is_some() {
            return None;
        }
    }
    let run = over..over.checked_add(beside)?;
    if sequence.len() != order.tasks() || run.end > sequence.len() {
        return None;
    }
    let admitted = (0..order.tasks()).all(|t| {
        let before = order.before(TaskId(t as u32)).iter();
        let mut before = before.map(|&b| at[b as usize]);
        before.all(|b| b < at[t] && ![b, at[t]].iter().flatten().all(|k| run.contains(k)))
    });
    if !admitted {
        return None;
    }
    if cut.is_none() {
        return Some(in_turn(order, items, sequence));
    }
    let one_by_one = |tasks: &[TaskId]| -> Vec<Step> {
        let each = tasks.iter();
        each.flat_map(|&t| [Step::Start(t), Step::Complete(t)])
            .collect()
    };
    let mut steps = one_by_one(&sequence[..over]);
    steps.extend(sequence[run.clone()].iter().map(|&t| Step::Start(t)));
    let cut = steps.len();
    steps.extend(sequence[run.clone()].iter().map(|&t| Step::Complete(t)));
    steps.extend(one_by_one(&sequence[run.end..]));
    Some(cut_at(items, steps, cut, order.tasks(), |_| true))
}

/// One task after the other in `tasks`, cut where most is live.
pub(super) fn in_turn(order: &Precedence, items: &[Item], tasks: &[TaskId]) -> Witness {
    let steps = tasks
        .iter()
        .flat_map(|&t| [Step::Start(t), Step::Complete(t)]);
    let steps: Vec<Step> = steps.collect();
    // By what begins and ends with each task.
    let mut at = vec![0; order.tasks()];
    for (k, t) in tasks.iter().enumerate() {
        at[t.0 as usize] = k;
    }
    let mut change = vec![(0u64, 0u64); tasks.len()];
    let mut level = 0;
    for item in items {
        let ks = item.users.iter().map(|t| at[t.0 as usize]);
        let (Some(first), Some(last)) = (ks.clone().min(), ks.max()) else {
            continue;
        };
        match item.from_start {
            true => level += item.bytes,
            false => change[first].0 += item.bytes,
        }
        if !item.to_end {
            change[last].1 += item.bytes;
        }
    }
    let (mut most, mut peak) = (None, 0);
    for (k, (more, less)) in change.into_iter().enumerate() {
        level += more;
        if most.is_none() || level > peak {
            (most, peak) = (Some(k), level);
        }
        level -= less;
    }
    let Some(k) = most else {
        return Witness::default();
    };
    cut_at(items, steps, 2 * k + 1, order.tasks(), |_| true)
}

/// First the tasks of `completed`, then all that is ready at once: the cut; then the rest.
pub(super) fn widest(
    order: &Precedence,
    items: &[Item],
    instance: &Instance,
    completed: &[bool],
) -> Witness {
    let of = |t: u32| TaskId(instance.task[t as usize]);
    let all = 0..instance.tasks() as u32;
    let ready = |t: &u32| {
        let mut before = instance.before[*t as usize].iter();
        !completed[*t as usize] && before.all(|&b| completed[b as usize])
    };
    let (mut steps, mut rest) = (Vec::new(), Vec::new());
    for t in all.clone() {
        let both = [Step::Start(of(t)), Step::Complete(of(t))];
        match completed[t as usize] {
            true => steps.extend(both),
            false if ready(&t) => {}
            false => rest.extend(both),
        }
    }
    let run: Vec<u32> = all.filter(ready).collect();
    steps.extend(run.iter().map(|&t| Step::Start(of(t))));
    let cut = steps.len();
    steps.extend(run.iter().map(|&t| Step::Complete(of(t))));
    steps.extend(rest);
    let mut counted = vec![false; items.len()];
    for thing in &instance.things {
        counted[thing.item as usize] = true;
    }
    cut_at(items, steps, cut, order.tasks(), |item| counted[item])
}

/// The witness with what runs and is live after `cut` steps.
fn cut_at(
    items: &[Item],
    steps: Vec<Step>,
    cut: usize,
    tasks: usize,
    counted: impl Fn(usize) -> bool,
) -> Witness {
    let (mut started, mut completed) = (vec![false; tasks], vec![false; tasks]);
    for step in &steps[..cut] {
        match step {
            Step::Start(t) => started[t.0 as usize] = true,
            Step::Complete(t) => completed[t.0 as usize] = true,
        }
    }
    let live = |&i: &usize| {
        let item = &items[i];
        let begun = item.from_start || item.users.iter().any(|t| started[t.0 as usize]);
        let over = !item.to_end && item.users.iter().all(|t| completed[t.0 as usize]);
        item.bytes > 0 && !item.users.is_empty() && begun && !over && counted(i)
    };
    let running = (0..tasks as u32).filter(|&t| started[t as usize] && !completed[t as usize]);
    Witness {
        running: running.map(TaskId).collect(),
        live: (0..items.len()).filter(live).collect(),
        steps,
        cut,
    }
}
