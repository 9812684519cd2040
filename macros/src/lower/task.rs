//! Calls as tasks.

mod launch;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gpu_graph_analysis::calls::{self, Arg, ArgKind, Place};
use gpu_graph_analysis::model::{Access, Mode, ResourceId, Rows, Task, TaskKind};
use syn::Lifetime;

use super::decls::{Callee, Decls, shown};
use super::demand::Demands;
use super::retain::{Pending, Promise};
use super::scope::Scope;
use super::variant::Choice;
use super::{Cx, Launched, TaskArgs, argument};
use crate::ast;

/// Tasks under construction.
pub struct Tasks<'a> {
    /// What names stand for.
    pub scope: Scope,
    /// Orders, aliases, separations and reconstructions.
    pub demands: Demands<'a>,
    /// What was made so far.
    pub done: Done,
    /// What can be called.
    pub decls: &'a Decls<'a>,
    /// The graph and what is chosen of its variants; `None` of a stage by itself.
    pub graph: Option<(&'a ast::Graph, &'a Choice)>,
    /// Only what stands here is looked at: one iteration of each loop, and no stage that is called.
    pub shallow: bool,
    /// Position in `done.kernels` of the kernels that are launched so far, by name.
    launched: BTreeMap<String, u32>,
    /// Tasks that stand before all calls: one for each input.
    uploads: u32,
    /// What calls keep until labels that are yet to come.
    pub pending: Vec<Pending>,
    /// What calls of stages around the next task keep for the calls in them.
    pub promised: Vec<Promise>,
    /// How many tasks would have each name if it had no ordinal.
    alike: BTreeMap<String, usize>,
}

/// Tasks, ready.
#[derive(Default)]
pub struct Done {
    /// In statement order, without the uploads.
    pub tasks: Vec<Task>,
    /// What each hands to its kernel.
    pub args: Vec<TaskArgs>,
    /// The kernels they launch.
    pub kernels: Vec<Launched>,
    /// No call was left out.
    pub complete: bool,
    /// Statements were left that may use any name.
    pub unseen: bool,
    /// For each variant of the graph, whether a `match` is over it.
    pub matched: Vec<bool>,
}

impl<'a> Tasks<'a> {
    /// No tasks yet, in a scope in which the graph's dims and `scalars` scalars are declared;
    /// `inputs` resources of it will be inputs.
    pub fn new(scope: Scope, decls: &'a Decls<'a>, inputs: usize) -> Self {
        Self {
            demands: Demands::default(),
            done: Done {
                complete: true,
                ..Done::default()
            },
            scope,
            decls,
            shallow: false,
            graph: None,
            launched: BTreeMap::new(),
            uploads: inputs as u32,
            pending: Vec::new(),
            promised: Vec::new(),
            alike: BTreeMap::new(),
        }
    }

    /// One task for each input, in order of declaration.
    pub fn uploads(&self) -> impl Iterator<Item = Task> {
        let inputs = self.scope.resources.iter().enumerate();
        inputs
            .filter(|(_, resource)| resource.class.is_input())
            .map(|(i, resource)| {
                let access = Access {
                    resource: ResourceId(i as u32),
                    mode: Mode::Overwrite,
                    rows: Rows::All,
                    site: resource.site,
                };
                Task {
                    name: format!("upload {}", resource.name),
                    kind: TaskKind::Upload,
                    accesses: vec![access],
                    site: resource.site,
                }
            })
    }

    /// How many tasks stand before all calls.
    pub fn before_calls(&self) -> u32 {
        self.uploads
    }

    /// The task that comes next.
    pub fn next(&self) -> u32 {
        self.uploads + self.done.tasks.len() as u32
    }

    /// Appends what `call` does, unless something was reported of it, and says which tasks that is.
    /// `place` is what its result overwrites, `Some(None)` where that was refused.
    pub fn call(
        &mut self,
        call: &'a ast::Call,
        label: Option<&Lifetime>,
        place: Option<Option<Place>>,
        cx: &mut Cx,
    ) -> Option<Range<u32>> {
        let first = self.next();
        let callee = self.decls.get(call, cx);
        let args = call.args.iter().enumerate();
        let args: Vec<_> = args
            .map(|(i, arg)| {
                let param = callee.and_then(|callee| self.decls.param(callee, i));
                argument::lower(arg, param, &mut self.scope, cx)
            })
            .collect();
        let result = place.as_ref().and_then(Option::as_ref);
        let promised = self.promise(call, callee, result, label, cx);
        let made = self.made(call, label, callee, args, place, cx);
        self.fulfilled(promised, made.is_some(), call, cx);
        if let (Some(()), Some(callee)) = (made, callee) {
            self.retentions(call, callee, label, cx);
        }
        self.done.complete &= made.is_some();
        made.map(|()| first..self.next())
    }

