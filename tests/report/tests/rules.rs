//! What the specification asks of every record, held against its tables.
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
use std::path::Path;

use gpu_graph::report::{Class, Dependency, Plan, Proof, Resource};

/// Resources that the text writes out; the others are counted.
const LONG: usize = 128;

/// The lines below the first one that begins so, as far as they stand further to the right.
fn below<'a>(text: &'a str, line: &str) -> Vec<&'a str> {
    let deep = |line: &str| line.len() - line.trim_start().len();
    let mut lines = text.lines().skip_while(|l| !l.starts_with(line));
    let Some(head) = lines.next() else {
        panic!("{line} is not in {text}");
    };
    lines.take_while(|l| deep(l) > deep(head)).collect()
}

fn words(class: Class, plan: &Plan, r: usize) -> &'static str {
    match class {
        Class::Input => "input",
        Class::InputMut => "input mut",
        Class::Transient => "transient",
        Class::Output => "output",
        Class::Resident => "resident input",
        Class::Inout
            if plan
                .workspaces
                .iter()
                .any(|w| w.name == plan.resources[r].name) =>
        {
            "preserved workspace"
        }
        Class::Inout => "inout",
        Class::Workspace => "workspace",
        Class::Staging => "staging",
        Class::Escape => "escape",
        Class::Reconstructable => "reconstructable",
        _ => panic!("{class:?}"),
    }
}

#[test]
fn each_resource_is_listed_once_with_its_class_and_its_sizes() {
    let mut seen = BTreeSet::new();
    for (record, plan) in graphs::plans() {
        let text = record.text();
        let names: BTreeSet<&str> = plan.resources.iter().map(|r| &*r.name).collect();
        assert_eq!(names.len(), plan.resources.len());
        // Whatever a task touches is there, and what is there is touched.
        let touched = plan.tasks.iter().flat_map(|task| &task.accesses);
        let touched: BTreeSet<u32> = touched.map(|access| access.resource).collect();
        let all: BTreeSet<u32> = (0..plan.resources.len() as u32).collect();
        assert_eq!(touched, all, "{text}");
        let head = format!("resources: {}, each aligned to 256 bytes", all.len());
        assert!(text.lines().any(|line| line == head), "{head}: {text}");
        for (r, of) in plan.resources.iter().enumerate() {
            assert_eq!(of.bytes, of.payload.next_multiple_of(of.alignment));
            seen.insert(of.class);
            if r < LONG {
                let head = format!("  {}: {} [", of.name, words(of.class, &plan, r));
                let size = below(text, &head)[0];
                assert!(size.contains(&format!("{} bytes", of.law)), "{size}");
            }
        }
        assert!(plan.excluded.len() >= 5, "{:?}", plan.excluded);
    }
    assert_eq!(seen.len(), 9, "{seen:?}");
}

/// Of each task all that completes before it starts, by `edges`.
fn before(plan: &Plan, edges: &[Dependency]) -> Vec<BTreeSet<u32>> {
    let mut before = vec![BTreeSet::new(); plan.tasks.len()];
    let mut edges = edges.to_vec();
    // Every edge leads to a later step.
    edges.sort_unstable_by_key(|edge| plan.tasks[edge.before as usize].step);
    for edge in edges {
        let mut all = before[edge.before as usize].clone();
        all.insert(edge.before);
        before[edge.after as usize].append(&mut all);
    }
    before
}

/// The least and the greatest of the tasks that use a resource, in the order of `before`.
fn frontiers(plan: &Plan, r: u32, before: &[BTreeSet<u32>]) -> [Vec<u32>; 2] {
    let uses = |t: &u32| {
        let of = &plan.tasks[*t as usize].accesses;
        of.iter().any(|access| access.resource == r)
    };
    let users: Vec<u32> = (0..plan.tasks.len() as u32).filter(uses).collect();
    let none = |t: u32, earlier: bool| {
        !users.iter().any(|&other| match earlier {
            true => before[t as usize].contains(&other),
            false => before[other as usize].contains(&t),
        })
    };
    [true, false].map(|earlier| {
        users
            .iter()
            .copied()
            .filter(|&t| none(t, earlier))
            .collect()
    })
}

#[test]
fn frontiers_are_the_least_and_the_greatest_of_the_uses_and_release_waits_for_all() {
    let mut many = 0;
    for (record, plan) in graphs::plans() {
        let before = before(&plan, &plan.order.dependencies);
        let name = |t: &u32| format!("`{}`", plan.tasks[*t as usize].name);
        for (r, of) in plan.resources.iter().enumerate() {
            let own = frontiers(&plan, r as u32, &before);
            assert_eq!([&of.first, &of.last], [&own[0], &own[1]], "{}", of.name);
            many += usize::from(of.last.len() > 1);
            if r >= LONG {
                continue;
            }
            let lines = below(record.text(), &format!("  {}: ", of.name));
            let line = |head: &str| {
                let found = lines.iter().find_map(|line| line.strip_prefix(head));
                found.unwrap_or_else(|| panic!("{head} of {}: {lines:?}", of.name))
            };
            let (first, last) = (line("    first     "), line("    last      "));
            let (created, released) = (line("    created   "), line("    released  "));
            let named = |line: &str, tasks: &[u32]| {
                // Of many the first few are written out.
                tasks.iter().take(4).all(|t| line.contains(&name(t))) || line.contains(" more")
            };
            assert!(named(first, &of.first), "{first}");
            assert!(named(last, &of.last), "{last}");
            if created.starts_with("before ") {
                assert!(named(created, &of.first), "{created}");
            }
            if released.starts_with("when all of ") {
                assert!(!of.host && named(released, &of.last), "{released}");
            }
            assert!(
                !of.host || !released.starts_with("when all of "),
                "{released}"
            );
        }
    }
    assert!(many > 3, "{many} are read by several last tasks");
}

