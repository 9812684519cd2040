//! Explanations and pages hold to the order that the plan has, and to what it makes one range in place.
#![forbid(unsafe_code)]

#[path = "../../../analysis/tests/common/mod.rs"]
mod common;
#[path = "../../../runtime/tests/explain_support/mod.rs"]
mod explain_support;
mod graphs;
#[path = "../../../runtime/tests/report_support/mod.rs"]
mod report_support;

use std::collections::BTreeSet;

use gpu_graph::explain::{Obstacle, Relation, Storage};
use gpu_graph::report::{Mode, Plan, Proof};
use graphs::tone::Tone;

fn tone() -> Plan {
    Tone::RECORD.report().plans.remove(0)
}

/// For each task, the tasks that come before it in the plan: dependencies, added orders and streams.
fn before(plan: &Plan) -> Vec<BTreeSet<u32>> {
    let mut all = vec![BTreeSet::new(); plan.tasks.len()];
    for &task in &plan.order.issue {
        let dependencies = plan.order.dependencies.iter().map(|d| (d.before, d.after));
        let added = plan.order.added.iter().map(|a| (a.before, a.after));
        let right = dependencies
            .chain(added)
            .filter(|(_, after)| *after == task);
        let right: Vec<u32> = right.map(|(before, _)| before).collect();
        for t in right {
            let further = all[t as usize].clone();
            all[task as usize].extend(further);
            all[task as usize].insert(t);
        }
    }
    all
}

#[test]
fn nothing_is_in_the_way_that_the_plan_has_over_before_or_begun_after() {
    let plan = tone();
    let before = before(&plan);
    let over = |a: usize, b: usize| {
        let (a, b) = (&plan.resources[a], &plan.resources[b]);
        let one = |user: &u32| {
            b.first
                .iter()
                .all(|start| before[*start as usize].contains(user))
        };
        !a.host && a.last.iter().all(one)
    };
    let at = |name: &str| {
        let found = plan.resources.iter().position(|r| r.name == name);
        found.expect("a resource of the graph")
    };
    let mut told = 0;
    for a in &plan.resources {
        for b in &plan.resources {
            let found = Tone::RECORD
                .explain(&a.name, &b.name)
                .expect("both are known");
            let Storage::Apart(why) = &found.storage else {
                continue;
            };
            for (own, obstacles) in [(&a.name, &why[0]), (&b.name, &why[1])] {
                for obstacle in obstacles {
                    let [x, y] = match obstacle {
                        Obstacle::Occupant(name) => [own.as_str(), *name],
                        Obstacle::InPlace(names) => *names,
                        _ => continue,
                    };
                    let (x, y) = (at(x), at(y));
                    assert!(!over(x, y) && !over(y, x), "{found}");
                    told += 1;
                }
            }
        }
    }
    assert!(told > 3, "{told}");
}

#[test]
fn what_is_one_range_in_place_is_explained_as_one() {
    let found = Tone::RECORD
        .explain("detail", "gx")
        .expect("both are known");
    let whole = found.in_place.as_ref().map(|of| &of.relation);
    assert!(matches!(whole, Some(Relation::Refused { .. })), "{found}");
    assert_eq!(found.storage, Storage::NotEligible);
    let text = found.to_string();
    assert!(
        text.contains("in place, `gx` and `mag` are one range; of all of it"),
        "{text}"
    );
    assert!(!text.contains("an `order`"), "{text}");
    // The only order that admits it is that of the whole range.
    let found = Tone::RECORD
        .explain("ground", "gx")
        .expect("both are known");
    let text = found.to_string();
    let order = "`lack`, which reads `ground`, before `gx = dx`";
    assert!(
        text.contains(&order.replace("`lack`", "`detail = lack`")),
        "{text}"
    );
}

#[test]
fn an_update_is_told_as_one_on_the_page() {
    let (plan, page) = (tone(), Tone::RECORD.report().to_html());
    let updates = plan.tasks.iter().flat_map(|task| &task.accesses);
    let updates = updates.filter(|access| access.mode == Mode::Update).count();
    assert!(updates > 0);
    assert_eq!(page.matches(">updated</span>").count(), updates);
}

#[test]
fn live_ranges_are_counted_with_what_they_become_in_place() {
    let (plan, page) = (tone(), Tone::RECORD.report().to_html());
    let in_place = |proof: &Proof| matches!(proof, Proof::InPlace { .. });
    let updates = plan
        .aliases
        .iter()
        .filter(|alias| in_place(&alias.proof))
        .count();
    assert!(
        updates > 0 && page.contains(&format!(" where others were, {updates} of them in place; "))
    );
    let taken = plan
        .candidates
        .iter()
        .find(|one| one.accepted)
        .expect("one is taken");
    assert!(page.contains(&format!(
        "; {} are released within the run, ",
        taken.totals.ends
    )));
    let text = Tone::RECORD.text();
    let released = text.matches("    released  when all of ").count();
    assert_eq!(released as u64, taken.totals.ends);
    assert_eq!(taken.reason, "taken");
}
