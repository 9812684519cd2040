//! Workspaces: each task that uses one gets a resource of its own, and zeros where they are promised.

use std::collections::BTreeMap;

use gpu_graph_analysis::calls::{Arg, ArgKind, Kernel};
use gpu_graph_analysis::fault::names::{self, Kind};
use gpu_graph_analysis::fault::workspaces::{not_workspace, not_zeroed, workspace_content};
use gpu_graph_analysis::fault::{Edit, Fault, stages, unknown};
use gpu_graph_analysis::model::{Access, Class, Mode, ResourceId, Rows, Task, TaskId, TaskKind};
use gpu_graph_analysis::workspace::{Content, Sharing, Use, Workspace};

use super::scope::Scope;
use super::task::Tasks;
use super::{Cx, TaskArgs, text};
use crate::ast::{self, ParamType};

/// The workspaces that are declared so far.
#[derive(Default)]
pub struct Workspaces {
    /// In order of declaration.
    pub list: Vec<Workspace>,
    of: BTreeMap<ResourceId, usize>,
}

/// The class of what `declare` declares.
pub fn class(declare: &ast::Declare) -> Class {
    match &declare.workspace {
        // It outlives runs, as what users leave in it is what the next one finds.
        Some(workspace) if workspace.content.0 == Content::Preserved => Class::Inout,
        _ => declare.class,
    }
}

impl Workspaces {
    /// The workspace that `resource` is declared as.
    pub fn get(&self, resource: ResourceId) -> Option<&Workspace> {
        self.of.get(&resource).map(|index| &self.list[*index])
    }

    /// Declares `resource`, which is called `name`, as the workspace `ast`. `inside` says what it
    /// stands in, if that is no graph.
    pub fn declare(
        &mut self,
        declare: (&ast::Declare, &ast::Workspace),
        name: String,
        resource: ResourceId,
        inside: Option<&str>,
        cx: &mut Cx,
    ) {
        let (declare, ast) = declare;
        if let (Some(word), Some(inside)) = (ast.content.1, inside)
            && ast.content.0 == Content::Preserved
        {
            let site = cx.sites.push(word);
            let fault = stages::misplaced(site, "preserved", inside);
            cx.errors
                .push(fault.fix("drop it here", [Edit::remove(site)]));
        }
        if let Some(word) = ast.unknown {
            let site = cx.sites.push(word);
            let fault = unknown::blocked(site, &format!("the size bound of `{name}`"));
            let help = "write a bound over dims and constants, as in `bytes(4 * n)`";
            cx.errors.push(fault.help(help));
        }
        let exclusive = ast
            .sharing
            .1
            .filter(|_| ast.sharing.0 == Sharing::Exclusive);
        self.of.insert(resource, self.list.len());
        self.list.push(Workspace {
            name,
            site: cx.sites.push(&declare.name),
            content: ast.content.0,
            sharing: ast.sharing.0,
            exclusive: exclusive.map(|word| cx.sites.push(word)),
            end: cx.sites.push(ast.region),
            resource,
            uses: Vec::new(),
        });
    }
}

/// The parameters of `kernel` that have to be zero at entry. `None` where something was reported.
pub fn zeroed(kernel: &ast::Kernel, cx: &mut Cx) -> Option<Vec<usize>> {
    let can = |param: &ast::Param| matches!(&param.ty, ParamType::Ref(e, _) if e.mutable);
    let index = |name: &proc_macro2::Ident| {
        let wanted = text(name);
        let found = kernel.params.iter().position(|p| text(&p.name) == wanted);
        if let Some(index) = found.filter(|index| can(&kernel.params[*index])) {
            return Some(index);
        }
        let site = cx.sites.push(name);
        cx.errors.push(match found {
            Some(index) => {
                let declared = cx.sites.push(kernel.params[index].region);
                let mut all = kernel.params.iter().filter(|param| can(param));
                let other = all.next().filter(|_| all.next().is_none());
                let other = other.map(|param| text(&param.name));
                let kernel = text(&kernel.name);
                not_workspace(site, &kernel, &wanted, declared, other.as_deref())
            }
            None => {
                let known: Vec<_> = kernel.params.iter().map(|p| text(&p.name)).collect();
                let known = known.iter().map(String::as_str);
                names::unknown(site, Kind::Parameter, &wanted, known)
            }
        });
        None
    };
    let params: Vec<_> = kernel.zeroed.iter().map(index).collect();
    params.into_iter().collect()
}

