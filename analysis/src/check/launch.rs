//! Launches within what a device can do, at the bounds of the dims.

use std::collections::{BTreeMap, BTreeSet};

use super::size::negative;
use crate::expr::Expr;
use crate::fault::narrow::{joined, narrowed};
use crate::fault::sizes::{self, Empty};
use crate::fault::{Fault, Fix};
use crate::limits;
use crate::model::{Launch, Model, Resource, Task, TaskKind};

pub(super) fn check(model: &Model, faults: &mut Vec<Fault>) {
    let (mut seen, mut empty) = (BTreeSet::new(), Vec::new());
    for task in &model.tasks {
        if let TaskKind::Kernel(launch) = &task.kind {
            // What depends on the kernel alone is said once.
            if seen.insert(launch.kernel) {
                kernel(task, launch, faults);
            }
            grid(model, task, launch, &mut empty, faults);
        }
    }
    without_threads(model, &empty, faults);
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

/// An index space that may have no thread.
struct NoThread<'m> {
    task: &'m Task,
    launch: &'m Launch,
    extent: &'m Expr,
    axis: &'static str,
    least: i128,
    /// What gives a dim another range.
    mend: Option<Fix>,
}

fn grid<'m>(
    model: &Model,
    task: &'m Task,
    launch: &'m Launch,
    empty: &mut Vec<NoThread<'m>>,
    faults: &mut Vec<Fault>,
) {
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
        let mend = || narrowed(&[extent], &model.dims, |d| fits(extent.range_over(d)));
        if min < 1 {
            // A resource of so many rows is refused for the same reason.
            let rows = |r: &Resource| r.shape.contains(extent);
            if negative(extent, &model.dims) && model.resources.iter().any(rows) {
                continue;
            }
            empty.push(NoThread {
                task,
                launch,
                extent,
                axis,
                least: min,
                mend: mend(),
            });
            continue;
        }
        let threads = u64::try_from(max).unwrap_or(u64::MAX);
        let blocks = limits::blocks(threads, block.into());
        if blocks > most {
            let text = extent.display(&model.dims).to_string();
            let what = format!("needs {blocks} blocks along {axis}, {most} are possible");
            let limit =
                format!("the index space `{text}` has up to {max} threads, {block} to a block");
            let help = "use a larger block there, or another order of extents";
            let fault = sizes::geometry(task.site, &launch.name, what, limit);
            faults.push(fault.fix_or(mend(), help));
        }
    }
}

/// The range of one dim is one fault, however many launches are over it.
fn without_threads(model: &Model, empty: &[NoThread<'_>], faults: &mut Vec<Fault>) {
    let text = |of: &NoThread<'_>| of.extent.display(&model.dims).to_string();
    let texts: Vec<String> = empty.iter().map(text).collect();
    let launch = |at: usize| Empty {
        kernel: &empty[at].launch.name,
        extent: &texts[at],
        axis: empty[at].axis,
        least: empty[at].least,
        site: empty[at].task.site,
    };
    let mut of_dims: BTreeMap<_, (Vec<usize>, Fix)> = BTreeMap::new();
    for (at, of) in empty.iter().enumerate() {
        let Some(mend) = &of.mend else {
            faults.push(sizes::empty_launch(&launch(at)));
            continue;
        };
        let (launches, all) = of_dims
            .entry(mend.edits[0].at)
            .or_insert_with(|| (Vec::new(), mend.clone()));
        // One that is empty along several axes is one.
        if launches
            .last()
            .is_none_or(|last| !std::ptr::eq(empty[*last].task, of.task))
        {
            launches.push(at);
        }
        if let Some(both) = joined([all, mend]) {
            *all = both;
        }
    }
    for (site, (launches, mend)) in of_dims {
        let name = model.dims.iter().find(|dim| dim.site == site);
        let name = name.map_or("", |dim| &dim.name);
        let launches: Vec<_> = launches.into_iter().map(launch).collect();
        faults.push(sizes::no_thread(site, name, &launches, mend));
    }
}
