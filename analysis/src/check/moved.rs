//! What lies where: kernels on their side, and nothing written while it is held.

use super::{Uses, shown};
use crate::fault::Fault;
use crate::fault::calls;
use crate::fault::storage::{retained, unfinished};
use crate::model::{Class, KernelKind, Mode, Model, Task, TaskKind};

pub(super) fn check(model: &Model, uses: &Uses<'_>, faults: &mut Vec<Fault>) {
    for (t, task) in model.tasks.iter().enumerate() {
        match &task.kind {
            TaskKind::Kernel(launch) => space(
                model,
                task,
                &launch.name,
                launch.kind == KernelKind::Callback,
                faults,
            ),
            TaskKind::Hold { since } => held(model, uses, t, since.0 as usize, faults),
            TaskKind::Upload | TaskKind::Fill | TaskKind::Copy => {}
        }
    }
}

/// A callback reaches staging alone, and no other kernel does.
fn space(model: &Model, task: &Task, kernel: &str, callback: bool, faults: &mut Vec<Fault>) {
    for access in &task.accesses {
        let resource = &model.resources[access.resource.0 as usize];
        if (resource.class == Class::Staging) != callback {
            let (name, read) = (&resource.name, access.mode == Mode::Read);
            let fault = calls::space(access.site, kernel, callback, name, resource.site, read);
            faults.push(fault);
        }
    }
}

/// Between task `since` and the hold `at` nothing writes what is held, and nothing touches what is
/// being written.
fn held(model: &Model, uses: &Uses<'_>, at: usize, since: usize, faults: &mut Vec<Fault>) {
    for kept in &model.tasks[at].accesses {
        let resource = &model.resources[kept.resource.0 as usize];
        let open = kept.mode != Mode::Read;
        let between = uses.0[kept.resource.0 as usize].iter().filter(|(t, a)| {
            since < *t
                && *t < at
                && (open || a.mode != Mode::Read)
                && !a.rows.disjoint(&kept.rows, &resource.shape[0], &model.dims)
        });
        for (t, access) in between {
            // Another hold of the same is said by itself.
            if matches!(model.tasks[*t].kind, TaskKind::Hold { .. }) {
                continue;
            }
            let (name, access) = (&resource.name, shown(model, access));
            let holder = model.tasks[since].site;
            faults.push(match open {
                true => unfinished(name, &access, holder, kept.site),
                false => retained(name, &access, holder, kept.site),
            });
        }
    }
}
