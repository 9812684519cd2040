//! What no record can say: a number that leads to nothing, and numbers that contradict each other.
//!
//! Whatever is made of a report takes this for granted.

mod execution;
mod numbers;
mod serialised;

use std::fmt::Display;

use super::{Deltas, DimValue, Happening, Plan, Proof, Region, Report, ReportError, When};

type Checked = Result<(), ReportError>;

/// Streams that a plan has at most: a task says its own in a byte.
const STREAMS: u32 = 256;

/// A plan, and where it stands in the report.
struct Check<'a> {
    plan: &'a Plan,
    index: usize,
}

/// Every number leads to something, and what belongs together goes together.
pub(super) fn check(report: &Report) -> Checked {
    for (index, plan) in report.plans.iter().enumerate() {
        let check = Check { plan, index };
        check.tasks()?;
        check.order()?;
        check.storage()?;
        check.resources()?;
        check.sharing()?;
        check.numbers()?;
        check.candidates()?;
        check.peaks()?;
        check.allocator()?;
    }
    numbers::whole(report)
}

/// What no data of this crate can say, and where.
pub(super) fn wrong<T>(
    place: impl Into<String>,
    what: impl Into<String>,
) -> Result<T, ReportError> {
    let (place, what) = (place.into(), what.into());
    Err(ReportError::Form { place, what })
}

/// Each dim has one value.
pub(super) fn dims(dims: &[DimValue]) -> Checked {
    for (d, dim) in dims.iter().enumerate() {
        if dims[..d].iter().any(|before| before.name == dim.name) {
            let what = format!("the dim `{}` is there twice", dim.name);
            return wrong(format!("dims[{d}]"), what);
        }
    }
    Ok(())
}

