//! A graph with one more launch.

use super::{Cut, Users};
use crate::model::{
    Access, Class, Mode, Model, Order, Pair, ResourceId, Rows, Task, TaskId, TaskKind,
};
use crate::order::Precedence;
use crate::policy::Edge;
use crate::workspace::{Content, Use};

/// A graph in which values are made again.
#[derive(Clone, Debug, PartialEq)]
pub struct Rewritten {
    /// The graph.
    pub model: Model,
    /// Of each task the one of the graph as it was written that does the same.
    pub origin: Vec<TaskId>,
    /// What is made again, in the order in which that was decided.
    pub made: Vec<Made>,
}

/// A value that is made again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The value of the graph as it was written.
    pub value: ResourceId,
    /// What is made.
    pub instance: ResourceId,
    /// The launch that makes it.
    pub task: TaskId,
    /// The first reader.
    pub before: TaskId,
    /// Fills of workspaces that stand before the launch.
    pub fills: Vec<TaskId>,
    /// Workspaces of the launch.
    pub rooms: Vec<ResourceId>,
    /// What the first reader waits for, too: with these before the launch, it is as late as can be
    /// without making that reader wait for more.
    pub late: Vec<Edge>,
}

impl Made {
    fn moved(&mut self, to: impl Fn(TaskId) -> TaskId) {
        self.task = to(self.task);
        self.before = to(self.before);
        self.fills.iter_mut().for_each(|t| *t = to(*t));
        for (a, b) in &mut self.late {
            (*a, *b) = (to(*a), to(*b));
        }
    }
}

impl Rewritten {
    /// `model`, in which nothing is made again.
    pub fn of(model: &Model) -> Self {
        Self {
            model: model.clone(),
            origin: (0..model.tasks.len() as u32).map(TaskId).collect(),
            made: Vec::new(),
        }
    }

    /// The same with `cut`, against which nothing stands. `order` is that of this graph.
    pub fn again(&self, cut: Cut, order: &Precedence) -> Option<Self> {
        let old = &self.model;
        let users = Users::new(old);
        let made_by = users.maker(cut.value)?;
        let maker = &old.tasks[made_by.0 as usize];
        let mut model = old.clone();
        let root = self.made.iter().find(|made| made.instance == cut.value);
        let value = root.map_or(cut.value, |made| made.value);
        let times = 2 + self.made.iter().filter(|made| made.value == value).count();
        let instance = add(
            &mut model,
            cut.value,
            format!("{}#{times}", name(old, value)),
        );
        let mut own = vec![(cut.value, instance)];
        let (mut fills, mut rooms) = (Vec::new(), Vec::new());
        for access in &maker.accesses {
            let r = access.resource;
            if old.resources[r.0 as usize].class == Class::Workspace
                && own.iter().all(|(of, _)| *of != r)
            {
                let (at, zeroed) = room(&mut model, r, made_by)?;
                own.push((r, at));
                rooms.push(at);
                fills.extend(zeroed.then_some(at));
            }
        }
        // All tasks from the reader on stand behind what is added.
        let (at, added) = (cut.before.0, 1 + fills.len() as u32);
        let moved = |t: TaskId| TaskId(if t.0 >= at { t.0 + added } else { t.0 });
        let task = TaskId(at + added - 1);
        let fill_of = |r: ResourceId| {
            let nth = fills.iter().position(|of| *of == r)?;
            Some(TaskId(at + nth as u32))
        };
        let to = |r: ResourceId| own.iter().find(|(of, _)| *of == r).map_or(r, |(_, to)| *to);

        // Of each task the one of the graph before that does the same.
        let mut copied: Vec<usize> = (0..at as usize).collect();
        let behind = model.tasks.split_off(at as usize);
        for &r in &fills {
            let fill = fill_before(old, made_by)?;
            model.tasks.push(zero(&model, r, maker));
            copied.push(fill.0 as usize);
        }
        let mut launch = maker.clone();
        let first = users.maker(value)?;
        let first = &old.tasks[first.0 as usize].name;
        launch.name = match times {
            2 => format!("{first} again"),
            n => format!("{first} again #{}", n - 1),
        };
        for access in &mut launch.accesses {
            access.resource = to(access.resource);
        }
        model.tasks.push(launch);
        copied.push(made_by.0 as usize);
        for mut next in behind {
            let since = match &next.kind {
                TaskKind::Hold { since } => Some(since.0),
                _ => None,
            };
            // What holds a value holds what the task read for which it is held.
            if since.is_none_or(|since| since >= at) {
                let reads = next.accesses.iter_mut();
                for access in reads.filter(|a| a.resource == cut.value && a.mode == Mode::Read) {
                    access.resource = instance;
                }
            }
            model.tasks.push(next);
        }
        copied.extend(at as usize..old.tasks.len());
        let origin = copied.iter().map(|&t| self.origin[t]).collect();
        measured(&mut model, &copied);
        for next in &mut model.tasks {
            if let TaskKind::Hold { since } = &mut next.kind {
                *since = moved(*since);
            }
        }
        for order in &mut model.orders {
            (order.before, order.after) = (moved(order.before), moved(order.after));
        }
        for again in &mut model.again {
            again.before = moved(again.before);
            if again.value == cut.value && again.before > task {
                again.value = instance;
            }
        }
        for workspace in &mut model.workspaces {
            for user in &mut workspace.uses {
                user.task = moved(user.task);
                user.fill = user.fill.map(moved);
            }
        }
        for &(of, new) in &own[1..] {
            let (use_, fill) = (task, fill_of(new));
            one_place(&mut model, of, new, (use_, fill), |user| {
                let user = if user.0 > task.0 {
                    TaskId(user.0 - added)
                } else {
                    user
                };
                order.precedes(user, cut.before)
            });
        }
        for at in 0..model.separate.len() {
            let pair = model.separate[at].clone();
            let (a, b) = (to(pair.a), to(pair.b));
            if (a, b) != (pair.a, pair.b) {
                model.separate.push(Pair {
                    a,
                    b,
                    site: pair.site,
                });
            }
        }
        let mut late = Vec::new();
        for before in earlier(old, order, cut.before) {
            let firsts = fills.iter().filter_map(|&r| fill_of(r)).chain([task]);
            late.extend(firsts.map(|first| (moved(before), first)));
        }
        let mut made = self.made.clone();
        made.iter_mut().for_each(|made| made.moved(moved));
        made.push(Made {
            value,
            instance,
            task,
            before: moved(cut.before),
            fills: fills.iter().filter_map(|&r| fill_of(r)).collect(),
            rooms,
            late,
        });
        Some(Self {
            model,
            origin,
            made,
        })
    }

