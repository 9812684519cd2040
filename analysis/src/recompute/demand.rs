//! `recompute t before 'z`.

use super::{Cut, Obstacle, Rewritten, Users, obstacle};
use crate::fault::Fault;
use crate::fault::recompute::{Demanded, not_declared};
use crate::model::{Again, Class, KernelKind, Mode, Model, Order, ResourceId, TaskKind};
use crate::order::Precedence;

/// `model` with what it demands, but for the demand of number `except`. What is made again comes as
/// late as can be, by demanded orders.
///
/// # Errors
/// A fault for each demand that cannot be met.
pub fn demanded(model: &Model, except: Option<usize>) -> Result<Rewritten, Vec<Fault>> {
    let mut at = Rewritten::of(model);
    let mut faults = Vec::new();
    for n in met(model).into_iter().filter(|n| Some(*n) != except) {
        let again = at.model.again[n].clone();
        if let Some(fault) = refused(&at, &again) {
            faults.push(fault);
            continue;
        }
        let order = Precedence::new(&at.model)?;
        let Again { value, before, .. } = again;
        let Some(next) = at.again(Cut { value, before }, &order) else {
            continue;
        };
        at = next;
        let late = at.made.last().map_or(Vec::new(), |made| made.late.clone());
        let orders = late.into_iter().map(|(before, after)| Order {
            before,
            after,
            site: again.at,
        });
        at.model.orders.extend(orders);
    }
    match faults.is_empty() {
        true => Ok(at),
        false => Err(faults),
    }
}

/// Why `again` cannot be met.
fn refused(at: &Rewritten, again: &Again) -> Option<Fault> {
    let model = &at.model;
    let of = |r: ResourceId| &model.resources[r.0 as usize];
    let value = of(again.value);
    if value.class != Class::Reconstructable {
        let by_call = value.class == Class::Transient && by_call(model, again.value);
        let (name, class, declared) = (&value.name, value.class, value.site);
        let (site, label) = (again.site, &again.label);
        return Some(not_declared(site, name, label, class, declared, by_call));
    }
    let users = Users::new(model);
    let said = said(at, &users, again)?;
    let readers = users.readers(again.value);
    if readers.first().is_none_or(|first| *first == again.before) {
        return Some(said.not_read_again(true));
    }
    if !readers.contains(&again.before) {
        return Some(said.not_read_again(false));
    }
    let (value, before) = (again.value, again.before);
    Some(match obstacle(model, &users, Cut { value, before })? {
        Obstacle::Overwritten { input, site, .. } => said.overwritten(&of(input).name, site),
        Obstacle::Updated { input, site, .. } => said.updated(&of(input).name, site),
        Obstacle::Placed { site } => said.placed(site),
    })
}

/// The demands of `model` in the order in which [`demanded`] meets them.
pub(crate) fn met(model: &Model) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..model.again.len()).collect();
    // Each rebinds what stands behind it.
    numbers.sort_by_key(|&n| model.again[n].before);
    numbers
}

/// The faults of what `again` makes of `model` by its demands, where the storage of what it is made
/// of is demanded for something else by then.
pub(crate) fn given_away(model: &Model, again: &Rewritten) -> Option<Vec<Fault>> {
    let (whole, users) = (Rewritten::of(model), Users::new(model));
    let name = |r: ResourceId| &model.resources[r.0 as usize].name;
    let mut faults = Vec::new();
    for (number, made) in met(model).into_iter().zip(&again.made) {
        let task = &again.model.tasks[made.task.0 as usize];
        let reads = |r: ResourceId| {
            task.accesses
                .iter()
                .any(|a| a.resource == r && a.mode == Mode::Read)
        };
        let mut pairs = model.aliases.iter();
        let Some(pair) = pairs.find(|p| reads(p.a) || reads(p.b)) else {
            continue;
        };
        let (input, other) = if reads(pair.a) {
            (pair.a, pair.b)
        } else {
            (pair.b, pair.a)
        };
        let said = said(&whole, &users, &model.again[number])?;
        faults.push(said.given_away(name(input), name(other), pair.site));
    }
    (!faults.is_empty()).then_some(faults)
}

/// The fault of the demand of that `number`: the arena takes `with` bytes with it, and `without` it
/// no more.
pub(crate) fn no_gain(
    model: &Model,
    number: usize,
    again: &Rewritten,
    with: u64,
    without: u64,
) -> Option<Fault> {
    let whole = Rewritten::of(model);
    let at = met(model).iter().position(|n| *n == number)?;
    let made = &again.made[at];
    let now = &again.model;
    let later = |r: ResourceId| {
        let behind = &now.tasks[made.task.0 as usize + 1..];
        let mut accesses = behind.iter().flat_map(|t| &t.accesses);
        let of = &now.resources[r.0 as usize];
        of.class.persists() || of.class.is_handed_out() || accesses.any(|a| a.resource == r)
    };
    let reads = now.tasks[made.task.0 as usize].accesses.iter();
    let reads = reads.filter(|a| a.mode == Mode::Read && !later(a.resource));
    let mut longer: Vec<&str> = reads
        .map(|a| now.resources[a.resource.0 as usize].name.as_str())
        .collect();
    longer.dedup();
    let said = said(&whole, &Users::new(model), &model.again[number])?;
    Some(said.returns(with, without, &longer))
}

/// How faults of `again` name it; `users` are those of the graph `at`.
fn said<'a>(at: &'a Rewritten, users: &Users, again: &'a Again) -> Option<Demanded<'a>> {
    let model = &at.model;
    let root = at.made.iter().find(|made| made.instance == again.value);
    let value = root.map_or(again.value, |made| made.value);
    Some(Demanded {
        name: &model.resources[value.0 as usize].name,
        site: again.site,
        label: &again.label,
        at: again.at,
        maker: model.tasks[users.maker(value)?.0 as usize].site,
    })
}

/// All of `value` is the result of one kernel, which writes nothing else, and nothing changes it.
fn by_call(model: &Model, value: ResourceId) -> bool {
    let writes = |t: &&crate::model::Task| {
        let mut of = t.accesses.iter();
        of.any(|a| a.resource == value && a.mode != Mode::Read)
    };
    let mut writers = model.tasks.iter().filter(writes);
    let (Some(task), None) = (writers.next(), writers.next()) else {
        return false;
    };
    let extent = model.resources[value.0 as usize].shape.first();
    // A second call of the others is not known to do the same.
    let same = |kind| matches!(kind, KernelKind::Kernel | KernelKind::Callback);
    matches!(&task.kind, TaskKind::Kernel(launch) if same(launch.kind))
        && task.accesses.iter().all(|a| match a.resource == value {
            true => {
                a.mode == Mode::Overwrite && extent.is_some_and(|e| a.rows.is_all(e, &model.dims))
            }
            false => a.mode == Mode::Read,
        })
}
