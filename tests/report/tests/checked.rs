//! A report that is read leads nowhere: whatever number of it is another one, it is refused with its
//! place, or its page is made.
#![forbid(unsafe_code)]

#[path = "../../../analysis/tests/common/mod.rs"]
mod common;
#[path = "../../../runtime/tests/explain_support/mod.rs"]
mod explain_support;
mod graphs;
#[path = "../../../runtime/tests/report_support/mod.rs"]
mod report_support;

use std::collections::BTreeMap;
use std::panic::catch_unwind;

use gpu_graph::report::{Report, ReportError};
use serde_json::{Value, json};

gpu_graph::gpu_graph! {
    kernel fold(x: &[f32; n]) -> [f32; m] { host host::fold }

    /// Extents with terms that fall as others grow.
    graph Parts {
        dim n in 1..=100_000;
        input x: [f32; n];
        let half: [f32; n - n / 2] = fold(&x);
        let sixth: [f32; n / 2 - n / 3 + 1] = fold(&half);
        output y: [f32; 2 * n - n / 7] = fold(&sixth);
    }
}

mod host {
    pub fn fold(x: &[f32], out: &mut [f32], _: super::fold::Dims) {
        out.fill(x.iter().sum());
    }
}

#[test]
fn a_payload_is_that_of_the_dims_that_it_is_largest_at() {
    let report = Parts::RECORD.report();
    let most = |of: fn(u64) -> u64| (1..=100_000).map(of).max().unwrap() * 4;
    for (name, payload) in [
        ("half", most(|n| n - n / 2)),
        ("sixth", most(|n| n / 2 - n / 3 + 1)),
        ("y", most(|n| 2 * n - n / 7)),
    ] {
        let mut resources = report.plans[0].resources.iter();
        let found = resources.find(|of| of.name == name).unwrap();
        assert_eq!(found.payload, payload, "{name}");
        assert_eq!(
            found.bytes,
            payload.next_multiple_of(found.alignment),
            "{name}"
        );
    }
    assert_eq!(Report::from_json(&report.to_json()), Ok(report));
}

/// The numbers below a value, as pointers of JSON, by what they are: their pointer without indices.
fn numbers(value: &Value, at: (String, String), found: &mut BTreeMap<String, Vec<String>>) {
    let (pointer, what) = at;
    match value {
        Value::Number(_) => found.entry(what).or_default().push(pointer),
        Value::Array(all) => {
            for (i, one) in all.iter().enumerate() {
                let at = (format!("{pointer}/{i}"), format!("{what}/_"));
                numbers(one, at, found);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                let at = (format!("{pointer}/{name}"), format!("{what}/{name}"));
                numbers(field, at, found);
            }
        }
        _ => {}
    }
}

#[test]
fn whatever_number_is_another_one_it_is_refused_or_its_page_is_made() {
    let (mut refused, mut made) = (0, 0);
    for record in graphs::RECORDS {
        let report = record.report();
        let mut json: Value = serde_json::from_str(&report.to_json()).unwrap();
        let mut found = BTreeMap::new();
        numbers(&json, Default::default(), &mut found);
        // Of each kind of number the first and the last: all would take minutes.
        let some = found.values().flat_map(|all| {
            let last = all.last().filter(|_| all.len() > 1);
            all.first().into_iter().chain(last)
        });
        for pointer in some {
            let place = json.pointer(pointer).unwrap().clone();
            let next = place.as_u64().unwrap_or(0).wrapping_add(1);
            let others = [
                json!(0),
                json!(next),
                json!(99_999),
                json!(u64::MAX),
                json!(-1),
            ];
            for other in others {
                *json.pointer_mut(pointer).unwrap() = other.clone();
                let text = json.to_string();
                match Report::from_json(&text) {
                    Err(ReportError::Form { place, what }) => {
                        assert!(!place.is_empty() && !what.is_empty());
                        refused += 1;
                    }
                    Err(ReportError::Version { .. }) => assert_eq!(pointer, "/version"),
                    Err(other) => panic!("{pointer}: {other}"),
                    Ok(read) => {
                        let page = catch_unwind(|| read.to_html());
                        let page = page.unwrap_or_else(|_| {
                            panic!("no page of {}, {pointer} = {other}", report.graph)
                        });
                        assert!(page.ends_with("</html>"), "{pointer} = {other}");
                        made += 1;
                    }
                }
            }
            *json.pointer_mut(pointer).unwrap() = place;
        }
    }
    assert!(refused > 2000 && made > 1000, "{refused} {made}");
}

