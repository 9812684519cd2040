//! Within one task an access that writes overlaps no other access of that task.

use super::shown;
use crate::fault::Fault;
use crate::fault::storage::overlap;
use crate::model::{Mode, Model, Resource, TaskKind};

/// Gives the resources of which that is refused.
pub(super) fn check<'m>(model: &'m Model, faults: &mut Vec<Fault>) -> Vec<&'m Resource> {
    let mut twice = Vec::new();
    for task in &model.tasks {
        for (i, second) in task.accesses.iter().enumerate() {
            for first in &task.accesses[..i] {
                let reads = first.mode == Mode::Read && second.mode == Mode::Read;
                if first.resource != second.resource || reads {
                    continue;
                }
                let resource = &model.resources[first.resource.0 as usize];
                let extent = &resource.shape[0];
                if !first.rows.disjoint(&second.rows, extent, &model.dims) {
                    let (first, second) = (shown(model, first), shown(model, second));
                    let name = match &task.kind {
                        TaskKind::Kernel(launch) => &launch.name,
                        _ => &task.name,
                    };
                    faults.push(overlap(name, &first, &second));
                    twice.push(resource);
                }
            }
        }
    }
    twice
}
