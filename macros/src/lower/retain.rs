//! `retains x until 'task`: what a call keeps behind its end, as holds behind a later task.
//!
//! What a call of a stage retains is a promise: the opaque calls in it, wherever they are, that keep
//! what they are passed need say no more.

use gpu_graph_analysis::calls::Place;
use gpu_graph_analysis::fault::escapes;
use gpu_graph_analysis::model::{Access, Mode, Order, ResourceId, Site, Task, TaskId, TaskKind};
use syn::Lifetime;

use super::decls::{Callee, shown};
use super::task::Tasks;
use super::{Cx, TaskArgs, text};
use crate::ast::{self, KernelKind, Retain};

/// What a call keeps until a task that is yet to come.
pub struct Pending {
    /// Number of the label of that task.
    label: usize,
    /// The call.
    since: u32,
    /// What it keeps.
    pub accesses: Vec<Access>,
    /// What the hold is called.
    name: String,
    /// Where it is said.
    site: Site,
}

/// What a call of a stage keeps for the calls in it.
pub struct Promise {
    resource: ResourceId,
    /// What it is called where that is said.
    name: String,
    /// Number of the label until which.
    label: usize,
    site: Site,
    /// A call in the stage keeps it.
    taken: bool,
}

impl<'a> Tasks<'a> {
    /// Notes what `call` of a stage keeps for the calls in it, before these are made. Gives what
    /// [`fulfilled`](Self::fulfilled) takes.
    pub fn promise(
        &mut self,
        call: &'a ast::Call,
        callee: Option<Callee>,
        place: Option<&Place>,
        label: Option<&Lifetime>,
        cx: &mut Cx,
    ) -> usize {
        let mark = self.promised.len();
        let Some(Callee::Stage(_)) = callee else {
            return mark;
        };
        let name = shown(&call.path);
        let passed = call.args.iter().filter_map(|arg| match &arg.kind {
            ast::ArgKind::Ref(_, view) => self.scope.target_of(&view.name),
            _ => None,
        });
        let result = place.and_then(|place| self.scope.behind(place.resource));
        let passed: Vec<_> = passed.chain(result).collect();
        let site = cx.sites.push(call.region);
        for retain in &call.retains {
            let Some(resource) = self.scope.kept(&retain.name, cx) else {
                continue;
            };
            let shown = text(&retain.name);
            if !passed.contains(&resource) {
                let site = cx.sites.push(&retain.name);
                cx.errors.push(escapes::not_passed(site, &shown, &name));
                continue;
            }
            if let Some(label) = self.until(retain, label, site, cx) {
                self.promised.push(Promise {
                    resource,
                    name: shown,
                    label,
                    site: cx.sites.push(retain.region),
                    taken: false,
                });
            }
        }
        mark
    }

    /// Takes back what was promised since `mark` for the calls in `stage`; reported where none of
    /// them keeps it, if they were `made`.
    pub fn fulfilled(&mut self, mark: usize, made: bool, call: &ast::Call, cx: &mut Cx) {
        let looked = made && !self.shallow;
        for promise in self.promised.drain(mark..) {
            if looked && !promise.taken {
                let stage = shown(&call.path);
                let fault = escapes::stage_keeps_nothing(promise.site, &promise.name, &stage);
                cx.errors.push(fault);
            }
        }
    }

    /// The number of the label that `retain` names, said of a call at `call` with the label `own`;
    /// reported where it is not behind that.
    fn until(
        &self,
        retain: &Retain,
        own: Option<&Lifetime>,
        call: Site,
        cx: &mut Cx,
    ) -> Option<usize> {
        // Not its own label.
        let beside = own.map_or(&[][..], std::slice::from_ref);
        let until = self.scope.find_label(&retain.until, beside, cx)?;
        let own = own.is_some_and(|label| label.ident == retain.until.ident);
        if own || self.demands.labels[until].is_some() {
            let site = cx.sites.push(&retain.until);
            let (label, kept) = (retain.until.to_string(), text(&retain.name));
            cx.errors
                .push(escapes::not_later(site, &label, &kept, call));
            return None;
        }
        Some(until)
    }