impl Tasks<'_> {
    /// Gives the workspaces among `accesses`, those of the next task, resources of their own, which
    /// fills make zero where that is promised. `None` where something was reported.
    pub fn work(&mut self, kernel: &Kernel, accesses: &mut [Access], cx: &mut Cx) -> Option<()> {
        let before = cx.errors.len();
        for (position, access) in accesses.iter().enumerate() {
            let workspace = self.scope.workspaces.get(access.resource);
            let zeroed = workspace.is_some_and(|w| w.content == Content::Zeroed);
            if kernel.needs_zero(position) && !zeroed {
                cx.errors.push(self.dirty(&kernel.name, access, workspace));
            }
        }
        self.no_content(accesses, cx)?;
        if cx.errors.len() > before {
            return None;
        }
        // Several views of one workspace are views of one resource.
        let mut instances = BTreeMap::new();
        for access in accesses.iter() {
            if let Some(&index) = self.scope.workspaces.of.get(&access.resource) {
                instances
                    .entry(access.resource)
                    .or_insert_with(|| self.instance(index));
            }
        }
        let task = TaskId(self.next());
        for (resource, (instance, fill)) in &instances {
            let index = self.scope.workspaces.of[resource];
            let nested = self.scope.inside().is_some();
            let workspace = &mut self.scope.workspaces.list[index];
            workspace.uses.push(Use {
                resource: *instance,
                task,
                fill: *fill,
                nested,
            });
            for access in accesses.iter_mut().filter(|a| a.resource == *resource) {
                access.resource = *instance;
                if workspace.content == Content::Dead {
                    access.mode = Mode::Overwrite;
                }
            }
        }
        Some(())
    }

    /// None of `accesses` reads a workspace, or writes it for others; `None` where one does.
    pub fn no_content(&self, accesses: &[Access], cx: &mut Cx) -> Option<()> {
        let before = cx.errors.len();
        for access in accesses.iter().filter(|a| a.mode != Mode::ReadWrite) {
            if let Some(w) = self.scope.workspaces.get(access.resource) {
                let fault = workspace_content(access.site, &w.name, w.site, access.mode);
                cx.errors.push(fault);
            }
        }
        (cx.errors.len() == before).then_some(())
    }

    /// Whether what `arg` passes is zero when a task begins.
    pub fn is_zeroed(&self, arg: &Arg) -> bool {
        let ArgKind::Ref { place, .. } = &arg.kind else {
            return false;
        };
        let resource = self.scope.behind(place.resource);
        let workspace = resource.and_then(|resource| self.scope.workspaces.get(resource));
        workspace.is_some_and(|w| w.content == Content::Zeroed)
    }

    /// The resource of the next use of workspace number `index`, and the fill that zeroes it.
    fn instance(&mut self, index: usize) -> (ResourceId, Option<TaskId>) {
        let workspace = &self.scope.workspaces.list[index];
        let first = workspace.uses.is_empty() || workspace.content == Content::Preserved;
        let mut instance = workspace.resource;
        if !first {
            let mut own = self.scope.resources[instance.0 as usize].clone();
            own.name = format!("{}#{}", own.name, workspace.uses.len() + 1);
            instance = ResourceId(self.scope.resources.len() as u32);
            self.scope.resources.push(own);
        }
        let zeroed = self.scope.workspaces.list[index].content == Content::Zeroed;
        (instance, zeroed.then(|| self.fill(instance)))
    }

    /// Appends the task that makes all of `resource` zero.
    fn fill(&mut self, resource: ResourceId) -> TaskId {
        let of = &self.scope.resources[resource.0 as usize];
        let access = Access {
            resource,
            mode: Mode::Overwrite,
            rows: Rows::All,
            site: of.site,
        };
        let fill = TaskId(self.next());
        self.done.tasks.push(Task {
            name: format!("zero {}", of.name),
            kind: TaskKind::Fill,
            accesses: vec![access],
            site: of.site,
        });
        self.done.args.push(TaskArgs::default());
        fill
    }

    /// `kernel` needs zeros in what `access` passes, and does not find them.
    fn dirty(&self, kernel: &str, access: &Access, workspace: Option<&Workspace>) -> Fault {
        let resource = &self.scope.resources[access.resource.0 as usize];
        let user = workspace.and_then(|w| w.uses.last()).and_then(|last| {
            let task = self
                .done
                .tasks
                .get((last.task.0 - self.before_calls()) as usize)?;
            let mut of = task.accesses.iter();
            let access = of.find(|access| access.resource == last.resource)?;
            Some((access.site, task.name.as_str()))
        });
        let (site, name) = (access.site, &resource.name);
        not_zeroed(site, kernel, name, resource.site, workspace, user)
    }
}

impl Scope {
    /// What is being unrolled here, if that is no graph.
    pub fn inside(&self) -> Option<&'static str> {
        let inner = self.frames.get(2..)?.last()?;
        Some(match (&inner.stage, &inner.settled) {
            (Some(_), _) => "a stage",
            (None, Some(_)) => "an arm",
            (None, None) => "a loop",
        })
    }
}
