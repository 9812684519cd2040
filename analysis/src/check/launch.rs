//! Launches within what a device can do, at the bounds of the dims.

use std::collections::BTreeSet;

use super::size::negative;
use crate::fault::narrow::narrowed;
use crate::fault::{Fault, sizes};
use crate::limits;
use crate::model::{Launch, Model, Resource, Task, TaskKind};

pub(super) fn check(model: &Model, faults: &mut Vec<Fault>) {
    let mut seen = BTreeSet::new();
    for task in &model.tasks {
        if let TaskKind::Kernel(launch) = &task.kind {
            // What depends on the kernel alone is said once.
            if seen.insert(launch.kernel) {
                kernel(task, launch, faults);
            }
            grid(model, task, launch, faults);
        }
    }
}

fn kernel(task: &Task, launch: &Launch, faults: &mut Vec<Fault>) {
    let (params, shared) = (u64::from(launch.params), u64::from(launch.shared));
    if params > limits::PARAMETER_BYTES {
        let limit = limits::PARAMETER_BYTES;
        faults.push(sizes::parameter_block(
            task.site,
            &launch.name,
            params,
            limit,
        ));
    }
    if shared > limits::SHARED_BYTES {
        let limit = limits::SHARED_BYTES;
        faults.push(sizes::shared_memory(task.site, &launch.name, shared, limit));
    }
    if let Some((what, limit)) = limits::block_fault(launch.over.len(), &launch.block) {
        faults.push(sizes::geometry(task.site, &launch.name, what, limit));
    }
}

fn grid(model: &Model, task: &Task, launch: &Launch, faults: &mut Vec<Fault>) {
    if launch.over.len() != launch.block.len() {
        return;
    }
    let axes = launch.over.iter().zip(&launch.block).rev();
    for ((extent, &block), (axis, most)) in axes.zip(limits::AXES.iter().zip(limits::GRID)) {
        let fits = |(min, max): (i128, i128)| {
            let threads = u64::try_from(max).unwrap_or(u64::MAX);
            min >= 1 && limits::blocks(threads, block.into()) <= most
        };
        // Most launches are right by far or wrong at a corner, and exact bounds cost more.
        let corners = extent.corners(&model.dims).into_iter().flatten();
        let wrong = corners
            .map(|value| (value, value))
            .find(|value| !fits(*value));
        if wrong.is_none() && fits(extent.bracket_over(&model.dims)) {
            continue;
        }
        let (min, max) = wrong.unwrap_or_else(|| extent.range_over(&model.dims));
        let text = extent.display(&model.dims).to_string();
        let mut fault = |what: String, limit: String, help: &str| {
            let mend = narrowed(&[extent], &model.dims, |d| fits(extent.range_over(d)));
            let fault = sizes::geometry(task.site, &launch.name, what, limit);
            faults.push(fault.fix_or(mend, help));
        };
        if min < 1 {
            // A resource of so many rows is refused for the same reason.
            let rows = |r: &Resource| r.shape.contains(extent);
            if negative(extent, &model.dims) && model.resources.iter().any(rows) {
                continue;
            }
            let limit = format!("the index space `{text}` along {axis} may be {min}");
            fault(
                "may have no thread".to_owned(),
                limit,
                "use another index space",
            );
            continue;
        }
        let threads = u64::try_from(max).unwrap_or(u64::MAX);
        let blocks = limits::blocks(threads, block.into());
        if blocks > most {
            let what = format!("needs {blocks} blocks along {axis}, {most} are possible");
            let limit =
                format!("the index space `{text}` has up to {max} threads, {block} to a block");
            fault(
                what,
                limit,
                "use a larger block there, or another order of extents",
            );
        }
    }
}
