//! The declared budget, held against the arenas of all instances.

use super::sizes::{self, amount};
use super::{At, Layout};
use crate::fault::{BUDGET, Edit, Fault, list};
use crate::model::{Budget, Model, Region, ResourceId};

/// Resources named in a fault; the others are counted.
const NAMED: usize = 12;

/// Bytes of all instances and what they share, where other combinations of variants take turns in them.
pub(crate) fn need(model: &Model, layout: &Layout) -> u64 {
    let [arena, pinned] = each(model, layout);
    let each = arena.saturating_add(pinned);
    let all = each.saturating_mul(u64::from(model.depth.max(1)));
    all.saturating_add(layout.store)
}

/// What a budget counts, each summand by its name: the arena and the staging of each of so many instances,
/// and the one store.
pub(crate) fn summands(times: u64, [arena, pinned, store]: [u64; 3]) -> String {
    let each = |what: &str, bytes: u64| match times {
        1 => format!("{what} of {}", amount(bytes)),
        _ => format!("{times} times {what} of {}", amount(bytes)),
    };
    let staging = (pinned > 0).then(|| each("staging", pinned));
    let store = (store > 0).then(|| format!("a store of {}", amount(store)));
    let rest: Vec<String> = staging.into_iter().chain(store).collect();
    match &rest[..] {
        [] => each("an arena", arena),
        [one] => format!("{} and {one}", each("an arena", arena)),
        all => format!("{}, {}", each("an arena", arena), all.join(" and ")),
    }
}

/// Arena and staging of one instance.
fn each(model: &Model, layout: &Layout) -> [u64; 2] {
    let mut regions = layout.regions.clone();
    if let Some(budget) = &model.budget {
        regions.join(&budget.beside);
    }
    [false, true].map(|staging| regions.all(staging))
}

/// What no layout of the arena is below, in the order of this one and beside what other combinations take.
fn floor(budget: &Budget, layout: &Layout) -> u64 {
    let mut regions = budget.beside.clone();
    for part in &layout.bound.parts {
        let region = Region {
            staging: false,
            domain: part.domain,
        };
        regions.take(region, part.bytes);
    }
    regions.all(false)
}

/// Whether the declared budget, if there is one, has room for `layout`.
pub fn fits(model: &Model, layout: &Layout) -> bool {
    let budget = model.budget.as_ref();
    budget.is_none_or(|budget| need(model, layout) <= budget.bytes)
}

