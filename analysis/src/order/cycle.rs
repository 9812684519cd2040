//! Demanded orders that contradict the statements, or each other.

use std::collections::VecDeque;

use crate::fault::{Edit, Fault, ORDER_CYCLE, Part};
use crate::model::{Access, Mode, Model};

/// One fault for each knot of tasks that wait for each other, shortest cycle first named.
///
/// Conflicting accesses only point forward, so every cycle contains a demand that points backward.
pub(super) fn faults(model: &Model, before: &[Vec<u32>], stuck: &[bool]) -> Vec<Fault> {
    let mut after = vec![Vec::new(); before.len()];
    for (task, list) in before.iter().enumerate() {
        for &b in list {
            after[b as usize].push(task as u32);
        }
    }
    let fixed = fixed(model, &after);
    let mut named = vec![false; before.len()];
    let mut found: Vec<(usize, Vec<u32>)> = model
        .orders
        .iter()
        .enumerate()
        .filter(|(_, o)| o.before.0 >= o.after.0 && stuck[o.after.0 as usize])
        .filter_map(|(i, o)| {
            // A way that no other place of the statements would open says more than a shorter one.
            let path = |after| path(after, stuck, o.after.0, o.before.0);
            Some((i, path(&fixed).or_else(|| path(&after))?))
        })
        .collect();
    found.sort_by_key(|(i, path)| (path.len(), *i));
    let mut faults = Vec::new();
    for (demand, path) in found {
        if path.iter().any(|&t| named[t as usize]) {
            continue;
        }
        for &t in &path {
            named[t as usize] = true;
        }
        let held = path
            .windows(2)
            .all(|two| fixed[two[0] as usize].contains(&two[1]));
        faults.push(fault(model, demand, &path, held));
    }
    faults
}

/// Of the dependencies `after` those that stay wherever the statements stand: on the value that a
/// task makes, and on a demand.
fn fixed(model: &Model, after: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let demanded = |task: u32, next: u32| {
        let mut orders = model.orders.iter();
        orders.any(|o| o.before.0 == task && o.after.0 == next)
    };
    let of = after.iter().enumerate().map(|(task, list)| {
        let task = task as u32;
        let stays = |next: &u32| made(model, task, *next).is_some() || demanded(task, *next);
        list.iter().copied().filter(stays).collect()
    });
    of.collect()
}

/// What `task` makes that `next` reads.
fn made(model: &Model, task: u32, next: u32) -> Option<&Access> {
    let [task, next] = [task, next].map(|t| &model.tasks[t as usize].accesses);
    let read = |x: &Access| {
        let mut all = next.iter();
        all.any(|y| y.resource == x.resource && y.mode != Mode::Overwrite)
    };
    task.iter().find(|x| x.mode == Mode::Overwrite && read(x))
}

/// A shortest path along dependencies, both ends included.
fn path(after: &[Vec<u32>], within: &[bool], from: u32, to: u32) -> Option<Vec<u32>> {
    let mut came: Vec<Option<u32>> = vec![None; after.len()];
    let mut queue = VecDeque::from([from]);
    came[from as usize] = Some(from);
    while let Some(task) = queue.pop_front() {
        if task == to {
            let mut path = vec![to];
            while *path.last()? != from {
                path.push(came[*path.last()? as usize]?);
            }
            path.reverse();
            return Some(path);
        }
        for &next in &after[task as usize] {
            if within[next as usize] && came[next as usize].is_none() {
                came[next as usize] = Some(task);
                queue.push_back(next);
            }
        }
    }
    None
}

/// The fault of the cycle `path[0] ≺ … ≺ path[n] ≺ path[0]`, closed by `model.orders[demand]`; `held`
/// says that it would be there wherever the statements stood.
fn fault(model: &Model, demand: usize, path: &[u32], held: bool) -> Fault {
    let name = |t: u32| format!("`{}`", model.tasks[t as usize].name);
    let order = &model.orders[demand];
    let (first, last) = (path[0], path[path.len() - 1]);
    let message = if path.len() == 1 {
        format!("{} is ordered before itself", name(first))
    } else {
        format!(
            "{} and {} are ordered before each other",
            name(first),
            name(last)
        )
    };
    let mut round: Vec<String> = path.iter().map(|&t| name(t)).collect();
    round.push(name(first));
    let here = format!("{} after {} is demanded here", name(first), name(last));
    let mut fault = Fault::new(ORDER_CYCLE, order.site, message)
        .here(here)
        .note(format!("the cycle: {}", round.join(", then ")));
    for (i, &task) in path.iter().enumerate() {
        let site = model.tasks[task as usize].site;
        fault = fault.label(site, format!("{} is called here", name(task)));
        let Some(&next) = path.get(i + 1) else { break };
        let demanded = |o: &&crate::model::Order| o.before.0 == task && o.after.0 == next;
        fault = match model.orders.iter().find(demanded) {
            Some(other) => {
                let text = format!("{} after {} is demanded here", name(next), name(task));
                fault.label(other.site, text)
            }
            None => fault.note(shared(model, task, next)),
        };
    }
    let edit = Edit::remove(order.site).of(Part::Statement);
    let fault = fault.fix("drop this `order`", [edit]);
    match held {
        true => fault,
        false => fault.help("move the statements into the order it asks for"),
    }
}

/// Why `next` depends on `task` where no demand says so.
fn shared(model: &Model, task: u32, next: u32) -> String {
    let (a, b) = (&model.tasks[task as usize], &model.tasks[next as usize]);
    let conflicts = |x: &&Access| {
        let read = |mode: Mode| mode == Mode::Read;
        let mut all = b.accesses.iter();
        all.any(|y| x.resource == y.resource && !(read(x.mode) && read(y.mode)))
    };
    let common = made(model, task, next).or_else(|| a.accesses.iter().find(conflicts));
    let what = common.map_or("", |x| model.resources[x.resource.0 as usize].name.as_str());
    format!("`{}` depends on `{}` through `{what}`", b.name, a.name)
}
