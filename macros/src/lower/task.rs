//! Calls as tasks.

use std::collections::BTreeMap;

use gpu_graph_analysis::calls::{self, Arg, ArgKind, Place};
use gpu_graph_analysis::fault::names::{self, Kind};
use gpu_graph_analysis::model::{Access, Class, Mode, ResourceId, Rows, Task, TaskKind};
use quote::ToTokens;
use syn::Lifetime;

use super::names::Names;
use super::scope::Scope;
use super::{Cx, KernelDecl, TaskArgs, argument, text};
use crate::ast::{self, Stmt};

/// Tasks under construction.
pub struct Tasks<'a> {
    scope: &'a Scope<'a>,
    decls: &'a [KernelDecl<'a>],
    /// The first kernel of each name.
    kernels: BTreeMap<String, usize>,
    /// Position in `done.kernels` of the kernels that are launched so far.
    launched: BTreeMap<usize, u32>,
    /// Resources declared by the statements so far.
    declared: usize,
    /// How many tasks would have each name if it had no ordinal.
    alike: BTreeMap<String, usize>,
    done: Done,
}

/// Tasks, ready.
pub struct Done {
    /// In statement order, uploads first.
    pub tasks: Vec<Task>,
    /// What each hands to its kernel.
    pub args: Vec<TaskArgs>,
    /// The kernels they launch.
    pub kernels: Vec<usize>,
    /// Their labels.
    pub labels: Names,
    /// No call was left out.
    pub complete: bool,
    /// For each scalar of the graph, whether a call takes it.
    pub used: Vec<bool>,
}

