//! Profiles are of `docs/profile.schema.json`, and judged records of theirs.
#![forbid(unsafe_code)]

#[path = "../../measured/graphs.rs"]
mod graphs;
#[path = "../../measured/host.rs"]
mod host;

use std::fs;
use std::path::Path;

use gpu_graph::report::{Measured, ProfileLog, Report};
use graphs::{chosen, plain};
use serde_json::{Value, json};

/// What is wrong with a file, by the schema of that name.
fn faults(schema: &str, json: &Value) -> Vec<String> {
    let path = format!("../../docs/{schema}.schema.json");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let schema = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults = validator.iter_errors(json);
    faults
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect()
}

macro_rules! measured {
    ($of:ident, $runs:expr) => {{
        let mut log = ProfileLog::new();
        let dims = $of::twice::Dims { n: 16 };
        let mut graph = $of::Twice::load(&gpu_graph::host(), dims).unwrap();
        graph.profile(true).unwrap();
        for _ in 0..$runs {
            let run = graph.run($of::twice::Inputs { x: vec![1f32; 16] }).unwrap();
            log.add(&run.profile().unwrap().unwrap()).unwrap();
        }
        log.measured().unwrap()
    }};
}

#[test]
fn profiles_are_of_their_schema_and_it_refuses_what_the_reader_refuses() {
    for measured in [measured!(plain, 1), measured!(chosen, 8)] {
        let valid: Value = serde_json::from_str(&measured.to_json()).unwrap();
        assert_eq!(faults("profile", &valid), [""; 0]);
        let changed = |change: &dyn Fn(&mut Value)| {
            let mut json = valid.clone();
            change(&mut json);
            json
        };
        let wrong = [
            changed(&|v| v["version"] = json!(1)),
            changed(&|v| v["device"] = json!(null)),
            changed(&|v| v["more"] = json!(1)),
            changed(&|v| v["programs"][0]["source"] = json!("12")),
            changed(&|v| v["programs"][0]["runs"] = json!(-1)),
            // Nothing was seen.
            changed(&|v| v["programs"][0]["runs"] = json!(0)),
            changed(&|v| v["programs"][0]["kernels"][0]["launches"] = json!(0)),
            changed(&|v| v["programs"][0]["tasks"][1]["origin"] = json!(null)),
            changed(&|v| v["programs"][0]["kernels"][0]["dims"] = json!([1.5])),
            changed(&|v| v["programs"][0]["tasks"][1]["launch"] = json!("first")),
            changed(&|v| v["programs"][0]["live_bytes"]["median"] = json!(null)),
        ];
        for json in wrong {
            assert_ne!(faults("profile", &json), [""; 0]);
            assert!(Measured::from_json(&json.to_string()).is_err());
        }
    }
}

#[test]
fn a_judged_record_is_of_the_schema_and_its_page_says_what_was_measured() {
    let (before, after) = (measured!(plain, 8), measured!(chosen, 8));
    let report = chosen::Twice::RECORD.judge(&before, &after).unwrap();
    let json = report.to_json();
    assert_eq!(Report::from_json(&json).as_ref(), Ok(&report));
    assert_eq!(
        faults("record", &serde_json::from_str(&json).unwrap()),
        [""; 0]
    );
    let page = report.to_html();
    for shown in [
        "measured finding",
        "8 runs of the baseline and 8 of the plan on host at ",
        "-3.7 KiB",
        &after.programs[0].program.to_string(),
    ] {
        assert!(page.contains(shown), "{shown}");
    }
}
