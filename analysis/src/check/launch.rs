//! Launches within what a device can do, at the bounds of the dims.

use std::collections::{BTreeMap, BTreeSet};

use super::size::negative;
use crate::fault::narrow::{joined, narrowed};
use crate::fault::sizes::{self, Misfit};
use crate::fault::{Fault, Fix};
use crate::limits;
use crate::model::{Launch, Model, Resource, Site, Task, TaskKind};

pub(super) fn check(model: &Model, faults: &mut Vec<Fault>) {
    let (mut seen, mut wrong) = (BTreeSet::new(), [Vec::new(), Vec::new()]);
    for task in &model.tasks {
        if let TaskKind::Kernel(launch) = &task.kind {
            // What depends on the kernel alone is said once.
            if seen.insert(launch.kernel) {
                kernel(task, launch, faults);
            }
            grid(model, task, launch, &mut wrong);
        }
    }
    let [empty, large] = &wrong;
    misfits(model, empty, sizes::no_thread, sizes::empty_launch, faults);
    misfits(
        model,
        large,
        sizes::many_blocks,
        sizes::large_launch,
        faults,
    );
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

/// A launch whose index space some admitted dims take beyond a grid.
struct Wrong<'m> {
    task: &'m Task,
    launch: &'m Launch,
    /// What is wrong with it.
    text: String,
    /// What gives a dim another range.
    mend: Option<Fix>,
}

impl Wrong<'_> {
    fn misfit(&self) -> Misfit<'_> {
        Misfit {
            kernel: &self.launch.name,
            text: &self.text,
            site: self.task.site,
        }
    }
}

/// Adds to the launches that may have no thread, or else to those that may have too many blocks.
fn grid<'m>(
    model: &Model,
    task: &'m Task,
    launch: &'m Launch,
    [empty, large]: &mut [Vec<Wrong<'m>>; 2],
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
            let text = extent.display(&model.dims);
            let text = format!("the index space `{text}` along {axis} may be {min}");
            empty.push(Wrong {
                task,
                launch,
                text,
                mend: mend(),
            });
            continue;
        }
        let threads = u64::try_from(max).unwrap_or(u64::MAX);
        let blocks = limits::blocks(threads, block.into());
        if blocks > most {
            let text = extent.display(&model.dims);
            let text = format!(
                "up to {max} of `{text}` along {axis} are {blocks} blocks of {block}, {most} are possible"
            );
            large.push(Wrong {
                task,
                launch,
                text,
                mend: mend(),
            });
        }
    }
}

/// The range of one dim is one fault, however many launches are over it: `of_dim`, or `alone` of what no
/// range of one dim mends.
fn misfits(
    model: &Model,
    wrong: &[Wrong<'_>],
    of_dim: impl Fn(Site, &str, &[Misfit<'_>], Fix) -> Fault,
    alone: impl Fn(&Misfit<'_>) -> Fault,
    faults: &mut Vec<Fault>,
) {
    let mut of_dims: BTreeMap<_, (Vec<&Wrong<'_>>, Fix)> = BTreeMap::new();
    for of in wrong {
        let Some(mend) = &of.mend else {
            faults.push(alone(&of.misfit()));
            continue;
        };
        let (launches, all) = of_dims
            .entry(mend.edits[0].at)
            .or_insert_with(|| (Vec::new(), mend.clone()));
        // One that is wrong along several axes is one.
        if launches
            .last()
            .is_none_or(|last| !std::ptr::eq(last.task, of.task))
        {
            launches.push(of);
        }
        if let Some(both) = joined([all, mend]) {
            *all = both;
        }
    }
    for (site, (launches, mend)) in of_dims {
        let name = model.dims.iter().find(|dim| dim.site == site);
        let name = name.map_or("", |dim| &dim.name);
        let launches: Vec<_> = launches.into_iter().map(Wrong::misfit).collect();
        faults.push(of_dim(site, name, &launches, mend));
    }
}