    /// Notes what `call`, the task before the next one, keeps.
    pub fn retentions(
        &mut self,
        call: &'a ast::Call,
        callee: Callee,
        label: Option<&Lifetime>,
        cx: &mut Cx,
    ) {
        let opaque = match callee {
            Callee::Kernel(kernel) => self.decls.kernels[kernel].ast.kind == KernelKind::Opaque,
            // The calls in it have taken what it keeps.
            Callee::Stage(_) => return,
            _ => false,
        };
        // Most calls keep nothing, and could not.
        if call.retains.is_empty() && !opaque {
            return;
        }
        let name = shown(&call.path);
        let Some(task) = self.done.tasks.last() else {
            return;
        };
        let (call_site, accesses) = (task.site, task.accesses.clone());
        let mut kept: Vec<(ResourceId, Site)> = Vec::new();
        for retain in &call.retains {
            let Some(resource) = self.scope.kept(&retain.name, cx) else {
                continue;
            };
            let (site, shown) = (cx.sites.push(&retain.name), text(&retain.name));
            if let Some((_, first)) = kept.iter().find(|(of, _)| *of == resource) {
                cx.errors
                    .push(escapes::retained_twice(site, &shown, *first));
                continue;
            }
            kept.push((resource, site));
            if !accesses.iter().any(|a| a.resource == resource) {
                cx.errors.push(escapes::not_passed(site, &shown, &name));
                continue;
            }
            if let Some(until) = self.until(retain, label, call_site, cx) {
                let site = cx.sites.push(retain.region);
                self.keep(resource, &shown, until, site);
            }
        }
        if let Callee::Kernel(kernel) = callee {
            let kept: Vec<_> = kept.into_iter().map(|(resource, _)| resource).collect();
            self.opaque(kernel, call, &accesses, kept, cx);
        }
    }

    /// Keeps what the task before the next one accesses of `resource`, called `name`, until the label
    /// of number `until`.
    fn keep(&mut self, resource: ResourceId, name: &str, until: usize, site: Site) {
        let since = self.next() - 1;
        let Some(task) = self.done.tasks.last() else {
            return;
        };
        let accesses = task.accesses.iter().filter(|a| a.resource == resource);
        // What is written behind the call is not written anew: what the call left stays in part.
        let kept = accesses.cloned().map(|access| Access {
            mode: match access.mode {
                Mode::Read => Mode::Read,
                Mode::ReadWrite | Mode::Overwrite => Mode::ReadWrite,
            },
            ..access
        });
        self.pending.push(Pending {
            label: until,
            since,
            accesses: kept.collect(),
            name: format!("{} retains {name}", task.name),
            site,
        });
    }

    /// Whether what an opaque kernel keeps is said, here or at the call of a stage around it, and
    /// when it is over known.
    fn opaque(
        &mut self,
        kernel: usize,
        call: &ast::Call,
        accesses: &[Access],
        mut kept: Vec<ResourceId>,
        cx: &mut Cx,
    ) {
        let decl = &self.decls.kernels[kernel];
        let name = text(&decl.ast.name);
        if let Some(completion) = decl.ast.completion {
            let (site, declared) = (cx.sites.push(&call.path), cx.sites.push(completion));
            let fault = escapes::completion_unknown(site, &name, declared);
            cx.errors.push(fault);
        }
        for (&tensor, declared) in decl.retains.iter().zip(&decl.ast.retains) {
            let Some(access) = accesses.get(tensor) else {
                continue;
            };
            if kept.contains(&access.resource) {
                continue;
            }
            let mut promised = self.promised.iter_mut().rev();
            if let Some(promise) = promised.find(|p| p.resource == access.resource) {
                promise.taken = true;
                let (shown, until, site) = (promise.name.clone(), promise.label, promise.site);
                kept.push(access.resource);
                self.keep(access.resource, &shown, until, site);
                continue;
            }
            let mut passed = call.args.iter().filter_map(|arg| match &arg.kind {
                ast::ArgKind::Ref(_, view) => Some(text(&view.name)),
                _ => None,
            });
            let result = || {
                let resource = &self.scope.resources[access.resource.0 as usize];
                resource.name.clone()
            };
            let passed = passed.nth(tensor).unwrap_or_else(result);
            let declared = cx.sites.push(declared);
            let fault = escapes::until_unknown(access.site, &name, &passed, declared);
            cx.errors.push(fault);
        }
    }

    /// Ends what is kept until the label of that number, whose tasks are there now: a hold for
    /// each, behind all of them, which the label then stands for as well.
    pub fn release(&mut self, label: usize) {
        let Some(tasks) = self.demands.labels[label].clone() else {
            return;
        };
        let Some(site) = self.done.tasks.last().map(|task| task.site) else {
            return;
        };
        let (ready, pending) = std::mem::take(&mut self.pending)
            .into_iter()
            .partition::<Vec<_>, _>(|pending| pending.label == label);
        self.pending = pending;
        for held in ready {
            let hold = self.next();
            let order = |before, after| Order {
                before: TaskId(before),
                after: TaskId(after),
                site: held.site,
            };
            for task in tasks.clone() {
                self.demands.direct.push(order(held.since, task));
                self.demands.direct.push(order(task, hold));
            }
            let until = |access: Access| Access { site, ..access };
            self.done.tasks.push(Task {
                name: held.name,
                kind: TaskKind::Hold {
                    since: TaskId(held.since),
                },
                accesses: held.accesses.into_iter().map(until).collect(),
                site: held.site,
            });
            self.done.args.push(TaskArgs::default());
        }
        self.demands.labels[label] = Some(tasks.start..self.next());
    }
}
