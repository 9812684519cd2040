//! Reports are of `docs/record.schema.json`, and read back as they were.
#![forbid(unsafe_code)]

#[path = "../../../analysis/tests/common/mod.rs"]
mod common;
#[path = "../../../runtime/tests/explain_support/mod.rs"]
mod explain_support;
mod graphs;
#[path = "../../../runtime/tests/report_support/mod.rs"]
mod report_support;

use std::fs;
use std::path::Path;

use gpu_graph::report::{
    AddedBy, Disposition, Issue, Policy, Proof, Report, ReportError, Target, VERSION,
};
use serde_json::{Value, json};

fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/record.schema.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// What is wrong with a report, by the schema.
fn faults(json: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let faults = validator.iter_errors(json);
    faults
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect()
}

/// Judges a report, and returns it as it is in JSON.
fn judge(report: &Report) -> Value {
    let json = report.to_json();
    assert_eq!(Report::from_json(&json).as_ref(), Ok(report));
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(faults(&value), [""; 0], "{}", report.graph);
    value
}

#[test]
fn reports_of_graphs_of_every_kind_are_of_the_schema() {
    for record in graphs::RECORDS {
        judge(&record.report());
    }
    judge(&graphs::thousand());
}

#[test]
fn all_forms_of_a_record_are_written() {
    for record in graphs::RECORDS {
        let report = record.report();
        let folder = graphs::scratch("all").join(&report.graph);
        let paths = record.export(&folder).unwrap();
        let [text, json, dot, html] = paths.map(|path| fs::read_to_string(path).unwrap());
        assert_eq!((&*text, &*dot), (record.text(), record.dot()));
        assert_eq!((json, html), (report.to_json(), report.to_html()));
    }
}

#[test]
fn the_schema_and_the_reader_refuse_the_same() {
    let valid = judge(&graphs::RECORDS[0].report());
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut json = valid.clone();
        change(&mut json);
        json
    };
    let wrong = [
        changed(&|v| v["plans"][0]["tasks"][2]["stream"] = json!("first")),
        changed(&|v| v["plans"][0]["storage"]["arena"] = json!(-1)),
        changed(&|v| v["plans"][0]["resources"][0]["class"] = json!("temporary")),
        changed(&|v| v["plans"][0]["claims"]["verdict"]["disposition"] = json!("good")),
        changed(&|v| v["plans"][0]["aliases"][0]["proof"]["kind"] = json!("seen once")),
        changed(&|v| v["plans"][0]["order"]["more"] = json!(1)),
        changed(&|v| v["graph"] = json!(null)),
        changed(&|v| drop(v["plans"][0].as_object_mut().unwrap().remove("allocator"))),
        changed(&|v| v["version"] = json!(VERSION + 1)),
    ];
    for json in wrong {
        assert_ne!(faults(&json), [""; 0]);
        assert!(Report::from_json(&json.to_string()).is_err());
    }
}

#[test]
fn what_is_no_report_is_refused_with_its_place() {
    let valid = judge(&graphs::RECORDS[0].report());
    let refused = |json: &Value| Report::from_json(&json.to_string()).unwrap_err();
    let mut json = valid.clone();
    json["version"] = json!(77);
    let (found, known) = (77, VERSION);
    assert_eq!(refused(&json), ReportError::Version { found, known });
    let mut json = valid.clone();
    json["plans"][0]["tasks"][3]["step"] = json!(1.5);
    let ReportError::Form { place, what } = refused(&json) else {
        panic!("it is a fault of form")
    };
    assert_eq!(place, "plans[0].tasks[3].step");
    assert!(
        what.starts_with("invalid type: floating point `1.5`, expected u32"),
        "{what}"
    );
    let mut json = valid.clone();
    json["plans"][0]["order"]
        .as_object_mut()
        .unwrap()
        .remove("waits");
    let ReportError::Form { place, what } = refused(&json) else {
        panic!("it is a fault of form")
    };
    assert_eq!(place, "plans[0].order");
    assert!(what.starts_with("missing field `waits`"), "{what}");
    assert!(matches!(
        Report::from_json("{ \"version\": 1,"),
        Err(ReportError::Syntax {
            line: 1,
            column: 15,
            ..
        })
    ));
    let twice = format!("{valid}{valid}");
    assert!(matches!(
        Report::from_json(&twice),
        Err(ReportError::Syntax { .. })
    ));
}

#[test]
fn what_is_declared_is_in_the_report() {
    let [kinds, _, _, asked, ..] = graphs::RECORDS.map(|record| record.report());
    let purpose = &kinds.plans[0].purpose;
    let scope = "frames of a \"camera\" </script><script>alert(1)</script> & more";
    assert_eq!(purpose.scope.as_deref(), Some(scope));
    let [tolerance] = &purpose.tolerances[..] else {
        panic!("one is declared")
    };
    assert_eq!((&*tolerance.output, &*tolerance.bound), ("y", "1e-5"));
    assert_eq!((purpose.target, &purpose.minimize), (None, &None));
    assert_eq!(purpose.issue, Issue::Streams);
    for task in &kinds.plans[0].tasks {
        let half = task.kernel.as_deref() == Some("half");
        let time = task.time.map(|time| (time.nanoseconds, time.measured));
        assert_eq!(time, half.then_some((12_000, false)), "{}", task.name);
    }
    let verdict = |report: &Report| report.plans[0].claims.verdict.disposition;
    assert_eq!(verdict(&kinds), Disposition::GuardedPolicy);
    let purpose = &asked.plans[0].purpose;
    assert_eq!(purpose.scope.as_deref(), Some("a \\t b"));
    assert_eq!(purpose.target, Some(Target::Latency));
    assert_eq!(purpose.issue, Issue::Graph);
    assert_eq!(
        purpose.minimize.as_deref(),
        Some("peak, then critical_path")
    );
    assert_eq!(verdict(&asked), Disposition::NeedMoreEvidence);
}

