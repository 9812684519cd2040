//! Workspaces: room that a task works in, and whose content means nothing before and after.
//!
//! Each task that uses one overwrites a resource of its own, so that uses depend on nothing of each
//! other and share storage where live ranges allow it, as all resources do. An exclusive workspace is
//! one storage: its users have to be ordered by other dependencies, and all its resources are
//! demanded to be at one place, which the verifier of the tables checks again.

use crate::alias::order_fix;
use crate::fault::{Edit, Fault, WORKSPACE_SHARED};
use crate::model::{Model, Order, Pair, ResourceId, Site, TaskId};
use crate::order::Precedence;

/// What a user finds in a workspace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Anything.
    #[default]
    Dead,
    /// Zeros: a fill stands before each use.
    Zeroed,
    /// What the last user left, in this run or the one before: one resource that outlives runs.
    Preserved,
}

/// How the users of a workspace go together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// All have one storage.
    #[default]
    Exclusive,
    /// Each has storage of its own, as far as any two may be live at once.
    PerTask,
}

/// A workspace as it was declared, and its uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Its name.
    pub name: String,
    /// Its declaration.
    pub site: Site,
    /// What a user finds.
    pub content: Content,
    /// How users go together.
    pub sharing: Sharing,
    /// The word `exclusive`, where it is written.
    pub exclusive: Option<Site>,
    /// Its type and the words behind it: further words go behind.
    pub end: Site,
    /// Its resource of that name, which is that of its first use.
    pub resource: ResourceId,
    /// Its uses, in statement order.
    pub uses: Vec<Use>,
}

/// One task that uses a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The resource that it overwrites, or updates after a fill.
    pub resource: ResourceId,
    /// The task.
    pub task: TaskId,
    /// The fill before it.
    pub fill: Option<TaskId>,
    /// It is of a stage or a loop, where labels are not those of the graph.
    pub nested: bool,
}

impl Workspace {
    /// All users have one storage by demand.
    pub(crate) fn is_one(&self) -> bool {
        self.sharing == Sharing::Exclusive && self.content != Content::Preserved
    }
}

/// Completes `model`: demands one place for all uses of an exclusive workspace and, where it is
/// zeroed, that the last user is over before the next fill; makes demands that name a workspace
/// demands of all its uses.
///
/// Returns a fault for each exclusive workspace with two users that nothing orders. Nothing is
/// demanded of those.
pub fn settle(model: &mut Model) -> Vec<Fault> {
    for pairs in [&mut model.aliases, &mut model.separate] {
        for at in 0..pairs.len() {
            let pair = pairs[at].clone();
            let all = [pair.a, pair.b].map(|r| instances(&model.workspaces, r));
            let each = |a| all[1].iter().map(move |&b| (a, b));
            for (a, b) in all[0].iter().flat_map(|&a| each(a)).skip(1) {
                let site = pair.site;
                pairs.push(Pair { a, b, site });
            }
        }
    }
    let shared = |w: &&Workspace| w.is_one() && w.uses.len() > 1;
    if !model.workspaces.iter().any(|w| shared(&w)) {
        return Vec::new();
    }
    // A cycle is the analysis' to report.
    let Ok(order) = Precedence::new(model) else {
        return Vec::new();
    };
    let mut faults = Vec::new();
    let (mut aliases, mut orders) = (Vec::new(), Vec::new());
    for workspace in model.workspaces.iter().filter(shared) {
        let mut uses = workspace.uses.clone();
        uses.sort_by_key(|u| order.position(u.task));
        let pairs = || uses.windows(2).map(|pair| (pair[0], pair[1]));
        if let Some((a, b)) = pairs().find(|(a, b)| !order.precedes(a.task, b.task)) {
            faults.push(unordered(model, workspace, a, b));
            continue;
        }
        let site = workspace.site;
        for (a, b) in pairs() {
            aliases.push(Pair {
                a: a.resource,
                b: b.resource,
                site,
            });
            orders.extend(b.fill.map(|fill| Order {
                before: a.task,
                after: fill,
                site,
            }));
        }
    }
    model.aliases.extend(aliases);
    model.orders.extend(orders);
    faults
}

/// The resources that a demand of `resource` means, itself first.
fn instances(workspaces: &[Workspace], resource: ResourceId) -> Vec<ResourceId> {
    let named = |w: &&Workspace| w.resource == resource && w.sharing == Sharing::PerTask;
    match workspaces.iter().find(named) {
        Some(workspace) if !workspace.uses.is_empty() => {
            workspace.uses.iter().map(|u| u.resource).collect()
        }
        _ => vec![resource],
    }
}