impl Check<'_> {
    fn wrong(&self, place: impl Display, what: impl Into<String>) -> Checked {
        wrong(format!("plans[{}].{place}", self.index), what)
    }

    /// `number` is below `bound`, which is how many there are of `what`.
    fn below(&self, place: impl Display, what: &str, number: u32, bound: usize) -> Checked {
        match (number as usize) < bound {
            true => Ok(()),
            false => self.wrong(place, format!("there is no {what} {number}, but {bound}")),
        }
    }

    fn task(&self, place: impl Display, task: u32) -> Checked {
        self.below(place, "task", task, self.plan.tasks.len())
    }

    fn resource(&self, place: impl Display, resource: u32) -> Checked {
        self.below(place, "resource", resource, self.plan.resources.len())
    }

    fn all_tasks(&self, place: impl Display, tasks: &[u32]) -> Checked {
        let mut all = tasks.iter().enumerate();
        all.try_for_each(|(i, &task)| self.task(format_args!("{place}[{i}]"), task))
    }

    fn all_resources(&self, place: impl Display, resources: &[u32]) -> Checked {
        let mut all = resources.iter().enumerate();
        all.try_for_each(|(i, &one)| self.resource(format_args!("{place}[{i}]"), one))
    }

    /// Two tasks, of which the first is issued before the second.
    fn ordered(&self, place: impl Display, before: u32, after: u32) -> Checked {
        self.task(format_args!("{place}.before"), before)?;
        self.task(format_args!("{place}.after"), after)?;
        let [from, to] = [before, after].map(|task| self.plan.tasks[task as usize].step);
        match from < to {
            true => Ok(()),
            false => self.wrong(
                place,
                format!("task {before} is issued at step {from}, and task {after} at step {to}"),
            ),
        }
    }

    fn tasks(&self) -> Checked {
        let (tasks, order) = (&self.plan.tasks, &self.plan.order);
        if order.streams > STREAMS {
            let what = format!("there are {STREAMS} streams at most, not {}", order.streams);
            return self.wrong("order.streams", what);
        }
        if order.issue.len() != tasks.len() {
            let what = format!("{} of {} tasks are issued", order.issue.len(), tasks.len());
            return self.wrong("order.issue", what);
        }
        // As each step issues the task that says so, no task is issued twice, and so all are.
        for (step, &task) in (0u32..).zip(&order.issue) {
            let place = format!("order.issue[{step}]");
            self.task(&place, task)?;
            let said = tasks[task as usize].step;
            if said != step {
                let what = format!("task {task} is issued at step {said}, not {step}");
                return self.wrong(place, what);
            }
        }
        for (t, task) in tasks.iter().enumerate() {
            let place = format!("tasks[{t}]");
            let stream = format_args!("{place}.stream");
            self.below(stream, "stream", task.stream.into(), order.streams as usize)?;
            self.all_tasks(format_args!("{place}.awaits"), &task.awaits)?;
            for (a, access) in task.accesses.iter().enumerate() {
                let place = format_args!("{place}.accesses[{a}].resource");
                self.resource(place, access.resource)?;
            }
            if let Some(since) = task.since {
                self.task(format_args!("{place}.since"), since)?;
            }
        }
        Ok(())
    }

    fn order(&self) -> Checked {
        let order = &self.plan.order;
        for (i, of) in order.dependencies.iter().enumerate() {
            self.ordered(format_args!("order.dependencies[{i}]"), of.before, of.after)?;
        }
        for (i, of) in order.demands.iter().enumerate() {
            self.ordered(format_args!("order.demands[{i}]"), of.before, of.after)?;
        }
        for (i, of) in order.added.iter().enumerate() {
            self.ordered(format_args!("order.added[{i}]"), of.before, of.after)?;
        }
        self.serialised()
    }

    fn storage(&self) -> Checked {
        let storage = &self.plan.storage;
        let both = storage.arena.checked_add(storage.store);
        if both
            .and_then(|both| both.checked_add(storage.staging))
            .is_none()
        {
            let what = "`arena`, `store` and `staging` are more than 64 bits can say together";
            return self.wrong("storage", what);
        }
        for (p, part) in storage.lower_bound.parts.iter().enumerate() {
            let place = format!("storage.lower_bound.parts[{p}]");
            if let When::Task { task } = part.when {
                self.task(format_args!("{place}.when.task"), task)?;
            }
            for (l, live) in part.live.iter().enumerate() {
                self.all_resources(format_args!("{place}.live[{l}]"), live)?;
            }
        }
        Ok(())
    }

    fn resources(&self) -> Checked {
        let storage = &self.plan.storage;
        // The ranges are laid end to end.
        let borders = [
            0,
            storage.arena,
            storage.arena + storage.store,
            storage.arena + storage.store + storage.staging,
        ];
        for (r, of) in self.plan.resources.iter().enumerate() {
            let place = format!("resources[{r}]");
            let (nth, name) = match of.region {
                Region::Arena => (0, "arena"),
                Region::Store => (1, "store"),
                Region::Staging => (2, "staging"),
            };
            let (begin, end) = (borders[nth], borders[nth + 1]);
            if of.offset < begin || of.offset.checked_add(of.bytes).is_none_or(|to| to > end) {
                let (from, bytes) = (of.offset, of.bytes);
                let what = format!(
                    "{bytes} bytes from {from} are not in the {name}, which is {begin}..{end}"
                );
                return self.wrong(format_args!("{place}.offset"), what);
            }
            self.all_tasks(format_args!("{place}.first"), &of.first)?;
            self.all_tasks(format_args!("{place}.last"), &of.last)?;
        }
        for (w, of) in self.plan.workspaces.iter().enumerate() {
            for (u, of) in of.uses.iter().enumerate() {
                let place = format!("workspaces[{w}].uses[{u}]");
                self.task(format_args!("{place}.task"), of.task)?;
                self.resource(format_args!("{place}.resource"), of.resource)?;
            }
        }
        Ok(())
    }

    fn sharing(&self) -> Checked {
        for (a, alias) in self.plan.aliases.iter().enumerate() {
            let place = format!("aliases[{a}]");
            self.resource(format_args!("{place}.earlier"), alias.earlier)?;
            self.resource(format_args!("{place}.later"), alias.later)?;
            let place = format!("{place}.proof");
            let missing = match &alias.proof {
                Proof::InPlace { task, missing } => {
                    self.task(format_args!("{place}.task"), *task)?;
                    &missing[..]
                }
                Proof::Conditional { last, first, .. } | Proof::Unconditional { last, first } => {
                    self.all_tasks(format_args!("{place}.last"), last)?;
                    self.all_tasks(format_args!("{place}.first"), first)?;
                    match &alias.proof {
                        Proof::Conditional { missing, .. } => &missing[..],
                        _ => &[],
                    }
                }
            };
            for (m, of) in missing.iter().enumerate() {
                self.ordered(format_args!("{place}.missing[{m}]"), of.before, of.after)?;
            }
        }
        for (l, left) in self.plan.left.iter().enumerate() {
            self.task(format_args!("left[{l}].task"), left.task)?;
            self.resource(format_args!("left[{l}].operand"), left.operand)?;
            self.resource(format_args!("left[{l}].result"), left.result)?;
        }
        let apart = &self.plan.unshared;
        for (p, pair) in apart.pairs.iter().enumerate() {
            let place = format!("unshared.pairs[{p}]");
            self.resource(format_args!("{place}.a"), pair.a)?;
            self.resource(format_args!("{place}.b"), pair.b)?;
            // Orders that there could be: the plan has none of them, and may have their opposite.
            for (m, of) in pair.missing.iter().enumerate() {
                self.task(format_args!("{place}.missing[{m}].before"), of.before)?;
                self.task(format_args!("{place}.missing[{m}].after"), of.after)?;
            }
        }
        let kinds = [apart.live, apart.unordered, apart.separate, apart.layout];
        let counted: u128 = kinds.into_iter().map(u128::from).sum();
        if counted > apart.total.into() {
            let what = format!(
                "its kinds come to {counted} pairs, of {} in all",
                apart.total
            );
            return self.wrong("unshared", what);
        }
        Ok(())
    }

    /// One plan is taken, and differences are those of the totals.
    fn candidates(&self) -> Checked {
        let all = &self.plan.candidates;
        let Some(first) = all.first() else {
            return Ok(());
        };
        let taken = all.iter().filter(|one| one.accepted).count();
        if taken != 1 {
            return self.wrong(
                "candidates",
                format!("{taken} of them are taken, and not one"),
            );
        }
        for (c, one) in all.iter().enumerate() {
            self.peaks_of(c, one)?;
            let (count, listed) = (one.totals.added_edges, one.added.len());
            if count != listed as u64 {
                let what = format!("{listed} are listed, of {count}");
                return self.wrong(format_args!("candidates[{c}].added"), what);
            }
            if one.deltas != Deltas::between(&first.totals, &one.totals) {
                let what = "they are not its totals less those of candidate 0";
                return self.wrong(format_args!("candidates[{c}].deltas"), what);
            }
        }
        Ok(())
    }

    /// The demand has each step, and each resource of the trace begins once and is over later.
    fn allocator(&self) -> Checked {
        let (of, steps) = (&self.plan.allocator, self.plan.tasks.len());
        if of.demand.len() != steps {
            let what = format!("it has {} steps, of {steps}", of.demand.len());
            return self.wrong("allocator.demand", what);
        }
        let mut begun: Vec<Option<u32>> = vec![None; self.plan.resources.len()];
        let mut over = vec![false; begun.len()];
        for (e, event) in of.trace.iter().enumerate() {
            let place = format!("allocator.trace[{e}]");
            self.below(format_args!("{place}.step"), "step", event.step, steps)?;
            self.resource(format_args!("{place}.resource"), event.resource)?;
            self.all_resources(format_args!("{place}.from"), &event.from)?;
            let r = event.resource as usize;
            match (event.event, begun[r]) {
                (Happening::Release, Some(from)) if !over[r] && from <= event.step => {
                    over[r] = true;
                }
                (Happening::Release, Some(from)) if !over[r] => {
                    let what = format!("resource {r} begins at step {from}, and is over before");
                    return self.wrong(format_args!("{place}.step"), what);
                }
                (Happening::Release, Some(_)) => {
                    return self.wrong(place, format!("resource {r} is over twice"));
                }
                (Happening::Release, None) => {
                    return self.wrong(place, format!("resource {r} is over and has not begun"));
                }
                (_, None) => begun[r] = Some(event.step),
                (_, Some(_)) => return self.wrong(place, format!("resource {r} begins twice")),
            }
        }
        Ok(())
    }
}
