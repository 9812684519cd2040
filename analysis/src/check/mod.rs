//! Rules that a model must keep before it is planned, one small function each.
//!
//! All of them run, so that a graph with several faults is told all of them at once.

mod launch;
mod malformed;
mod moved;
mod overlap;
mod pairs;
mod range;
mod recompute;
mod size;
#[cfg(test)]
mod tests;
mod unused;
mod written;

use crate::calls::show_place;
use crate::fault::Fault;
use crate::fault::storage::{Shown, shared_update};
use crate::model::{Access, Class, Model};

/// What is wrong with `model`, in the order of its sites.
pub fn check(model: &Model) -> Vec<Fault> {
    let mut faults = malformed::check(model);
    if !faults.is_empty() {
        return faults;
    }
    let uses = Uses::new(model);
    size::check(model, &mut faults);
    written::check(model, &uses, &mut faults);
    let twice = overlap::check(model, &mut faults);
    moved::check(model, &uses, &mut faults);
    let since = faults.len();
    unused::check(model, &uses, &mut faults);
    let unused = faults.split_off(since).into_iter();
    // What a call that takes one resource twice was to take is no fault of its own.
    let of = |site| {
        model
            .resources
            .iter()
            .find(|resource| resource.site == site)
    };
    let meant = |fault: &Fault| {
        let resource = of(fault.site);
        resource.is_some_and(|r| {
            twice
                .iter()
                .any(|t| (r.elem, &r.shape) == (t.elem, &t.shape))
        })
    };
    faults.extend(unused.filter(|fault| !meant(fault)));
    pairs::check(model, &mut faults);
    recompute::check(model, &uses, &mut faults);
    lanes(model, &mut faults);
    launch::check(model, &mut faults);
    range::merge(model, &mut faults);
    faults.sort_by_key(|f| f.site);
    faults
}

/// Lanes run in any order, so nothing can go on from "the previous run".
fn lanes(model: &Model, faults: &mut Vec<Fault>) {
    for r in model.resources.iter().filter(|r| r.class == Class::Inout) {
        if model.depth > 1 {
            faults.push(shared_update(r.site, &r.name, model.depth));
        }
    }
}

/// The accesses of each resource, with the index of their task, in statement order.
struct Uses<'a>(Vec<Vec<(usize, &'a Access)>>);

impl<'a> Uses<'a> {
    fn new(model: &'a Model) -> Self {
        let mut uses = vec![Vec::new(); model.resources.len()];
        for (t, task) in model.tasks.iter().enumerate() {
            for access in &task.accesses {
                uses[access.resource.0 as usize].push((t, access));
            }
        }
        Self(uses)
    }
}

/// An access as a user reads it.
fn shown(model: &Model, access: &Access) -> Shown {
    let name = &model.resources[access.resource.0 as usize].name;
    Shown {
        text: show_place(name, &access.rows, &model.dims),
        mode: access.mode,
        site: access.site,
    }
}
