//! What may be made again is made by one call that does the same each time.

use super::Uses;
use crate::fault::Fault;
use crate::fault::recompute::{Remade, changed_later, changes_other, not_one_call};
use crate::model::{Class, Mode, Model, ResourceId, Site, TaskKind};

pub(super) fn check(model: &Model, uses: &Uses<'_>, faults: &mut Vec<Fault>) {
    for ((id, resource), uses) in (0..).zip(&model.resources).zip(&uses.0) {
        if resource.class != Class::Reconstructable {
            continue;
        }
        let demanded = model.again.iter().filter(|a| a.value == ResourceId(id));
        let demanded: Vec<Site> = demanded.map(|again| again.site).collect();
        let value = Remade {
            name: &resource.name,
            declared: resource.site,
            demanded: &demanded,
        };
        let held = |t: usize| matches!(model.tasks[t].kind, TaskKind::Hold { .. });
        let mut writes = uses
            .iter()
            .filter(|(t, a)| a.mode != Mode::Read && !held(*t));
        let Some(&(maker, made)) = writes.next() else {
            // That nothing fills it is another fault.
            continue;
        };
        let task = &model.tasks[maker];
        let later: Vec<_> = writes.collect();
        let extent = resource.shape.first();
        let whole = extent.is_some_and(|rows| made.rows.is_all(rows, &model.dims));
        let TaskKind::Kernel(launch) = &task.kind else {
            faults.push(not_one_call(value, &[made.site]));
            continue;
        };
        if !whole || made.mode != Mode::Overwrite {
            let sites = later.iter().map(|(_, access)| access.site);
            let sites: Vec<Site> = [made.site].into_iter().chain(sites).collect();
            faults.push(not_one_call(value, &sites));
            continue;
        }
        if let Some((by, access)) = later.first() {
            let by = &model.tasks[*by].name;
            faults.push(changed_later(access.site, value, by));
            continue;
        }
        let of = |r: u32| &model.resources[r as usize];
        let mut others = task.accesses.iter().filter(|a| {
            let room = of(a.resource.0).class == Class::Workspace;
            a.mode != Mode::Read && a.resource != made.resource && !room
        });
        if let Some(other) = others.next() {
            let changed = &of(other.resource.0).name;
            faults.push(changes_other(other.site, value, &launch.name, changed));
        }
    }
}
