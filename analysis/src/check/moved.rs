//! What lies where: kernels on their side, and nothing written while it is held.

use super::{Uses, shown};
use crate::fault::Fault;
use crate::fault::calls;
use crate::fault::storage::retained;
use crate::model::{Class, Mode, Model, Task, TaskKind};

pub(super) fn check(model: &Model, uses: &Uses<'_>, faults: &mut Vec<Fault>) {
    for (t, task) in model.tasks.iter().enumerate() {
        match &task.kind {
            TaskKind::Kernel(launch) => space(model, task, &launch.name, launch.callback, faults),
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

/// Between task `since` and the hold `at` nothing writes what is held.
fn held(model: &Model, uses: &Uses<'_>, at: usize, since: usize, faults: &mut Vec<Fault>) {
    for kept in &model.tasks[at].accesses {
        let resource = &model.resources[kept.resource.0 as usize];
        let writes = uses.0[kept.resource.0 as usize].iter().filter(|(t, a)| {
            since < *t
                && *t < at
                && a.mode != Mode::Read
                && !a.rows.disjoint(&kept.rows, &resource.shape[0], &model.dims)
        });
        for (_, write) in writes {
            let holder = &model.tasks[since];
            let fault = retained(&resource.name, &shown(model, write), holder.site, kept.site);
            faults.push(fault);
        }
    }
}
