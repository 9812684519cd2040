//! The compact form of what was decided, read back: names, dependencies, live ranges.
//!
//! The analysis writes it (`Record::facts`, where the form is described), because it proved it for
//! every dim that is admitted; nothing is proved again here.

use crate::table::{Op, Program, Source};

/// Tasks as runs of consecutive numbers, both ends included.
type Tasks = Vec<(usize, usize)>;

/// What is known of tasks and resources.
pub(super) struct Facts {
    /// Names of tasks.
    pub(super) names: Vec<&'static str>,
    /// Live ranges of resources.
    pub(super) live: Vec<Live>,
    /// In-place updates that are legal and were left, each with the reason.
    pub(super) left: Vec<(Update, &'static str)>,
    /// Some tasks are ordered by demand alone: what is right before a task may be that by demand.
    pub(super) demanded: bool,
    /// The tasks right before each.
    before: Vec<Tasks>,
    /// The tasks that the plan puts right before each beside those, where that counts in proofs.
    ordered: Vec<Tasks>,
    /// Tasks in issue order, which respects all dependencies.
    issued: Vec<usize>,
}

/// Where a live range begins and ends.
pub(super) struct Live {
    /// Its first tasks.
    pub(super) first: Vec<usize>,
    /// Its last tasks.
    pub(super) last: Vec<usize>,
    /// The host reads it after the run.
    pub(super) host: bool,
}

/// A task that ends one resource and begins another in its place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::graph) struct Update {
    pub(in crate::graph) operand: usize,
    pub(in crate::graph) result: usize,
    pub(super) task: usize,
}

impl Facts {
    pub(super) fn read(text: &'static str, source: &Source<'_>, program: &Program<'_>) -> Self {
        let mut lines = text.lines();
        let (mut names, mut before) = (Vec::new(), Vec::new());
        for line in lines.by_ref().take(source.tasks.len()) {
            let (name, tasks) = line.split_once('\t').unwrap_or((line, ""));
            names.push(name);
            before.push(runs(tasks));
        }
        let mut live = Vec::new();
        for line in lines.by_ref().take(source.resources.len()) {
            let mut parts = line.split('\t');
            let mut tasks = || each(&runs(parts.next().unwrap_or(""))).collect();
            let (first, last) = (tasks(), tasks());
            let mut words = parts.next().unwrap_or("").split(' ');
            let host = words.any(|word| word == "host");
            live.push(Live { first, last, host });
        }
        let mut left = Vec::new();
        let mut ordered = vec![Vec::new(); before.len()];
        let rest = lines.clone();
        for pairs in rest.filter_map(|line| line.strip_prefix("ordered\t")) {
            let numbers: Vec<usize> = pairs.split(' ').flat_map(str::parse).collect();
            for pair in numbers.chunks_exact(2) {
                if let Some(list) = ordered.get_mut(pair[1]) {
                    list.push((pair[0], pair[0]));
                }
            }
        }
        let mut orders = lines.clone().filter(|line| line.starts_with("order\t"));
        let demanded = orders.any(|line| line.ends_with("\talone"));
        let rest = lines.filter_map(|line| line.strip_prefix("left\t"));
        for line in rest {
            let (update, why) = line.split_once('\t').unwrap_or((line, ""));
            let numbers: Vec<usize> = update.split(' ').flat_map(str::parse).collect();
            if let [operand, result, task] = numbers[..] {
                let update = Update {
                    operand,
                    result,
                    task,
                };
                left.push((update, why));
            }
        }
        let issued = program.issue.iter().filter_map(|op| match op {
            Op::Launch { task, .. } => Some(*task as usize),
            _ => None,
        });
        Self {
            names,
            live,
            left,
            demanded,
            before,
            ordered,
            issued: issued.collect(),
        }
    }

    /// The tasks right before `task`.
    #[cfg(feature = "report")]
    pub(super) fn before(&self, task: usize) -> impl Iterator<Item = usize> + '_ {
        each(&self.before[task])
    }

    /// The tasks that the plan puts right before `task` beside those, where that counts in proofs.
    #[cfg(feature = "report")]
    pub(super) fn ordered(&self, task: usize) -> impl Iterator<Item = usize> + '_ {
        each(&self.ordered[task])
    }

    /// For each task, whether it comes before `task`.
    pub(super) fn ancestors(&self, task: usize) -> Vec<bool> {
        let mut found = vec![false; self.names.len()];
        for &t in self.issued.iter().rev() {
            if t == task || found[t] {
                each(&self.before[t]).for_each(|p| found[p] = true);
            }
        }
        found
    }

    /// For each task, whether it comes after `task`.
    pub(super) fn descendants(&self, task: usize) -> Vec<bool> {
        let steps = self.steps(task);
        let after = |(t, steps): (usize, &Option<usize>)| t != task && steps.is_some();
        steps.iter().enumerate().map(after).collect()
    }

    /// Whether `a` comes before `b` by dependencies and what the plan orders.
    pub(super) fn planned(&self, a: usize, b: usize) -> bool {
        self.planned_before(b)[a]
    }

    /// For each task, whether it comes before `task` by dependencies and what the plan orders.
    pub(super) fn planned_before(&self, task: usize) -> Vec<bool> {
        let mut found = vec![false; self.names.len()];
        for &t in self.issued.iter().rev() {
            if t == task || found[t] {
                self.right_before(t).for_each(|p| found[p] = true);
            }
        }
        found
    }

    /// For each task, whether it comes after `task` by dependencies and what the plan orders.
    pub(super) fn planned_after(&self, task: usize) -> Vec<bool> {
        let mut found = vec![false; self.names.len()];
        for &t in &self.issued {
            found[t] = self.right_before(t).any(|p| p == task || found[p]);
        }
        found
    }

    fn right_before(&self, task: usize) -> impl Iterator<Item = usize> + '_ {
        each(&self.before[task]).chain(each(&self.ordered[task]))
    }

    /// A shortest chain of dependencies from `from` to `to`, both included.
    pub(super) fn path(&self, from: usize, to: usize) -> Vec<&'static str> {
        let steps = self.steps(from);
        let mut path = vec![self.names[to]];
        let mut at = to;
        while at != from {
            let mut before = each(&self.before[at]).filter(|&p| steps[p].is_some());
            let Some(first) = before.next() else { break };
            at = before.fold(first, |a, b| if steps[b] < steps[a] { b } else { a });
            path.push(self.names[at]);
        }
        path.reverse();
        path
    }

    /// The fewest dependencies that lead from `from` to each task, where any do.
    fn steps(&self, from: usize) -> Vec<Option<usize>> {
        let mut steps: Vec<Option<usize>> = vec![None; self.names.len()];
        for &t in &self.issued {
            steps[t] = if t == from {
                Some(0)
            } else {
                let before = each(&self.before[t]).filter_map(|p| steps[p]);
                before.min().map(|steps| steps + 1)
            };
        }
        steps
    }
}

/// `0 2-4`.
fn runs(text: &str) -> Tasks {
    let run = |run: &str| {
        let (from, to) = run.split_once('-').unwrap_or((run, run));
        Some((from.parse().ok()?, to.parse().ok()?))
    };
    text.split(' ').filter_map(run).collect()
}

fn each(tasks: &Tasks) -> impl Iterator<Item = usize> + '_ {
    tasks.iter().flat_map(|&(from, to)| from..=to)
}
