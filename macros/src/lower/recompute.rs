//! What may be made again, and what is demanded to be.

use gpu_graph_analysis::fault::recompute::{Remade, not_a_function};
use gpu_graph_analysis::fault::{Part, names};
use gpu_graph_analysis::model::{Again, Class, Mode, ResourceId, TaskId, TaskKind};
use gpu_graph_analysis::plan::Graph;

use super::demand::Demands;
use super::scope::Scope;
use super::task::Done;
use super::{Cx, Decls, Launched, TaskArgs};
use crate::ast::{self, KernelKind};

/// `recompute t before 'z`, where the label may stand for tasks that are yet to come.
pub struct Demand<'a> {
    value: ResourceId,
    /// Number of the label.
    label: usize,
    ast: &'a ast::Recompute,
}

impl<'a> Demands<'a> {
    /// The reconstructions that `body` demands, each once.
    pub(super) fn recomputes(&mut self, body: &'a ast::Body, scope: &Scope, cx: &mut Cx) {
        let since = self.again.len();
        for ast in &body.recomputes {
            let label = scope.find_label(&ast.before, &[], cx);
            let (Some(value), Some(label)) = (scope.resource(&ast.name, cx), label) else {
                continue;
            };
            let mut before = self.again[since..].iter();
            if let Some(first) = before.find(|d| (d.value, d.label) == (value, label)) {
                let [site, first] = [&ast.name, &first.ast.name].map(|name| cx.sites.push(name));
                let fault = names::repeated(site, "recompute", first, Part::Statement);
                cx.errors
                    .push(fault.note("either demands the same value before the same task"));
                self.beside += 1;
                continue;
            }
            self.again.push(Demand { value, label, ast });
        }
    }

    /// Each before the first task of its label that reads the value, or else before the first one.
    /// The first of `done` is task number `first`.
    pub fn again(&self, done: &Done, first: u32, cx: &mut Cx) -> Vec<Again> {
        let reads = |t: &u32, value: ResourceId| {
            let task = t
                .checked_sub(first)
                .and_then(|t| done.tasks.get(t as usize));
            let mut of = task.into_iter().flat_map(|task| &task.accesses);
            of.any(|a| a.resource == value && a.mode == Mode::Read)
        };
        let each = self.again.iter().filter_map(|demand| {
            let tasks = self.labels[demand.label].clone()?;
            let reader = tasks.clone().find(|t| reads(t, demand.value));
            Some(Again {
                value: demand.value,
                before: TaskId(reader.unwrap_or(tasks.start)),
                label: demand.ast.before.to_string(),
                site: cx.sites.push(&demand.ast.name),
                at: cx.sites.push(&demand.ast.before),
            })
        });
        each.collect()
    }
}

/// Refuses what may be made again, and is made by what is not known to do the same each time.
pub fn functions(
    scope: &Scope,
    done: &Done,
    demands: &Demands<'_>,
    decls: &Decls<'_>,
    cx: &mut Cx,
) {
    for task in &done.tasks {
        let TaskKind::Kernel(launch) = &task.kind else {
            continue;
        };
        let Launched::Here(k) = &done.kernels[launch.kernel as usize] else {
            continue;
        };
        let what = match decls.kernels[*k].ast.kind {
            KernelKind::Opaque => "an opaque kernel",
            KernelKind::Collective => "a collective",
            KernelKind::Kernel | KernelKind::Callback => continue,
        };
        for access in task.accesses.iter().filter(|a| a.mode != Mode::Read) {
            let of = &scope.resources[access.resource.0 as usize];
            if of.class == Class::Reconstructable {
                let again = demands.again.iter();
                let again = again.filter(|demand| demand.value == access.resource);
                let demanded: Vec<_> = again.map(|d| cx.sites.push(&d.ast.name)).collect();
                let value = Remade {
                    name: &of.name,
                    declared: of.site,
                    demanded: &demanded,
                };
                let fault = not_a_function(task.site, value, &launch.name, what);
                cx.errors.push(fault);
            }
        }
    }
}

/// What each task of `graph` hands to its kernel: what the task hands over of which it is a copy.
pub fn handed_over(graph: &Graph, args: &[TaskArgs]) -> Vec<TaskArgs> {
    let of = graph.origin.iter().map(|t| args[t.0 as usize].clone());
    of.collect()
}
