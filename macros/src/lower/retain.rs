//! `retains x until 'task`: what a call keeps behind its end, as holds behind a later task.

use gpu_graph_analysis::fault::escapes;
use gpu_graph_analysis::model::{Access, Mode, Order, ResourceId, Site, Task, TaskId, TaskKind};
use syn::Lifetime;

use super::decls::{Callee, shown};
use super::task::Tasks;
use super::{Cx, TaskArgs, text};
use crate::ast::{self, KernelKind};

/// What a call keeps until a task that is yet to come.
pub struct Pending {
    /// Number of the label of that task.
    label: usize,
    /// The call.
    since: u32,
    /// What it keeps.
    accesses: Vec<Access>,
    /// What the hold is called.
    name: String,
    /// Where it is said.
    site: Site,
}

impl<'a> Tasks<'a> {
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
            _ => false,
        };
        // Most calls keep nothing, and could not.
        if call.retains.is_empty() && !opaque {
            return;
        }
        let name = shown(&call.path);
        if let Callee::Stage(_) = callee {
            if let Some(retain) = call.retains.first() {
                let site = cx.sites.push(retain.region);
                cx.errors.push(escapes::stage_retains(site, &name));
            }
            return;
        }
        let since = self.next() - 1;
        let Some(task) = self.done.tasks.last() else {
            return;
        };
        let (task_name, call_site, accesses) =
            (task.name.clone(), task.site, task.accesses.clone());
        let mut kept = Vec::new();
        // Not its own label.
        let beside = label.map_or(&[][..], std::slice::from_ref);
        for retain in &call.retains {
            let Some(resource) = self.scope.kept(&retain.name, cx) else {
                continue;
            };
            kept.push(resource);
            let of: Vec<_> = accesses.iter().filter(|a| a.resource == resource).collect();
            let (site, kept) = (cx.sites.push(&retain.name), text(&retain.name));
            if of.is_empty() {
                cx.errors.push(escapes::not_passed(site, &kept, &name));
                continue;
            }
            if of.iter().any(|a| a.mode != Mode::Read) {
                cx.errors.push(escapes::writes(site, &kept));
                continue;
            }
            let Some(until) = self.scope.find_label(&retain.until, beside, cx) else {
                continue;
            };
            let own = label.is_some_and(|label| label.ident == retain.until.ident);
            if own || self.demands.labels[until].is_some() {
                let site = cx.sites.push(&retain.until);
                let label = retain.until.to_string();
                let fault = escapes::not_later(site, &label, &kept, call_site);
                cx.errors.push(fault);
                continue;
            }
            self.pending.push(Pending {
                label: until,
                since,
                accesses: of.into_iter().cloned().collect(),
                name: format!("{task_name} retains {kept}"),
                site: cx.sites.push(retain.region),
            });
        }
        if let Callee::Kernel(kernel) = callee {
            self.opaque(kernel, call, &accesses, &kept, cx);
        }
    }

    /// Whether what an opaque kernel keeps is said, and when it is over known.
    fn opaque(
        &mut self,
        kernel: usize,
        call: &ast::Call,
        accesses: &[Access],
        kept: &[ResourceId],
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
            if !kept.contains(&access.resource) {
                let mut passed = call.args.iter().filter_map(|arg| match &arg.kind {
                    ast::ArgKind::Ref(_, view) => Some(text(&view.name)),
                    _ => None,
                });
                let passed = passed.nth(tensor).unwrap_or_default();
                let declared = cx.sites.push(declared);
                let fault = escapes::until_unknown(access.site, &name, &passed, declared);
                cx.errors.push(fault);
            }
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