    fn made(
        &mut self,
        call: &'a ast::Call,
        label: Option<&Lifetime>,
        callee: Option<Callee>,
        args: Vec<Option<Arg>>,
        place: Option<Option<Place>>,
        cx: &mut Cx,
    ) -> Option<()> {
        let callee = callee?;
        if let Callee::Stage(stage) = callee {
            cx.called.insert(stage);
        }
        let refused = place == Some(None) || args.contains(&None);
        if refused && let Some(signature) = self.signature(callee) {
            // What is wrong with the other arguments is so whatever stands for these.
            let (views, dims) = (&self.scope.views, &self.scope.dims);
            let faults = calls::each(signature, &args, views, dims);
            cx.errors.extend(self.scope.of_call(faults));
        }
        let place = match place {
            None => None,
            Some(place) => Some(place?),
        };
        let args = args.into_iter().collect::<Option<Vec<_>>>()?;
        let name = match callee {
            Callee::Kernel(_) | Callee::Foreign | Callee::Copy(_) => {
                self.name(label, &shown(&call.path), &args, place.as_ref())
            }
            // What it unrolls to has names of its own.
            Callee::Stage(_) => String::new(),
        };
        let signature = self.signature(callee);
        let fewer = signature.is_some_and(|of| call.args.len() < of.params.len());
        let idle = if fewer { self.idle() } else { Vec::new() };
        let ast = call;
        let call = calls::Call {
            name,
            args,
            place,
            idle,
            end: cx.sites.push(call.close),
            site: cx.sites.push(call.region),
        };
        match callee {
            Callee::Kernel(kernel) => {
                let signature = self.decls.kernels[kernel].signature.as_ref()?;
                self.launch(signature, Launched::Here(kernel), None, call, cx)
                    .map(drop)
            }
            Callee::Foreign => self.elsewhere(ast, call, cx),
            Callee::Stage(stage) => {
                let stage = &self.decls.stages[stage];
                let Some(bound) = self.bind_stage(stage, &call, cx) else {
                    // What it holds may match any variant.
                    self.done.unseen = true;
                    return None;
                };
                match self.shallow {
                    true => Some(()),
                    false => self.stage(stage, &call, bound, cx),
                }
            }
            Callee::Copy(to) => self.copy(to, call, cx),
        }
    }

    /// What has a value, and what nothing takes yet, the nearest first.
    fn idle(&self) -> Vec<ResourceId> {
        let accesses = self.done.tasks.iter().flat_map(|task| &task.accesses);
        let whole = accesses.filter(|a| a.mode == Mode::Overwrite && a.rows == Rows::All);
        let made: BTreeSet<_> = whole.map(|access| access.resource).collect();
        self.scope.idle(|resource| made.contains(&resource))
    }

    /// What a call of `callee` is held against, where that is known here.
    fn signature(&self, callee: Callee) -> Option<&'a calls::Kernel> {
        match callee {
            Callee::Kernel(kernel) => self.decls.kernels[kernel].signature.as_ref(),
            Callee::Stage(stage) => self.decls.stages[stage].signature.as_ref(),
            Callee::Foreign | Callee::Copy(_) => None,
        }
    }

    /// What the task of a call is called: its label, or what it does to what, `y[0..h / 2] = sq` or
    /// `sq(&mut y)`; with an ordinal where another task is called so already. The iteration or call
    /// that it is in stands before the label, or before the kernel unless `y` says it.
    fn name(
        &mut self,
        label: Option<&Lifetime>,
        kernel: &str,
        args: &[Arg],
        place: Option<&Place>,
    ) -> String {
        let prefix = self.scope.prefix().to_owned();
        if let Some(label) = label {
            return format!("{prefix}{label}");
        }
        let updated = args.iter().filter_map(|arg| match &arg.kind {
            ArgKind::Ref {
                mutable: true,
                place,
            } => Some(format!("&mut {}", self.shown(place))),
            _ => None,
        });
        let updated: Vec<_> = updated.collect();
        let name = match place.map(|place| self.shown(place)) {
            Some(into) if into.starts_with(&prefix) => format!("{into} = {kernel}"),
            Some(into) => format!("{into} = {prefix}{kernel}"),
            None if updated.is_empty() => format!("{prefix}{kernel}"),
            None => format!("{prefix}{kernel}({})", updated.join(", ")),
        };
        let alike = self.alike.entry(name.clone()).or_insert(0);
        *alike += 1;
        match *alike {
            1 => name,
            nth => format!("{name} #{nth}"),
        }
    }

    /// `y[0..h / 2]`, by the name that the graph's resource has.
    fn shown(&mut self, place: &Place) -> String {
        let Ok(target) = self.scope.target(place) else {
            return String::new();
        };
        let resource = &self.scope.resources[target.resource.0 as usize];
        calls::show_place(&resource.name, &target.rows, &self.scope.dims)
    }
}
