//! Every refused program has an accepted twin, and every code a refused program.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use gpu_graph_analysis::fault::{ALL, UNTOLD};

/// `family/name` of every program below `kind`.
fn programs(kind: &str) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(kind);
    let mut found = BTreeSet::new();
    for family in fs::read_dir(root).unwrap() {
        let family = family.unwrap();
        for file in fs::read_dir(family.path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|e| e == "rs") {
                let family = family.file_name().into_string().unwrap();
                let name = path.file_stem().unwrap().to_str().unwrap();
                found.insert(format!("{family}/{name}"));
            }
        }
    }
    found
}

#[test]
fn every_refused_program_has_an_accepted_twin() {
    let (fail, pass) = (programs("fail"), programs("pass"));
    let alone: Vec<_> = fail.difference(&pass).collect();
    assert!(
        alone.is_empty(),
        "refused, without a twin under `pass`: {alone:?}"
    );
    assert!(!fail.is_empty());
}

#[test]
fn every_code_that_a_macro_call_can_meet_has_a_refused_program() {
    let fail = programs("fail");
    for (code, title) in ALL {
        if UNTOLD.contains(code) {
            continue; // no text of the language leads there
        }
        let prefix = format!("/gg{:04}_", code.0);
        assert!(
            fail.iter().any(|name| name.contains(&prefix)),
            "{code} ({title}) has no program under `fail`"
        );
    }
}