#[test]
fn a_plan_that_orders_more_says_what_its_proofs_rest_on() {
    let [kinds, _, _, asked, ..] = graphs::RECORDS.map(|record| record.report());
    assert!(!kinds.plans[0].is_conditional());
    let plan = &asked.plans[0];
    assert!(plan.is_conditional());
    let taken: Vec<_> = plan.candidates.iter().filter(|c| c.accepted).collect();
    let [taken] = taken[..] else {
        panic!("one is taken: {taken:?}")
    };
    assert_ne!(taken.policy, Policy::Alias);
    assert_eq!(taken.totals.arena_bytes, plan.storage.arena);
    assert_eq!(taken.totals.critical_path_nanoseconds, None);
    assert_eq!(taken.deltas.critical_path_nanoseconds, None);
    let least = plan.candidates[0].totals.arena_bytes - plan.storage.arena;
    let saved = taken.deltas.arena_bytes;
    assert_eq!((saved.low, saved.high), (-(least as i64), -(least as i64)));
    assert!(least > 0);
    let dot = graphs::RECORDS[3].dot();
    let drawn = plan
        .order
        .added
        .iter()
        .filter(|added| added.by == AddedBy::Policy);
    let drawn = drawn.map(|edge| {
        let line = format!(
            "  t{} -> t{} [style=dashed, color=orange3];\n",
            edge.before, edge.after
        );
        assert!(dot.contains(&line), "{line} in {dot}");
    });
    assert!(drawn.count() > 0);
    let dependencies = &plan.order.dependencies;
    for alias in &plan.aliases {
        if let Proof::Conditional { missing, .. } = &alias.proof {
            assert!(!missing.is_empty());
            assert!(missing.iter().all(|order| !dependencies.contains(order)));
        }
    }
}

#[test]
fn each_plan_names_its_guards_and_the_program_that_runs_where_one_fires() {
    let (mut variants, mut fixed) = (0, 0);
    for record in graphs::RECORDS {
        for plan in record.report().plans {
            let own = match &plan.variant {
                None => record,
                Some(name) => *record.variant(name).unwrap(),
            };
            variants += usize::from(plan.variant.is_some());
            let guards = &plan.claims.guards;
            assert!(
                own.text()
                    .contains(&format!("guards: {} checks", guards.len()))
            );
            let named = |what: &str| {
                guards
                    .iter()
                    .find(|g| (g.check.clone() + &g.refusal).contains(what))
            };
            let fallback = |what| named(what).and_then(|g| g.fallback.as_deref());
            assert!(
                named("`verify`, which knows nothing").is_some()
                    && fallback("OutOfMemory").is_none()
            );
            assert!(fallback("RunError::InFlight").is_some());
            // Slots are moved where a dim is dynamic, and fall back on those of this very plan.
            let dynamic = !plan.dims.is_empty();
            fixed += usize::from(!dynamic);
            assert_eq!(named("LoadError::Dim").is_some(), dynamic);
            assert_eq!(plan.storage.growth.is_some(), dynamic);
            match fallback("Kept::Refused") {
                Some(program) => assert!(
                    dynamic && program.contains("the slots of this record"),
                    "{program}"
                ),
                None => assert!(!dynamic),
            }
            assert!(!plan.claims.invalidation.is_empty() && plan.claims.falsified_by.len() > 2);
        }
    }
    assert!(variants > 1 && fixed > 0, "{variants} {fixed}");
}

#[test]
fn values_that_are_made_again_are_told_with_every_term() {
    let [.., again] = graphs::RECORDS.map(|record| record.report());
    let plan = &again.plans[0];
    let made: Vec<_> = plan.candidates.iter().filter(|c| c.accepted).collect();
    let made = made.iter().flat_map(|c| &c.reconstructions);
    let made: Vec<_> = made.chain(&plan.demanded).collect();
    let of = |value: &str| made.iter().find(|m| m.value == value).unwrap();
    for value in ["t", "u"] {
        let made = of(value);
        assert_eq!(made.construct_nanoseconds, Some(3_000), "{made:?}");
        assert_eq!(made.workspace_nanoseconds, Some(0), "{made:?}");
        assert!(made.saved_bytes > 0 && made.read_bytes > 0, "{made:?}");
    }
    let refused = plan.not_again.iter();
    let changed = refused.filter(|not| not.reason.contains("`s` is changed by"));
    assert_eq!(changed.count(), 1, "{:?}", plan.not_again);
    let kinds: Vec<_> = plan.kinds.iter().map(|kind| kind.policy).collect();
    let all = [
        Policy::Delay,
        Policy::ReleaseEarlier,
        Policy::RightSize,
        Policy::ShareWorkspace,
        Policy::Alias,
        Policy::ConditionedAlias,
        Policy::Pool,
        Policy::Retain,
        Policy::Recompute,
    ];
    assert_eq!(kinds, all);
}
