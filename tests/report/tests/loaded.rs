//! What loads decide is of `docs/load.schema.json`, and says what the text says.
#![forbid(unsafe_code)]

#[path = "../../../runtime/tests/facade_support/mod.rs"]
mod facade_support;
#[path = "../../../runtime/tests/facade_support/margin.rs"]
mod margin;

use std::fs;
use std::path::Path;

use gpu_graph::gpu_graph;
use gpu_graph::memory::Memory;
use gpu_graph::report::{Decision, LoadReport};
use gpu_graph_runtime::graph::Graph;
use serde_json::{Value, json};

gpu_graph! {
    kernel double(x: &[u32; n]) -> [u32; n] { host host::double }

    graph Either {
        dim n in 1..=100_000;
        variant how { once, twice }
        input x: [u32; n];
        output y: [u32; n];
        match how {
            once => { y = double(&x); }
            twice => {
                let t: [u32; n] = double(&x);
                y = double(&t);
            }
        }
    }
}

mod host {
    pub fn double<D>(x: &[u32], out: &mut [u32], _: D) {
        out.iter_mut().zip(x).for_each(|(o, x)| *o = 2 * x);
    }
}

/// What is wrong with a load, by the schema.
fn faults(json: &Value) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/load.schema.json");
    let schema = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults = validator.iter_errors(json);
    faults
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect()
}

/// A load of each decision: placed anew, nothing gained, refused.
fn loads() -> [Memory; 3] {
    let device = gpu_graph::host();
    let [few, most] = [7, 100_000].map(|n| Either::load(&device, either::Dims { n }).unwrap());
    let refused = Graph::load(&device, margin::behind_a_margin(), &[5]).unwrap();
    [few.memory(), most.memory(), refused.memory()].map(Clone::clone)
}

/// The text has what the data has, in the same place, and as often.
fn same(memory: &Memory, load: &LoadReport) {
    let text = memory.to_string();
    let part = |what: &str, bytes: u64| {
        let said = format!("  {what:<10}{bytes} bytes");
        assert!(bytes == 0 || text.contains(&said), "{what} {bytes}: {text}");
    };
    part("arena", load.actual.arena_bytes);
    part("store", load.actual.store_bytes);
    part("staging", load.actual.staging_bytes);
    let placed = match &load.decision {
        Decision::PlacedAnew {} => "anew at load",
        Decision::NothingGained {} => "as planned: nothing would be smaller",
        _ => "as planned: the verifier refused",
    };
    assert!(text.contains(&format!("  placed    {placed}")), "{text}");
    let mut guards = text.lines().filter(|line| line.starts_with("  guard "));
    let mut plans = text.lines().filter(|line| line.starts_with("  fallback "));
    for program in &load.programs {
        let Some(guard) = &program.guard else {
            continue;
        };
        let (told, plan) = (guards.next().unwrap(), plans.next().unwrap());
        let found = guard.fired.as_deref().unwrap_or("it holds");
        assert!(told.contains(&format!("`{}`", guard.check)), "{told}");
        let bytes = program.needed_arena_bytes;
        let said = format!("with an arena of {bytes} bytes: {found}");
        assert!(told.ends_with(&said), "{told}");
        let used = if program.fallback {
            "used, and verified at these dims"
        } else {
            "not needed"
        };
        let said = format!("{} bytes: {used}", program.planned_arena_bytes);
        assert!(plan.ends_with(&said), "{plan}");
    }
    assert_eq!((guards.next(), plans.next()), (None, None), "{text}");
}

#[test]
fn loads_of_every_decision_are_of_the_schema_and_say_what_the_text_says() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("loads");
    for memory in loads() {
        let load = memory.report();
        let path = memory.export(folder.join(&load.graph)).unwrap();
        assert!(path.ends_with("load.json"));
        let written = fs::read_to_string(path).unwrap();
        assert_eq!(LoadReport::from_json(&written).as_ref(), Ok(&load));
        let value: Value = serde_json::from_str(&written).unwrap();
        assert_eq!(faults(&value), [""; 0], "{}", load.graph);
        same(&memory, &load);
    }
    let [anew, kept, refused] = loads().map(|memory| memory.report());
    let plans = Either::RECORD.report().plans;
    assert_eq!(
        (anew.programs.len(), kept.programs.len()),
        (plans.len(), plans.len())
    );
    assert_eq!(anew.decision, Decision::PlacedAnew {});
    assert!(anew.actual == anew.needed && anew.actual.arena_bytes < anew.planned.arena_bytes);
    assert_eq!(kept.decision, Decision::NothingGained {});
    assert!(
        kept.programs
            .iter()
            .all(|one| one.guard.is_none() && !one.fallback)
    );
    assert!(matches!(
        refused.decision,
        Decision::Refused { program: 0, .. }
    ));
    assert!(
        refused.actual == refused.planned
            && refused.needed.arena_bytes < refused.actual.arena_bytes
    );
}

#[test]
fn what_contradicts_itself_or_the_schema_is_refused() {
    let valid =
        loads().map(|memory| serde_json::from_str::<Value>(&memory.report().to_json()).unwrap());
    let changed = |of: usize, change: &dyn Fn(&mut Value)| {
        let mut json = valid[of].clone();
        change(&mut json);
        json
    };
    let refused = |json: &Value| {
        LoadReport::from_json(&json.to_string())
            .unwrap_err()
            .to_string()
    };
    let form = [
        changed(0, &|v| v["version"] = json!(2)),
        changed(0, &|v| v["more"] = json!(1)),
        changed(0, &|v| v["decision"]["kind"] = json!("moved")),
        changed(0, &|v| v["decision"]["program"] = json!(0)),
        changed(0, &|v| {
            drop(v["programs"][0].as_object_mut().unwrap().remove("guard"))
        }),
        changed(2, &|v| v["decision"]["violation"] = json!(7)),
    ];
    for json in form {
        assert_ne!(faults(&json), [""; 0], "{json}");
        refused(&json);
    }
    let said = [
        (
            changed(0, &|v| v["dims"] = json!([v["dims"][0], v["dims"][0]])),
            "`dims[1]`",
        ),
        (
            changed(0, &|v| v["actual"] = v["planned"].clone()),
            "`actual`",
        ),
        (
            changed(1, &|v| v["total_bytes"] = json!(1)),
            "`total_bytes`",
        ),
        (
            changed(0, &|v| v["programs"][1]["guard"] = json!(null)),
            "`programs[1]`",
        ),
        (
            changed(0, &|v| v["programs"][0]["fallback"] = json!(true)),
            "`programs[0]`",
        ),
        (
            changed(2, &|v| v["programs"][0]["guard"]["fired"] = json!(null)),
            "`decision`",
        ),
        (
            changed(2, &|v| v["decision"]["program"] = json!(1)),
            "`decision`",
        ),
    ];
    for (json, place) in said {
        let error = refused(&json);
        assert!(error.starts_with(place), "{error}");
    }
}