impl<'a> Tasks<'a> {
    /// No tasks yet.
    pub fn new(scope: &'a Scope<'a>, decls: &'a [KernelDecl<'a>]) -> Self {
        let done = Done {
            tasks: Vec::new(),
            args: Vec::new(),
            kernels: Vec::new(),
            labels: Names::default(),
            complete: true,
            used: vec![false; scope.scalars.len()],
        };
        let mut kernels = BTreeMap::new();
        for (i, decl) in decls.iter().enumerate() {
            kernels.entry(text(&decl.ast.name)).or_insert(i);
        }
        Self {
            scope,
            decls,
            kernels,
            launched: BTreeMap::new(),
            declared: 0,
            alike: BTreeMap::new(),
            done,
        }
    }

    /// Appends a task.
    pub fn push(&mut self, task: Task, args: TaskArgs) {
        self.done.tasks.push(task);
        self.done.args.push(args);
    }

    /// The tasks.
    pub fn finish(self) -> Done {
        self.done
    }

    /// Appends the task of each call.
    pub fn statements(&mut self, stmts: &[Stmt], cx: &mut Cx) {
        for stmt in stmts {
            match stmt {
                Stmt::Declare(declare) => {
                    let resource = self.declared;
                    self.declared += 1;
                    if let Some(call) = &declare.call {
                        let place = Some(self.whole(resource));
                        self.call(&declare.label, call, place, cx);
                    }
                }
                Stmt::Task(task) => {
                    let view = task.place.as_ref();
                    let place = view.map(|view| self.scope.place(view, self.declared, cx));
                    self.call(&task.label, &task.call, place, cx);
                }
            }
        }
    }

    /// What the next task is called: its label, or what it does to what, `y[0..h / 2] = sq` or
    /// `sq(&mut y)`; with an ordinal where another task is called so already.
    fn name(
        &mut self,
        label: &Option<Lifetime>,
        call: &ast::Call,
        args: &[Option<Arg>],
        place: &Option<Option<Place>>,
        cx: &mut Cx,
    ) -> String {
        if let Some(label) = label {
            let task = self.done.tasks.len();
            self.done
                .labels
                .declare(Kind::Label, task, label.to_string(), label, cx);
            return label.to_string();
        }
        let kernel = shown(&call.path);
        let updated = args.iter().flatten().filter_map(|arg| match &arg.kind {
            ArgKind::Ref {
                mutable: true,
                place,
            } => Some(format!("&mut {}", self.view(place))),
            _ => None,
        });
        let updated: Vec<_> = updated.collect();
        let name = match place {
            Some(Some(place)) => format!("{} = {kernel}", self.view(place)),
            _ if updated.is_empty() => kernel,
            _ => format!("{kernel}({})", updated.join(", ")),
        };
        let alike = self.alike.entry(name.clone()).or_insert(0);
        *alike += 1;
        match *alike {
            1 => name,
            nth => format!("{name} #{nth}"),
        }
    }

    /// `y[0..h / 2]`.
    fn view(&self, place: &Place) -> String {
        let resource = &self.scope.resources[place.resource.0 as usize];
        calls::show_place(&resource.name, &place.rows, &self.scope.dims)
    }

    /// One task for each input, in order of declaration.
    pub fn uploads(&mut self) {
        for (i, resource) in self.scope.resources.iter().enumerate() {
            if resource.class != Class::Input {
                continue;
            }
            let access = Access {
                resource: ResourceId(i as u32),
                mode: Mode::Overwrite,
                rows: Rows::All,
                site: resource.site,
            };
            let task = Task {
                name: format!("upload {}", resource.name),
                kind: TaskKind::Upload,
                accesses: vec![access],
                site: resource.site,
            };
            self.push(task, TaskArgs::default());
        }
    }

    /// All of a resource, where it is declared.
    fn whole(&self, resource: usize) -> Option<Place> {
        let site = self.scope.resources.get(resource)?.site;
        let place = Place {
            resource: ResourceId(resource as u32),
            rows: Rows::All,
            site,
            rows_site: site,
        };
        self.scope.is_sound(&place).then_some(place)
    }

    /// Appends the task of `call`, unless something was reported of it. `place` is what its result
    /// overwrites, `Some(None)` where that was refused.
    fn call(
        &mut self,
        label: &Option<Lifetime>,
        call: &ast::Call,
        place: Option<Option<Place>>,
        cx: &mut Cx,
    ) {
        let kernel = self.kernel(&call.path, cx);
        let args = call
            .args
            .iter()
            .map(|arg| argument::lower(arg, self.scope, self.declared, cx));
        let args: Vec<_> = args.collect();
        self.use_scalars(&args);
        let name = self.name(label, call, &args, &place, cx);
        let task = self.bind(call, name, kernel, args, place, cx);
        match task {
            Some((task, args)) => self.push(task, args),
            None => self.done.complete = false,
        }
    }

    /// The calls name scalars, whether or not the rest of them is in order.
    fn use_scalars(&mut self, args: &[Option<Arg>]) {
        for arg in args.iter().flatten() {
            if let ArgKind::Scalar { index, .. } = arg.kind {
                self.done.used[index as usize] = true;
            }
        }
    }

    fn bind(
        &mut self,
        call: &ast::Call,
        name: String,
        kernel: Option<usize>,
        args: Vec<Option<Arg>>,
        place: Option<Option<Place>>,
        cx: &mut Cx,
    ) -> Option<(Task, TaskArgs)> {
        let kernel = kernel?;
        let signature = self.decls[kernel].signature.as_ref()?;
        let place = match place {
            None => None,
            Some(place) => Some(place?),
        };
        let call = calls::Call {
            name,
            args: args.into_iter().collect::<Option<_>>()?,
            place,
            end: cx.sites.push(call.close),
            site: cx.sites.push(call.region),
        };
        let next = self.done.kernels.len();
        let index = self.launched.get(&kernel).copied().unwrap_or(next as u32);
        let (resources, dims) = (&self.scope.resources, &self.scope.dims);
        match calls::bind(signature, index, &call, resources, dims) {
            Err(faults) => {
                cx.errors.extend(faults);
                None
            }
            Ok(bound) => {
                if index as usize == next {
                    self.launched.insert(kernel, index);
                    self.done.kernels.push(kernel);
                }
                let task = Task {
                    name: call.name,
                    kind: TaskKind::Kernel(bound.launch),
                    accesses: bound.accesses,
                    site: call.site,
                };
                Some((
                    task,
                    TaskArgs {
                        scalars: bound.scalars,
                        dims: bound.dims,
                    },
                ))
            }
        }
    }

    /// Which kernel `path` names.
    fn kernel(&self, path: &syn::Path, cx: &mut Cx) -> Option<usize> {
        let name = shown(path);
        if let Some(found) = self.kernels.get(name.as_str()) {
            return Some(*found);
        }
        if cx.partial {
            return None;
        }
        let site = cx.sites.push(path);
        let known = self.decls.iter().map(|decl| text(&decl.ast.name));
        let known: Vec<_> = known.collect();
        let known = known.iter().map(String::as_str);
        let fault = names::unknown(site, Kind::Kernel, &name, known);
        cx.errors.push(if path.segments.len() > 1 {
            fault.note("a kernel of another `gpu_graph!` cannot be called yet")
        } else {
            fault
        });
        None
    }
}

/// The path as one would write it.
fn shown(path: &syn::Path) -> String {
    match path.get_ident() {
        Some(name) => text(name),
        None => path.to_token_stream().to_string().replace(" :: ", "::"),
    }
}