#[test]
fn each_proof_of_shared_storage_holds_by_the_edges_that_it_names() {
    let (mut plain, mut conditional, mut updated) = (0, 0, 0);
    for (_, plan) in graphs::plans() {
        let with = |missing: &[Dependency]| {
            let edges = [&plan.order.dependencies, missing].concat();
            before(&plan, &edges)
        };
        let over = |missing: &[Dependency], last: &[u32], first: &[u32]| {
            let before = with(missing);
            let mut pairs = first
                .iter()
                .flat_map(|t| last.iter().map(move |l| (*l, *t)));
            pairs.all(|(l, t)| before[t as usize].contains(&l))
        };
        let of = |r: u32| -> &Resource { &plan.resources[r as usize] };
        for alias in &plan.aliases {
            let (a, b) = (of(alias.earlier), of(alias.later));
            assert!(
                a.offset < b.end() && b.offset < a.end(),
                "they share storage"
            );
            assert!(!a.host, "the host still reads {}", a.name);
            match &alias.proof {
                Proof::Unconditional { last, first } => {
                    assert_eq!((last, first), (&a.last, &b.first));
                    assert!(over(&[], last, first), "{alias:?}");
                    plain += 1;
                }
                Proof::Conditional {
                    last,
                    first,
                    missing,
                } => {
                    assert_eq!((last, first), (&a.last, &b.first));
                    assert!(
                        !over(&[], last, first) && over(missing, last, first),
                        "{alias:?}"
                    );
                    conditional += 1;
                }
                Proof::InPlace { task, missing } => {
                    let before = with(missing);
                    let ends = |&t: &u32| t == *task || before[*task as usize].contains(&t);
                    let begins = |&t: &u32| t == *task || before[t as usize].contains(task);
                    assert!(
                        a.last.iter().all(ends) && b.first.iter().all(begins),
                        "{alias:?}"
                    );
                    updated += 1;
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(
        plain > 10 && conditional > 0 && updated > 3,
        "{plain} {conditional} {updated}"
    );
}

/// Words of what a device does with memory, and where a record has them for something else.
const PHYSICAL: [(&str, &[&str]); 5] = [
    ("commit", &[]),
    ("residen", &["resident input"]),
    ("fragment", &[]),
    ("physical", &[]),
    ("reserv", &["reserved for isolation domains"]),
];

#[test]
fn what_a_device_does_with_memory_is_told_where_nothing_is_claimed_and_nowhere_else() {
    for (record, plan) in graphs::plans() {
        let text = record.text();
        let (claims, limits) = text.split_once("\nnot claimed\n").unwrap();
        let (limits, _) = limits.split_once("\nwords\n").unwrap();
        // Names are of whoever wrote the graph.
        let claims = claims.split('`').step_by(2);
        for part in claims {
            for (word, others) in PHYSICAL {
                let part = others
                    .iter()
                    .fold(part.to_owned(), |s, of| s.replace(of, ""));
                assert!(!part.contains(word), "{word}: {part}");
            }
        }
        for said in [
            "sizes are logical, each resource at its largest; what a device reserves or commits is another matter",
            "memory of the driver and of its context",
            "reserve, commitment, residency and fragmentation are physical",
            "where that memory resides, and what it takes physically, is the driver's",
        ] {
            assert!(limits.contains(said), "{said}: {limits}");
        }
        // Whoever reads the data finds the same, and no figure with such a name.
        let lists = [&plan.claims.limits, &plan.claims.delegated].map(|list| list.join("\n"));
        let excluded = plan
            .excluded
            .iter()
            .map(|not| format!("{}: {}", not.what, not.why));
        let excluded = excluded.collect::<Vec<_>>().join("\n");
        for (word, _) in &PHYSICAL[..4] {
            assert!((lists.join("\n") + &excluded).contains(word), "{word}");
        }
    }
    let report = graphs::RECORDS[0].report();
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    let mut fields = BTreeSet::new();
    collect(&json, &mut fields);
    assert!(fields.contains("arena_bytes"));
    for (word, _) in PHYSICAL {
        // Bytes that lie in the arena for domains of other combinations.
        let found = fields
            .iter()
            .find(|field| field.contains(word) && **field != "reserved");
        assert_eq!(found, None);
    }
}

/// Names of all fields.
fn collect(value: &serde_json::Value, fields: &mut BTreeSet<String>) {
    match value {
        serde_json::Value::Object(of) => of.iter().for_each(|(name, value)| {
            fields.insert(name.clone());
            collect(value, fields);
        }),
        serde_json::Value::Array(of) => of.iter().for_each(|value| collect(value, fields)),
        _ => {}
    }
}

/// What plans knows of no device: nothing that could back, place or time memory is there to ask.
#[test]
fn the_analysis_is_built_of_nothing_that_knows_a_device() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../analysis/Cargo.toml");
    let manifest = fs::read_to_string(manifest).unwrap();
    let (_, own) = manifest.split_once("\n[dependencies]\n").unwrap();
    let (own, _) = own.split_once("\n\n").unwrap();
    let names = own
        .lines()
        .map(|line| line.split(['.', ' ', '=']).next().unwrap());
    // JSON, options of a command line, and how far two names are apart.
    let names: Vec<_> = names.collect();
    assert_eq!(names, ["jsonc-parser", "lexopt", "strsim"]);
}