/// The fault of a layout whose arenas together exceed the declared budget. It lists what must be
/// live together where that alone is too much, and otherwise what the arena is made of. Whether the
/// layout is of an order that is `chosen` beyond the dependencies: then others may do with less.
pub fn check(model: &Model, layout: &Layout, chosen: bool) -> Option<Fault> {
    let budget = model.budget.as_ref()?;
    if fits(model, layout) {
        return None;
    }
    let payloads = sizes::payloads(&model.resources, &model.dims);
    let together = sizes::at_largest(model, &payloads).is_some();
    let (times, need) = (u64::from(model.depth.max(1)), need(model, layout));
    let least = floor(budget, layout).saturating_mul(times);
    let least = least.saturating_add(layout.store);
    let graph = &model.name;
    let all: Vec<ResourceId> = (0..model.resources.len() as u32).map(ResourceId).collect();
    let kept = all.iter().copied();
    let kept = kept.filter(|r| model.resources[r.0 as usize].class.persists());
    let mut live: Vec<ResourceId> = layout.bound.live().chain(kept).collect();
    live.sort_unstable();
    live.dedup();
    let parts = layout.bound.parts.iter();
    let listed = parts.fold(0u64, |sum, part| sum.saturating_add(part.listed));
    let listed = listed.saturating_mul(times).saturating_add(layout.store);
    let (fault, shown) = if listed > budget.bytes {
        // What is live at one moment of every execution, or else what cannot share storage.
        let moment = match layout.bound.parts[..] {
            [ref part] => part.at,
            _ => At::Pairs,
        };
        let (must, why) = match moment {
            At::Task(task) => {
                let name = &model.tasks[task.0 as usize].name;
                let why = format!("while `{name}` runs these must exist together");
                ("must hold", why)
            }
            At::Host => {
                let why = "when the host reads the outputs these must exist together";
                ("must hold", why.to_owned())
            }
            At::Pairs => {
                let why = "no two of these can share storage without more order";
                ("needs at least", why.to_owned())
            }
        };
        let (must, once) = match moment {
            At::Pairs => (must, " in this order"),
            _ if chosen => ("needs at least", " in the smallest plan that was found"),
            _ if !together => ("needs", " at once, with each at its largest"),
            _ => (must, " at once"),
        };
        let (least, most) = (amount(listed), amount(budget.bytes));
        let message = format!("`{graph}` {must} {least}{once}, more than its budget of {most}");
        let these = named(model, layout, &live);
        let fault = Fault::new(BUDGET, budget.site, message).note(format!("{why}: {these}"));
        (fault, &live)
    } else {
        let message = format!(
            "`{graph}` needs {} of storage, more than its budget of {}",
            amount(need),
            amount(budget.bytes)
        );
        let holders = match (layout.store, layout.pinned) {
            (0, 0) => "the arena holds",
            (0, _) => "arena and staging hold",
            (_, 0) => "arena and store hold",
            _ => "arena, store and staging hold",
        };
        let but = match layout.pinned {
            0 => "",
            _ => ", staging aside",
        };
        let fault = Fault::new(BUDGET, budget.site, message)
            .note(format!("{holders} {}", named(model, layout, &all)))
            .note(format!(
                "no layout is below {} without more order{but}",
                amount(least)
            ));
        (fault, &all)
    };
    let mut fault = fault.here("the budget is declared here");
    let slots = layout.bound.parts.iter().flat_map(|part| &part.live);
    for slot in slots.filter(|slot| listed > budget.bytes && slot.len() > 1) {
        let names = slot.iter().map(|r| &*model.resources[r.0 as usize].name);
        let names = list(names, NAMED);
        fault = fault.note(format!("{names} count once: one is updated into the other"));
    }
    let [arena, pinned] = each(model, layout);
    if times > 1 || pinned > 0 || layout.store > 0 {
        let counts = summands(times, [arena, pinned, layout.store]);
        let why = match times {
            1 => String::new(),
            _ => format!(", as it is `pipelined {times}`"),
        };
        fault = fault.note(format!("the budget counts {counts}{why}"));
    }
    let size = |r: &&ResourceId| layout.slots[r.0 as usize].bytes;
    if let Some(r) = shown.iter().rev().max_by_key(size) {
        let resource = &model.resources[r.0 as usize];
        let bytes = amount(layout.slots[r.0 as usize].bytes);
        let text = format!("`{}` takes {bytes} at its largest", resource.name);
        fault = fault.label(resource.site, text);
    }
    if !together {
        fault = fault.note("no dims are known that give all resources their largest size at once");
    }
    let edit = Edit::replace(budget.site, amount_of(need));
    Some(
        fault
            .fix("write `budget {};` or more", [edit])
            .help("lower the maximum of a dim"),
    )
}

/// `bytes` in the largest unit of which they are a whole number, where that is not `B`; otherwise the
/// smallest amount of at least as many that the language can say in a unit that fits.
pub(crate) fn amount_of(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB"), (0, "B")];
    let whole = |&(unit, _): &(u32, &str)| unit > 0 && bytes > 0 && bytes.trailing_zeros() >= unit;
    let large = |&(unit, _): &(u32, &str)| bytes >> unit > 9;
    let mut exact = units.into_iter().filter(whole);
    let near = || units.into_iter().find(large);
    let (unit, name) = exact.next().or_else(near).unwrap_or((0, "B"));
    format!("{} {name}", bytes.div_ceil(1 << unit))
}

/// What [`check`] says of `layout` that must be there at once, where it does.
pub(crate) fn listed(model: &Model, layout: &Layout) -> Option<u64> {
    let [part] = &layout.bound.parts[..] else {
        return None;
    };
    let all = part.listed.saturating_mul(u64::from(model.depth.max(1)));
    let all = all.saturating_add(layout.store);
    let over = model.budget.as_ref().is_some_and(|b| all > b.bytes);
    (over && part.at != At::Pairs).then_some(all)
}

/// Names and sizes, the largest first; what is beyond the limit is counted.
fn named(model: &Model, layout: &Layout, resources: &[ResourceId]) -> String {
    let mut list = resources.to_vec();
    list.sort_by_key(|r| (std::cmp::Reverse(layout.slots[r.0 as usize].bytes), *r));
    let one = |r: &ResourceId| {
        let name = &model.resources[r.0 as usize].name;
        format!("`{name}` {}", amount(layout.slots[r.0 as usize].bytes))
    };
    let mut parts: Vec<String> = list.iter().take(NAMED).map(one).collect();
    if list.len() > NAMED {
        let rest = list[NAMED..].iter().fold(0u64, |sum, r| {
            sum.saturating_add(layout.slots[r.0 as usize].bytes)
        });
        parts.push(format!(
            "{} more with {} in all",
            list.len() - NAMED,
            amount(rest)
        ));
    }
    parts.join(", ")
}
