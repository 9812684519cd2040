//! Values that nobody reads.

use super::{Uses, shown};
use crate::fault::Fault;
use crate::fault::narrow::widened;
use crate::fault::storage::{dead_input, dead_value, never_read, never_written, no_rows, unused};
use crate::model::{Access, Class, Dim, Mode, Model, Resource, Rows, TaskKind};

/// Ranges kept apart per resource; beyond, all rows count as read.
const RANGES: usize = 16;

pub(super) fn check(model: &Model, uses: &Uses<'_>, faults: &mut Vec<Fault>) {
    for (resource, uses) in model.resources.iter().zip(&uses.0) {
        // A hold does nothing with what it names.
        let held = |t: usize| matches!(model.tasks[t].kind, TaskKind::Hold { .. });
        let uses: Vec<_> = uses.iter().copied().filter(|u| !held(u.0)).collect();
        let uses = &uses[..];
        let read = uses.iter().any(|u| u.1.mode != Mode::Overwrite);
        match resource.class {
            Class::Input | Class::InputMut if !read => {
                faults.push(unused(resource.site, "input", &resource.name))
            }
            Class::Resident if !read => {
                faults.push(unused(resource.site, "resident input", &resource.name));
            }
            Class::Input | Class::Resident => {}
            Class::Inout if uses.is_empty() => {
                let kept = model.workspaces.iter().any(|w| w.site == resource.site);
                let word = if kept { "workspace" } else { "inout" };
                faults.push(unused(resource.site, word, &resource.name));
            }
            Class::Inout if !read => faults.push(never_read(resource.site, &resource.name)),
            Class::Inout if uses.iter().all(|u| u.1.mode == Mode::Read) => {
                faults.push(never_written(resource.site, &resource.name));
            }
            // Nobody reads what a task leaves in its workspace.
            Class::Workspace if uses.is_empty() => {
                faults.push(unused(resource.site, "workspace", &resource.name));
            }
            Class::Workspace => {}
            Class::Transient | Class::Staging | Class::Reconstructable if uses.is_empty() => {
                faults.push(unused(resource.site, "resource", &resource.name));
            }
            Class::Transient | Class::Staging | Class::Reconstructable if !read => {
                faults.push(never_read(resource.site, &resource.name))
            }
            Class::Transient
            | Class::InputMut
            | Class::Reconstructable
            | Class::Staging
            | Class::Output
            | Class::Escape
            | Class::Inout => dead_values(model, resource, uses, faults),
        }
    }
}

/// Overwrites whose rows are all overwritten, or given up, before anything reads one of them. An
/// update (`&mut`) is a use: the kernel may have needed no more than room.
fn dead_values(
    model: &Model,
    resource: &Resource,
    uses: &[(usize, &Access)],
    faults: &mut Vec<Fault>,
) {
    let mut reads = Reads {
        resource,
        dims: &model.dims,
        rows: Vec::new(),
    };
    if resource.class.is_handed_out() || resource.class == Class::Inout {
        reads.add(&Rows::All);
    }
    let mut end = uses.len();
    while end > 0 {
        let task = uses[end - 1].0;
        let at = uses[..end]
            .iter()
            .rposition(|u| u.0 != task)
            .map_or(0, |i| i + 1);
        // Backwards, a task's writes come before its reads.
        for (_, access) in uses[at..end].iter().filter(|u| u.1.mode == Mode::Overwrite) {
            if access.rows.is_empty(&resource.shape[0], &model.dims) {
                let extent = &resource.shape[0];
                let (lo, hi) = access.rows.bounds(extent);
                let mend = widened(&[&lo, &hi], &model.dims, |dims| {
                    !access.rows.is_empty(extent, dims)
                });
                faults.push(no_rows(&shown(model, access), mend));
            } else if !reads.touch(&access.rows) {
                let by = uses[end..].iter().map(|u| u.1).find(|by| {
                    let extent = &resource.shape[0];
                    by.mode == Mode::Overwrite
                        && !by.rows.disjoint(&access.rows, extent, &model.dims)
                });
                let (write, by) = (shown(model, access), by.map(|by| shown(model, by)));
                let (name, declared) = (&resource.name, resource.site);
                faults.push(match model.tasks[task].kind {
                    TaskKind::Upload => dead_input(name, declared, by.as_ref()),
                    _ => dead_value(name, declared, &write, by.as_ref()),
                });
            }
            reads.overwrite(&access.rows);
        }
        for (_, access) in uses[at..end].iter().filter(|u| u.1.mode != Mode::Overwrite) {
            reads.add(&access.rows);
        }
        end = at;
    }
}

/// Rows that are read later, at least.
struct Reads<'a> {
    resource: &'a Resource,
    dims: &'a [Dim],
    rows: Vec<Rows>,
}

impl Reads<'_> {
    fn add(&mut self, rows: &Rows) {
        let extent = &self.resource.shape[0];
        if self.rows.iter().any(|r| r.covers(rows, extent, self.dims)) {
            return;
        }
        self.rows.push(rows.clone());
        if self.rows.len() > RANGES {
            self.rows = vec![Rows::All];
        }
    }

    fn overwrite(&mut self, rows: &Rows) {
        let extent = &self.resource.shape[0];
        self.rows.retain(|r| !rows.covers(r, extent, self.dims));
    }

    fn touch(&self, rows: &Rows) -> bool {
        let extent = &self.resource.shape[0];
        self.rows
            .iter()
            .any(|r| !r.disjoint(rows, extent, self.dims))
    }
}
