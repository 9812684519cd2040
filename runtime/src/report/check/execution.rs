//! The executions of the peaks: the order admits them, and the cuts are cuts of them.

use super::{Check, Checked};
use crate::report::{AddedBy, Candidate, Peak, Plan, Policy};

impl Check<'_> {
    pub(super) fn peaks(&self) -> Checked {
        let Some(peaks) = &self.plan.peaks else {
            return Ok(());
        };
        let of = |name: &str, peak: &Peak| {
            let place = format!("peaks.{name}");
            self.all_tasks(format_args!("{place}.running"), &peak.running)?;
            self.all_tasks(format_args!("{place}.completed"), &peak.completed)?;
            self.all_tasks(format_args!("{place}.execution"), &peak.execution)?;
            self.execution(&place, peak)?;
            let mut live = peak.live.iter().enumerate();
            live.try_for_each(|(l, of)| self.all_resources(format_args!("{place}.live[{l}]"), of))
        };
        of("least", &peaks.least)?;
        of("greatest", &peaks.greatest)?;
        match &peaks.workspaces {
            Some(peak) => of("workspaces", peak),
            None => Ok(()),
        }
    }

    /// Those of the plan that is taken are those of the plan.
    pub(super) fn peaks_of(&self, at: usize, one: &Candidate) -> Checked {
        let totals = &one.totals;
        let own = self.plan.peaks.as_ref().filter(|_| one.accepted);
        for (name, range, peak) in [
            ("least", totals.least_peak_bytes, own.map(|of| &of.least)),
            (
                "greatest",
                totals.greatest_peak_bytes,
                own.map(|of| &of.greatest),
            ),
        ] {
            let place = format!("candidates[{at}].totals.{name}_peak_bytes");
            if range.high.is_some_and(|high| high < range.low) {
                return self.wrong(place, "it ends below where it begins");
            }
            if peak.is_some_and(|peak| peak.bytes != range) {
                return self.wrong(place, format!("it is not that of `peaks.{name}`"));
            }
        }
        Ok(())
    }

    fn execution(&self, place: &str, peak: &Peak) -> Checked {
        let (count, tasks) = (peak.execution.len(), self.plan.tasks.len());
        let here = format!("{place}.execution");
        if count == 0 && peak.completed.is_empty() && peak.running.is_empty() {
            return Ok(());
        }
        if count != tasks {
            return self.wrong(here, format!("it has {count} tasks, of {tasks}"));
        }
        let mut at = vec![None; tasks];
        for (nth, &task) in peak.execution.iter().enumerate() {
            if at[task as usize].replace(nth).is_some() {
                return self.wrong(here, format!("task {task} starts twice"));
            }
        }
        let begin = peak.completed.len();
        let end = begin + peak.running.len();
        for (name, own, from, to) in [
            ("completed", &peak.completed, 0, begin),
            ("running", &peak.running, begin, end),
        ] {
            let named = sorted(own);
            if peak.execution.get(from..to).map(sorted) != Some(named) {
                let what = format!("tasks {from}..{to} of `{here}` are others");
                return self.wrong(format_args!("{place}.{name}"), what);
            }
        }
        let runs = |nth: usize| (begin..end).contains(&nth);
        for (before, after) in admitted(self.plan) {
            // Each task is there once.
            let [Some(a), Some(b)] = [before, after].map(|t| at[t as usize]) else {
                continue;
            };
            if a > b || (runs(a) && runs(b)) {
                let what = format!("task {after} starts before task {before} completes");
                return self.wrong(here, what);
            }
        }
        Ok(())
    }
}

fn sorted(tasks: impl AsRef<[u32]>) -> Vec<u32> {
    let mut tasks = tasks.as_ref().to_vec();
    tasks.sort_unstable();
    tasks
}

/// Each order of two tasks that every execution has: the dependencies, what the plan adds, and the order
/// of streams where proofs may rest on that.
fn admitted(plan: &Plan) -> impl Iterator<Item = (u32, u32)> + '_ {
    let mut taken = plan.candidates.iter().filter(|one| one.accepted);
    let streams = plan.is_conditional() || taken.any(|one| one.policy != Policy::Alias);
    let order = &plan.order;
    let added = order.added.iter();
    let added = added.filter(move |edge| streams || edge.by == AddedBy::Policy);
    let stated = order.dependencies.iter().map(|d| (d.before, d.after));
    stated.chain(added.map(|edge| (edge.before, edge.after)))
}