    /// What is made again before which tasks of the graph as it was written, in their order.
    pub fn made_before(&self) -> Vec<(ResourceId, TaskId)> {
        let each = self.made.iter();
        let each = each.map(|made| (made.value, self.origin[made.before.0 as usize]));
        let mut each: Vec<_> = each.collect();
        each.sort_unstable();
        each
    }

    /// Every edge of [`Made::late`].
    pub fn late(&self) -> Vec<Edge> {
        self.made
            .iter()
            .flat_map(|made| made.late.iter().copied())
            .collect()
    }
}

/// What is measured of tasks is so of those that do the same.
fn measured(model: &mut Model, copied: &[usize]) {
    let profile = model.declared.profile.as_mut();
    if let Some(measured) = profile.and_then(|profile| profile.measured.as_mut()) {
        let of = |t: &usize| measured.of_task.get(*t).copied().flatten();
        measured.of_task = copied.iter().map(of).collect();
    }
}

fn name(model: &Model, r: ResourceId) -> &str {
    &model.resources[r.0 as usize].name
}

/// A further resource like `of`.
fn add(model: &mut Model, of: ResourceId, name: String) -> ResourceId {
    let mut own = model.resources[of.0 as usize].clone();
    own.name = name;
    model.resources.push(own);
    ResourceId(model.resources.len() as u32 - 1)
}

/// A further resource for the workspace that `user` uses as `of`, and whether it is made zero. The
/// use itself is added later.
fn room(model: &mut Model, of: ResourceId, user: TaskId) -> Option<(ResourceId, bool)> {
    let named = |u: &Use| u.resource == of && u.task == user;
    let found = model.workspaces.iter().find(|w| w.uses.iter().any(named));
    // Without a declaration it is room that this task alone uses.
    let (name, zeroed) = match found {
        Some(w) => {
            let name = format!("{}#{}", w.name, w.uses.len() + 1);
            (name, w.content == Content::Zeroed)
        }
        None => (format!("{} again", name(model, of)), false),
    };
    Some((add(model, of, name), zeroed))
}

fn zero(model: &Model, r: ResourceId, maker: &Task) -> Task {
    Task {
        name: format!("zero {}", name(model, r)),
        kind: TaskKind::Fill,
        accesses: vec![Access {
            resource: r,
            mode: Mode::Overwrite,
            rows: Rows::All,
            site: maker.site,
        }],
        site: maker.site,
    }
}

/// A fill that stands before `user`.
fn fill_before(model: &Model, user: TaskId) -> Option<TaskId> {
    let mut uses = model.workspaces.iter().flat_map(|w| &w.uses);
    uses.find_map(|u| u.fill.filter(|_| u.task == user))
}

/// Adds the use `new` of the workspace of which `of` is one; where all uses have one place, between
/// the last that is `before` it and the next.
fn one_place(
    model: &mut Model,
    of: ResourceId,
    new: ResourceId,
    (task, fill): (TaskId, Option<TaskId>),
    before: impl Fn(TaskId) -> bool,
) {
    let named = |u: &Use| u.resource == of;
    let Some(workspace) = model
        .workspaces
        .iter_mut()
        .find(|w| w.uses.iter().any(named))
    else {
        return;
    };
    let (first, site) = (workspace.uses[0].resource, workspace.site);
    if workspace.is_one() {
        let order = |before, after| Order {
            before,
            after,
            site,
        };
        for user in &workspace.uses {
            let start = user.fill.unwrap_or(user.task);
            model.orders.push(match before(user.task) {
                true => order(user.task, fill.unwrap_or(task)),
                false => order(task, start),
            });
        }
        model.aliases.push(Pair {
            a: first,
            b: new,
            site,
        });
    }
    let nested = workspace
        .uses
        .iter()
        .find(|u| named(u))
        .is_some_and(|u| u.nested);
    workspace.uses.push(Use {
        resource: new,
        task,
        fill,
        nested,
    });
}

/// What `task` waits for, but for what that waits for; in the place of holds, which are no work,
/// what these wait for.
fn earlier(model: &Model, order: &Precedence, task: TaskId) -> Vec<TaskId> {
    let (mut found, mut open) = (Vec::new(), order.before(task).to_vec());
    while let Some(t) = open.pop() {
        match model.tasks[t as usize].kind {
            TaskKind::Hold { .. } => open.extend(order.before(TaskId(t))),
            _ if !found.contains(&TaskId(t)) => found.push(TaskId(t)),
            _ => {}
        }
    }
    found.sort_unstable();
    found
}
