//! Results that take the storage of an operand.

use crate::expr::same_product;
use crate::frontier::Frontiers;
use crate::model::{Access, Class, Mode, Model, Resource, ResourceId, Rows, TaskId, TaskKind};
use crate::order::Precedence;

/// A task whose result may take, or takes, the storage of its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merge {
    /// The task.
    pub task: TaskId,
    /// What it reads, and nobody needs after it.
    pub operand: ResourceId,
    /// What it writes, that nobody touches before it.
    pub result: ResourceId,
}

/// All legal merges, in statement order. Whether each is taken is for the layout to say.
pub fn merges(model: &Model, live: &Frontiers) -> Vec<Merge> {
    (0..model.tasks.len() as u32)
        .filter_map(|t| merge(model, live, TaskId(t)))
        .collect()
}

/// Every merge that is legal, or would be in an order that the dependencies admit, in statement order.
pub(crate) fn possible(model: &Model, order: &Precedence, live: &Frontiers) -> Vec<Merge> {
    let tasks = (0..model.tasks.len() as u32).map(TaskId);
    let found = tasks.filter_map(|task| {
        let (operand, result) = declared(model, task)?;
        conditions(model, order, live, operand, result)?;
        Some(Merge {
            task,
            operand,
            result,
        })
    });
    found.collect()
}

/// The task that merges `first` into `then`, if there is one.
pub(super) fn task(
    model: &Model,
    live: &Frontiers,
    first: ResourceId,
    then: ResourceId,
) -> Option<TaskId> {
    let [task] = live.of(first).last[..] else {
        return None;
    };
    let found = merge(model, live, task)?;
    (found.operand == first && found.result == then).then_some(task)
}

/// The task that could update `first` into `then` if only it were the last to use `first`.
pub(super) fn form(
    model: &Model,
    live: &Frontiers,
    first: ResourceId,
    then: ResourceId,
) -> Option<TaskId> {
    let [task] = live.of(then).first[..] else {
        return None;
    };
    (declared(model, task)? == (first, then)).then_some(task)
}

/// The task that could update `first` into `then`, with what has to be ordered before it: the other
/// tasks that end `first`. `None` where there is no such task, or one of these comes behind it.
pub(crate) fn conditions(
    model: &Model,
    order: &Precedence,
    live: &Frontiers,
    first: ResourceId,
    then: ResourceId,
) -> Option<(TaskId, Vec<(TaskId, TaskId)>)> {
    let task = form(model, live, first, then)?;
    Some((task, lacking(order, live, first, task)?))
}

/// What has to be ordered before `task`, which would end `first` in place; `None` where some of it comes
/// behind the task.
fn lacking(
    order: &Precedence,
    live: &Frontiers,
    first: ResourceId,
    task: TaskId,
) -> Option<Vec<(TaskId, TaskId)>> {
    let users = live.users(first).iter().copied();
    let others: Vec<TaskId> = users
        .filter(|&u| u != task && !order.precedes(u, task))
        .collect();
    let late = others.iter().any(|&u| order.precedes(task, u));
    (!late).then(|| {
        let last = others.iter().filter(|u| live.of(first).last.contains(u));
        last.map(|&u| (u, task)).collect()
    })
}

/// What `task` may merge: what it declares, if every other access of the operand precedes it and
/// every other access of the result follows it.
fn merge(model: &Model, live: &Frontiers, task: TaskId) -> Option<Merge> {
    let (operand, result) = declared(model, task)?;
    let alone = live.of(operand).last == [task] && live.of(result).first == [task];
    alone.then_some(Merge {
        task,
        operand,
        result,
    })
}

/// Operand and result of the in-place form of `task`, if its kernel declares one and this call can
/// use it.
pub(crate) fn declared(model: &Model, task: TaskId) -> Option<(ResourceId, ResourceId)> {
    let (x, y) = formed(model, task)?;
    let own = matches!(
        model.resources[x.0 as usize].class,
        Class::Transient | Class::Reconstructable | Class::InputMut
    );
    own.then_some((x, y))
}

/// The task that could update `first` into `then`, were that input the graph's own, with what has to be
/// ordered before it; `None` where more is in its way.
pub(crate) fn withheld(
    model: &Model,
    order: &Precedence,
    live: &Frontiers,
    first: ResourceId,
    then: ResourceId,
) -> Option<(TaskId, Vec<(TaskId, TaskId)>)> {
    let [task] = live.of(then).first[..] else {
        return None;
    };
    let input = model.resources[first.0 as usize].class == Class::Input;
    (input && formed(model, task)? == (first, then)).then_some(())?;
    Some((task, lacking(order, live, first, task)?))
}

/// Operand and result of the in-place form of `task`, whoever's the operand is: it reads that whole, the
/// result is a whole resource of as many elements of the same type, which lives between tasks or is
/// handed out, and the task touches neither otherwise.
fn formed(model: &Model, task: TaskId) -> Option<(ResourceId, ResourceId)> {
    let t = &model.tasks[task.0 as usize];
    let TaskKind::Kernel(launch) = &t.kind else {
        return None;
    };
    let (operand, result) = (t.accesses.get(launch.in_place?)?, t.accesses.last()?);
    let (x, y) = (operand.resource, result.resource);
    let (rx, ry) = (
        &model.resources[x.0 as usize],
        &model.resources[y.0 as usize],
    );
    let whole = |a: &Access, r: &Resource| match &a.rows {
        Rows::All => true,
        rows => r.shape.first().is_some_and(|e| rows.is_all(e, &model.dims)),
    };
    let alike = rx.elem == ry.elem && same_product(&rx.shape, &ry.shape, &model.dims);
    let once = |r: ResourceId| t.accesses.iter().filter(|a| a.resource == r).count() == 1;
    let fits = matches!(
        ry.class,
        Class::Transient | Class::Reconstructable | Class::Output | Class::Escape
    ) && rx.domain == ry.domain
        && operand.mode == Mode::Read
        && result.mode == Mode::Overwrite
        && alike
        && whole(operand, rx)
        && whole(result, ry)
        && once(x)
        && once(y);
    fits.then_some((x, y))
}