/// Nothing orders `a` and `b`, two users of `workspace`.
fn unordered(model: &Model, workspace: &Workspace, a: Use, b: Use) -> Fault {
    let task = |u: Use| &model.tasks[u.task.0 as usize];
    let site = |u: Use| {
        let mut of = task(u).accesses.iter();
        let access = of.find(|access| access.resource == u.resource);
        access.map_or(task(u).site, |access| access.site)
    };
    let (name, first, second) = (&workspace.name, &task(a).name, &task(b).name);
    let message =
        format!("workspace `{name}` is shared by `{first}` and `{second}`, which nothing orders");
    let fault = Fault::new(WORKSPACE_SHARED, site(b), message)
        .here(format!("`{second}` uses it here"))
        .label(site(a), format!("`{first}` uses it here"))
        .label(workspace.site, "all its users have one storage")
        .note("at the same time, each would find what the other writes");
    let fix = order_fix(model, &[(a.task, b.task)], workspace.site);
    let fault = match fix.filter(|_| !a.nested && !b.nested) {
        Some(fix) => fault.with(fix),
        None => fault,
    };
    let word = match workspace.exclusive {
        Some(word) => Edit::replace(word, "per_task"),
        None => Edit::behind(workspace.end, " per_task"),
    };
    fault.fix("declare it `{}`", [word])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Expr;
    use crate::model::{
        Access, Class, Elem, KernelKind, Launch, Mode, Resource, Rows, Task, TaskKind,
    };

    /// Two tasks that each use workspace `w`, zeroed by a fill, and a third that uses it as well.
    fn model(sharing: Sharing) -> Model {
        let mut model = Model {
            name: "G".to_owned(),
            site: Site(0),
            dims: Vec::new(),
            domains: Vec::new(),
            resources: Vec::new(),
            extents: Default::default(),
            tasks: Vec::new(),
            orders: Vec::new(),
            again: Vec::new(),
            aliases: Vec::new(),
            separate: Vec::new(),
            stable: Vec::new(),
            budget: None,
            depth: 1,
            streams: 4,
            workspaces: Vec::new(),
            declared: Default::default(),
        };
        let mut uses = Vec::new();
        for i in 0..3 {
            let resource = ResourceId(i);
            model.resources.push(Resource {
                name: format!("w#{i}"),
                class: Class::Workspace,
                elem: Elem::U8,
                domain: 0,
                shape: vec![Expr::constant(8)],
                site: Site(1),
            });
            let launch = Launch {
                kernel: 0,
                name: "f".to_owned(),
                in_place: None,
                over: Vec::new(),
                block: Vec::new(),
                shared: 0,
                params: 8,
                kind: KernelKind::Kernel,
            };
            for (name, kind, mode) in [
                ("zero", TaskKind::Fill, Mode::Overwrite),
                ("f", TaskKind::Kernel(launch), Mode::ReadWrite),
            ] {
                model.tasks.push(Task {
                    name: format!("{name}#{i}"),
                    kind,
                    accesses: vec![Access {
                        resource,
                        mode,
                        rows: Rows::All,
                        site: Site(10 + i),
                    }],
                    site: Site(20 + i),
                });
            }
            uses.push(Use {
                resource,
                task: TaskId(2 * i + 1),
                fill: Some(TaskId(2 * i)),
                nested: false,
            });
        }
        model.workspaces.push(Workspace {
            name: "w".to_owned(),
            site: Site(1),
            content: Content::Zeroed,
            sharing,
            exclusive: None,
            end: Site(2),
            resource: ResourceId(0),
            uses,
        });
        model
    }

    fn ordered(model: &mut Model, pairs: &[(u32, u32)]) {
        let order = |&(a, b): &(u32, u32)| Order {
            before: TaskId(a),
            after: TaskId(b),
            site: Site(3),
        };
        model.orders = pairs.iter().map(order).collect();
    }

    #[test]
    fn users_that_something_orders_share_one_place_and_fills_wait_for_them() {
        let mut m = model(Sharing::Exclusive);
        // Against the order of the text, and nothing of it concerns the fills.
        ordered(&mut m, &[(3, 1), (1, 5)]);
        assert_eq!(settle(&mut m), []);
        let pairs: Vec<_> = m.aliases.iter().map(|p| (p.a.0, p.b.0)).collect();
        assert_eq!(pairs, [(1, 0), (0, 2)]);
        let added: Vec<_> = m.orders[2..]
            .iter()
            .map(|o| (o.before.0, o.after.0))
            .collect();
        assert_eq!(added, [(3, 0), (1, 4)]);
        let found = crate::analyse(&m).unwrap();
        assert_eq!(found.plan.arena, crate::layout::SLOT_ALIGN);
    }

    #[test]
    fn users_that_nothing_orders_are_named_with_both_mends() {
        let mut m = model(Sharing::Exclusive);
        ordered(&mut m, &[(1, 3)]);
        let faults = settle(&mut m);
        let [fault] = &faults[..] else {
            panic!("{faults:?}")
        };
        assert_eq!((fault.code, fault.site), (WORKSPACE_SHARED, Site(12)));
        let said = "workspace `w` is shared by `f#1` and `f#2`, which nothing orders";
        assert_eq!(fault.message, said);
        assert_eq!(fault.fixes.len(), 2);
        assert!(m.aliases.is_empty());
    }

    #[test]
    fn demands_of_a_workspace_are_of_each_of_its_uses() {
        let mut m = model(Sharing::PerTask);
        let mut other = m.resources[0].clone();
        other.class = Class::Transient;
        m.resources.push(other);
        let (a, b, site) = (ResourceId(3), ResourceId(0), Site(4));
        m.separate.push(Pair { a, b, site });
        assert_eq!(settle(&mut m), []);
        let pairs: Vec<_> = m.separate.iter().map(|p| (p.a.0, p.b.0)).collect();
        assert_eq!(pairs, [(3, 0), (3, 1), (3, 2)]);
        assert!(m.aliases.is_empty() && m.orders.is_empty());
    }
}
