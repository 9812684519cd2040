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