#[test]
fn what_contradicts_itself_is_refused_with_its_place_its_value_and_its_bound() {
    let report = graphs::RECORDS[0].report();
    let valid: Value = serde_json::from_str(&report.to_json()).unwrap();
    let plan = &report.plans[0];
    let (tasks, resources) = (plan.tasks.len(), plan.resources.len());
    let streams = plan.order.streams;
    let arena = plan.storage.arena;
    let (last, bytes) = (plan.order.issue.len() - 1, plan.resources[1].bytes);
    let first = plan.order.dependencies[0];
    let (begun, freed) = (&plan.allocator.trace[0], plan.order.issue[0]);
    for (pointer, value, said) in [
        (
            "tasks/0/stream",
            99,
            format!("`plans[0].tasks[0].stream`: there is no stream 99, but {streams}"),
        ),
        (
            "order/dependencies/0/after",
            99_999,
            format!("`plans[0].order.dependencies[0].after`: there is no task 99999, but {tasks}"),
        ),
        (
            "order/dependencies/0/after",
            first.before.into(),
            format!(
                "`plans[0].order.dependencies[0]`: task {0} is issued at step {1}, and task {0} at step {1}",
                first.before, plan.tasks[first.before as usize].step
            ),
        ),
        (
            &format!("order/issue/{last}"),
            freed.into(),
            format!("`plans[0].order.issue[{last}]`: task {freed} is issued at step 0, not {last}"),
        ),
        (
            "order/streams",
            u32::MAX.into(),
            "`plans[0].order.streams`: there are 256 streams at most, not 4294967295".to_owned(),
        ),
        (
            "aliases/0/later",
            99_999,
            format!("`plans[0].aliases[0].later`: there is no resource 99999, but {resources}"),
        ),
        (
            "resources/1/offset",
            u64::MAX,
            format!(
                "`plans[0].resources[1].offset`: {bytes} bytes from {} are not in the arena, which is 0..{arena}",
                u64::MAX
            ),
        ),
        (
            "allocator/trace/0/step",
            tasks as u64,
            format!("`plans[0].allocator.trace[0].step`: there is no step {tasks}, but {tasks}"),
        ),
        (
            "allocator/trace/1/resource",
            begun.resource.into(),
            format!(
                "`plans[0].allocator.trace[1]`: resource {} begins twice",
                begun.resource
            ),
        ),
        (
            "candidates/0/deltas/launches/low",
            1,
            "`plans[0].candidates[0].deltas`: they are not its totals less those of candidate 0"
                .to_owned(),
        ),
        (
            "unshared/live",
            u64::MAX,
            format!(
                "`plans[0].unshared`: its kinds come to {} pairs, of {} in all",
                u128::from(u64::MAX) + u128::from(plan.unshared.total - plan.unshared.live),
                plan.unshared.total
            ),
        ),
    ] {
        let mut json = valid.clone();
        *json.pointer_mut(&format!("/plans/0/{pointer}")).unwrap() = json!(value);
        let refused = Report::from_json(&json.to_string()).unwrap_err();
        assert_eq!(refused.to_string(), said);
    }
}

