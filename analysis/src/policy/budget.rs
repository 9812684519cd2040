//! What the fault of a budget says beyond the plan that exceeds it: what no order of the tasks does
//! without, and the smallest arena that was found.

use super::{Candidate, Ground};
use crate::alias::{Merge, possible};
use crate::fault::{Edit, Fault, Part};
use crate::layout::sizes::{amount, at_largest};
use crate::layout::{self, need};
use crate::model::{Class, Region, Resource, ResourceId};
use crate::order::bits::each_bit;
use crate::peak::{Effort, items, peak};

/// Bytes of one instance that are live at once in every order of the tasks, whatever is updated in
/// place: no plan has a smaller arena.
fn least(ground: &Ground, baseline: &Candidate) -> u64 {
    let (model, demands) = (&ground.model, &ground.demands);
    let mut may = possible(model, &ground.order, &ground.live);
    may.retain(|m| !demands.apart(m.operand, m.result));
    let mut regions: Vec<Region> = model.resources.iter().map(|r| r.region()).collect();
    regions.sort_unstable();
    regions.dedup();
    let held = regions.iter().filter(|region| !region.staging);
    let held = held.map(|region| at_once(ground, *region, &may));
    let held = held.fold(0u64, u64::saturating_add);
    held.max(in_every_order(ground, baseline, &may))
}

/// The most that is live while some one task runs in `region`, or when the host reads the outputs: it
/// is in every order that the dependencies admit. Operand and result of an update count once.
fn at_once(ground: &Ground, region: Region, may: &[Merge]) -> u64 {
    let (model, order, live) = (&ground.model, &ground.order, &ground.live);
    let mut load = vec![0u64; order.tasks()];
    let mut end = 0u64;
    let inside = |r: ResourceId| {
        let of = &model.resources[r.0 as usize];
        !of.class.persists() && of.region() == region
    };
    for (r, &bytes) in (0..).map(ResourceId).zip(&ground.sizes) {
        if !inside(r) {
            continue;
        }
        let tasks = layout::held(order, live, r, r);
        each_bit(tasks.row(0), |t| load[t] = load[t].saturating_add(bytes));
        if live.of(r).host {
            end = end.saturating_add(bytes);
        }
    }
    for m in may.iter().filter(|m| inside(m.operand)) {
        let both = [m.operand, m.result].map(|r| ground.sizes[r.0 as usize]);
        let at = &mut load[m.task.0 as usize];
        *at = at.saturating_sub(both[0].min(both[1]));
    }
    load.into_iter().max().unwrap_or(0).max(end)
}

/// The least peak of all orders. What the dependencies alone let a task update is one item with its
/// operand. Where an order may let it, the result counts from its next user on: before, it may be the
/// operand, which counts until then.
fn in_every_order(ground: &Ground, baseline: &Candidate, may: &[Merge]) -> u64 {
    let taken = &baseline.realised.ranges.groups.taken;
    let mut items = items(&ground.model, &ground.live, &ground.sizes, taken);
    for m in may.iter().filter(|m| !taken.contains(m)) {
        for item in items.iter_mut().filter(|i| i.parts.contains(&m.result)) {
            item.users.retain(|t| *t != m.task);
        }
    }
    let effort = Effort::build(ground.order.tasks());
    peak(&ground.order, &items, &effort).least.at_least
}

/// `fault`, which says that the budget has no room for the plan, with what holds of all plans, and the
/// smallest of those that were weighed, unless some plan is `met`.
pub fn bounded(
    ground: &Ground,
    candidates: &[Candidate],
    plan: &Candidate,
    met: bool,
    fault: Fault,
) -> Fault {
    let model = &ground.model;
    let (Some(budget), Some(baseline)) = (&model.budget, candidates.first()) else {
        return fault;
    };
    let layout = &plan.realised.layout;
    let times = u64::from(model.depth.max(1));
    let least = least(ground, baseline).saturating_mul(times);
    let least = least.saturating_add(layout.store);
    let own = plan.remade.as_ref().map_or(model, |own| &own.ground.model);
    let said = layout::listed(own, layout).filter(|_| !plan.realised.conditional);
    let mut fault = fault;
    if said != Some(least) {
        let again = |r: &Resource| r.class == Class::Reconstructable;
        // Made again, values are live for less long.
        let all = !model.resources.iter().any(again);
        let over = match all && least > budget.bytes {
            true => ", so none meets the budget",
            false => "",
        };
        let bytes = amount(least);
        let sizes = match at_largest(model, &ground.payloads) {
            Some(_) => "",
            None => " of these sizes",
        };
        fault = fault.note(format!(
            "in every order of its tasks at least {bytes}{sizes} is live at once{over}"
        ));
    }
    if met {
        return fault;
    }
    let smallest = candidates
        .iter()
        .min_by_key(|c| c.realised.layout.arena)
        .filter(|c| c.realised.layout.arena < layout.arena);
    let Some(smallest) = smallest else {
        return match candidates.len() {
            n @ 2.. if need(model, layout) > least => {
                fault.note(format!("of {n} plans that were weighed none takes less"))
            }
            _ => fault,
        };
    };
    let found = &smallest.realised.layout;
    let (all, arena) = (need(model, found), amount(found.arena));
    let fault = fault.note(format!(
        "the smallest arena that was found in another order takes {arena}"
    ));
    if model.declared.minimize.is_some() {
        return fault;
    }
    let more = Edit::before(budget.site, "minimize peak; ").of(Part::Statement);
    let room = Edit::replace(budget.site, layout::budget_of(all));
    fault.fix("declare `{}` and write `budget {};`", [more, room])
}
