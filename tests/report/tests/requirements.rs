//! `docs/requirements.md` names every rule of the specification once, and what it names is there: tests and
//! files by name, and what records say in records that are made here.
#![forbid(unsafe_code)]

#[path = "../../../analysis/tests/common/mod.rs"]
mod common;
#[path = "../../../runtime/tests/explain_support/mod.rs"]
mod explain_support;
mod graphs;
#[path = "../../../runtime/tests/report_support/mod.rs"]
mod report_support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Rules of each section, as the specification numbers them.
#[rustfmt::skip]
const RULES: &[(&str, usize)] = &[
    ("L.core", 3), ("L.audit", 2), ("L.frontier", 7), ("L.class", 8), ("L.peak", 6), ("L.step", 12),
    ("L.growth", 6), ("L.alias", 11), ("L.remat", 13), ("L.cost", 13), ("L.handoff", 1), ("L.fail", 16),
    ("L.record", 14), ("L.gate", 12),
    ("S.core", 3), ("S.audit", 2), ("S.law", 5), ("S.retention", 5), ("S.owner", 3), ("S.cleanup", 6),
    ("S.step", 11), ("S.version", 9), ("S.checkpoint", 4), ("S.cost", 8), ("S.handoff", 1),
    ("S.fail", 15), ("S.record", 15), ("S.gate", 15),
    ("V.core", 3), ("V.audit", 10), ("V.snapshot", 1), ("V.frag", 10), ("V.contiguity", 5),
    ("V.step", 10), ("V.mechanism", 1), ("V.bound", 8), ("V.cost", 9), ("V.handoff", 1),
    ("V.fail", 16), ("V.record", 14), ("V.gate", 13),
];

fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    own.canonicalize().unwrap()
}

/// Rows of the tables: the rules, and the marks between backticks behind them.
fn rows() -> Vec<(Vec<String>, Vec<String>)> {
    let page = fs::read_to_string(root().join("docs/requirements.md")).unwrap();
    let mut rows = Vec::new();
    for line in page.lines() {
        let cells: Vec<&str> = line.split(" | ").collect();
        let Some(rule) = cells[0].strip_prefix("| ") else {
            continue;
        };
        let Some((section, number)) = rule.rsplit_once('.') else {
            continue;
        };
        if !RULES.iter().any(|r| r.0 == section) {
            continue;
        }
        let (from, to) = number.split_once(" to ").unwrap_or((number, number));
        let (from, to): (usize, usize) = (from.parse().unwrap(), to.parse().unwrap());
        let rules = (from..=to).map(|n| format!("{section}.{n}")).collect();
        let marks = cells[1].split('`').skip(1).step_by(2);
        rows.push((rules, marks.map(str::to_owned).collect()));
    }
    rows
}

/// Sources below `folder`.
fn sources(folder: &str, found: &mut Vec<PathBuf>) {
    let root = root();
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
        if path.is_dir() {
            if !name.ends_with("target") {
                sources(name, found);
            }
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
}

fn text_of(folders: &[&str]) -> String {
    let mut found = Vec::new();
    folders.iter().for_each(|f| sources(f, &mut found));
    let texts = found.iter().map(|path| fs::read_to_string(path).unwrap());
    texts.collect::<Vec<_>>().join("\n")
}

/// What records say of graphs of every kind, of the examples, and of each of their combinations of
/// variants, without the words at their ends, which are the same in each.
fn records() -> Vec<&'static str> {
    let each = graphs::plans().into_iter().map(|(record, _)| {
        let text = record.text();
        text.split_once("\nwords\n").map_or(text, |(own, _)| own)
    });
    each.collect()
}

#[test]
fn every_rule_is_there_once() {
    let all = rows().into_iter().flat_map(|(rules, _)| rules);
    let all: Vec<String> = all.collect();
    let named: BTreeSet<&String> = all.iter().collect();
    assert_eq!(named.len(), all.len(), "a rule stands twice");
    let wanted = RULES
        .iter()
        .flat_map(|(section, count)| (1..=*count).map(move |n| format!("{section}.{n}")));
    let wanted: BTreeSet<String> = wanted.collect();
    let missing: Vec<_> = wanted.iter().filter(|rule| !named.contains(rule)).collect();
    assert!(missing.is_empty(), "missing: {missing:?}");
    assert_eq!(
        named.len(),
        wanted.len(),
        "a rule that the specification does not have"
    );
}

/// There is a function of that name, and it is a test, or one of the suite for a GPU.
fn is_test(sources: &str, name: &str) -> bool {
    let head = format!("fn {name}(");
    let mut found = sources.match_indices(&*head);
    found.any(|(at, _)| {
        let above = sources[..at].lines().rev().map(str::trim);
        let mut attributes = above.take_while(|line| line.is_empty() || line.starts_with("#["));
        let suite = format!("{head}gpu: &dyn Gpu)");
        attributes.any(|line| line == "#[test]") || sources[at..].starts_with(&suite)
    })
}

#[test]
fn what_shows_a_rule_exists() {
    let tests = text_of(&[
        "analysis",
        "macros",
        "runtime",
        "tests",
        "ui-tests/tests",
        "examples",
    ]);
    let records = records();
    let mut wrong = Vec::new();
    for (rules, marks) in rows() {
        if marks.is_empty() {
            wrong.push(format!("{}: nothing shows it", rules[0]));
        }
        let runs = |mark: &String| mark.starts_with("test:") || mark.starts_with("ui:");
        if rules[0].starts_with("L.") && !marks.iter().any(runs) {
            wrong.push(format!("{}: nothing that runs shows it", rules[0]));
        }
        for mark in marks {
            let (kind, name) = mark.split_once(':').unwrap_or((mark.as_str(), ""));
            let there = match kind {
                "test" => is_test(&tests, name),
                "ui" => ["fail", "pass"]
                    .iter()
                    .all(|kind| root().join(format!("ui-tests/{kind}/{name}.rs")).exists()),
                "record" => !name.is_empty() && records.iter().any(|text| text.contains(name)),
                "file" | "handoff" => root().join(name).exists(),
                "open" => ["state", "memory"].contains(&name),
                _ => false,
            };
            if !there {
                wrong.push(format!("{}: `{mark}` is not there", rules[0]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