#[test]
fn an_amount_that_is_said_as_two_or_is_beyond_its_bound_is_refused() {
    // Of what is there many times two of each: all would take minutes.
    for record in graphs::RECORDS {
        let report = record.report();
        let valid: Value = serde_json::from_str(&report.to_json()).unwrap();
        for (p, plan) in report.plans.iter().enumerate() {
            let storage = &plan.storage;
            let taken = plan.candidates.iter().position(|one| one.accepted).unwrap();
            let of = &plan.candidates[taken].totals;
            let above = |value: u64, name: &str, bound: u64| {
                format!("it is {value}, above `{name}`, which is {bound}")
            };
            let unlike = |value: u64, expected: u64| {
                format!("it is {value}, where candidate {taken} has {expected}")
            };
            let mut cases = Vec::new();
            let mut case = |place: &str, value: u64, what: String| {
                cases.push((format!("plans[{p}].{place}"), value, what));
            };
            for (d, dim) in plan.dims.iter().enumerate() {
                let value = dim.max + 1;
                case(
                    &format!("dims[{d}].min"),
                    value,
                    above(value, "max", dim.max),
                );
            }
            for (r, one) in plan.resources.iter().enumerate().take(2) {
                let value = one.bytes + 1;
                let place = format!("resources[{r}].payload");
                case(&place, value, above(value, "bytes", one.bytes));
            }
            let (arena, bound) = (storage.arena, &storage.lower_bound);
            let value = arena + 1;
            case("storage.padding", value, above(value, "arena", arena));
            // Behind it lies what outlives runs, which would lie in it.
            if storage.store == 0 && storage.staging == 0 {
                case("storage.arena", value, unlike(value, arena));
            }
            let parts = bound.bytes;
            let what = format!("it is {}, where its parts come to {parts}", parts + 1);
            case("storage.lower_bound.bytes", parts + 1, what);
            for (l, part) in bound.parts.iter().enumerate().take(2) {
                let value = part.bytes + 1;
                let place = format!("storage.lower_bound.parts[{l}].listed");
                case(&place, value, above(value, "bytes", part.bytes));
            }
            let peaks = plan.peaks.as_ref().unwrap();
            let of_rooms = peaks.workspaces.iter().map(|peak| ("workspaces", peak));
            let both = [("least", &peaks.least), ("greatest", &peaks.greatest)];
            for (name, peak) in both.into_iter().chain(of_rooms) {
                if let Some(high) = peak.bytes.high {
                    let place = format!("peaks.{name}.bytes.low");
                    case(&place, high + 1, above(high + 1, "high", high));
                }
            }
            let (streams, waits, events) = (of.streams, of.waits, of.events);
            case("order.streams", streams + 1, unlike(streams + 1, streams));
            case("order.waits", waits + 1, unlike(waits + 1, waits));
            case("order.events", events + 1, unlike(events + 1, events));
            for (c, one) in plan.candidates.iter().enumerate().take(2) {
                let (arena, begins) = (one.totals.arena_bytes, one.totals.begins);
                let at = |name: &str| format!("candidates[{c}].totals.{name}");
                for name in ["lower_bound_bytes", "slack_bytes"] {
                    case(&at(name), arena + 1, above(arena + 1, "arena_bytes", arena));
                }
                case(&at("ends"), begins + 1, above(begins + 1, "begins", begins));
            }
            if let Some(identity) = &plan.identity {
                let arena = identity.plan.arena_bytes;
                case(
                    "identity.plan.arena_bytes",
                    arena + 1,
                    unlike(arena + 1, arena),
                );
            }
            for name in ["arena_bytes", "store_bytes"] {
                let (value, most) = match name {
                    "arena_bytes" => (report.arena_bytes + 1, report.arena_bytes),
                    _ => (report.store_bytes + 1, report.store_bytes),
                };
                let what = format!("it is {value}, where the most of any plan is {most}");
                cases.push((name.to_owned(), value, what));
            }
            for (place, value, what) in cases {
                let pointer = place.replace('[', "/").replace(']', "").replace('.', "/");
                let mut json = valid.clone();
                let number = json.pointer_mut(&format!("/{pointer}")).unwrap();
                *number = json!(value);
                let refused = Report::from_json(&json.to_string()).unwrap_err();
                assert_eq!(
                    refused,
                    ReportError::Form { place, what },
                    "{}",
                    report.graph
                );
            }
        }
    }
}
