//! What a file says of a graph, and where it contradicts it.

use std::path::PathBuf;

use gpu_graph_analysis::Analysis;
use gpu_graph_analysis::measured::Profile;

use super::*;
use crate::codegen;
use crate::lower::{Cx, Decls, KernelDecl, Lowered};

/// Of the graphs that [`Named`] makes, which has `x`, `y = f(&x)` and `z = g(&x)`.
const OWN: &str = r#"{
 "version": 2, "graph": "G", "device": "host", "dims": [{"name": "n", "value": 64}],
 "programs": [{
  "variant": null, "source": "SOURCE", "program": "00000000000000bb", "runs": 2,
  "arena_bytes": 512, "live_bytes": SPREAD, "run_nanoseconds": SPREAD, "period_nanoseconds": SPREAD, "resolution_nanoseconds": 0,
  "kernels": [
   {"kernel": "f", "dims": [64], "launches": 2,
    "nanoseconds": {"least": 5, "low": null, "median": 7, "high": null, "most": 9}},
   {"kernel": "g", "dims": [32, 2], "launches": 2,
    "nanoseconds": {"least": 50, "low": null, "median": 70, "high": null, "most": 90}}
  ],
  "tasks": [
   {"task": "upload x", "origin": 0, "launch": null, "nanoseconds": SPREAD},
   {"task": "y = f", "origin": 1, "launch": 0, "nanoseconds": SPREAD},
   {"task": "z = g", "origin": 2, "launch": 1, "nanoseconds": SPREAD}
  ]
 }]
}"#;

/// `text` with something seen wherever nothing asks what.
fn seen(text: &str) -> String {
    let any = r#"{"least": 1, "low": null, "median": 1, "high": null, "most": 1}"#;
    text.replace("SPREAD", any)
}

/// A graph that names this file, which goes with it.
struct Named {
    file: PathBuf,
    /// `g`, or `lib::g::<n / 2, 2>`.
    callee: &'static str,
    /// There is a choice, of two that are the same.
    variants: bool,
}

impl Named {
    fn new(name: &str) -> Self {
        let name = format!("gpu-graph-{}-{name}.json", std::process::id());
        let file = std::env::temp_dir().join(name);
        Self {
            file,
            callee: "g",
            variants: false,
        }
    }

    /// What becomes of the file, or notes of the only fault.
    fn found(&self) -> Result<(Digest, Profile), Vec<String>> {
        self.with(|planned, _| {
            let declared = &planned[0].0.model.declared;
            (declared.source.unwrap(), declared.profile.clone().unwrap())
        })
    }

    /// What the graph comes to, if it is accepted, with the kernels that are declared beside it.
    fn with<R>(
        &self,
        of: impl FnOnce(&[(Lowered<'_>, Analysis)], &[KernelDecl<'_>]) -> R,
    ) -> Result<R, Vec<String>> {
        let file = &self.file;
        let call = format!("{}(&x, &y[..2]);", self.callee);
        let last = match self.variants {
            false => format!("output z: [f32; n / 2] = {call}"),
            true => format!(
                "variant how {{ one, two }}
                output z: [f32; n / 2];
                match how {{ one => {{ z = {call} }} two => {{ z = {call} }} }}"
            ),
        };
        let text = format!(
            "kernel f(x: &[f32; n]) -> [f32; n] {{ host k::f }}
            kernel g(x: &[f32; 2 * n], by: &[f32; m]) -> [f32; n] {{ host k::g }}
            graph G {{
                dim n in 2..=99;
                profile {file:?};
                input x: [f32; 2 * (n / 2)];
                output y: [f32; 2 * (n / 2)] = f(&x);
                {last}
            }}"
        );
        let mut cx = Cx::default();
        let tokens = text.parse().unwrap();
        let items = crate::parse::items(tokens, &mut cx.sites, &mut cx.errors);
        let kernels = crate::lower::kernels(&items.kernels, &mut cx);
        let decls = Decls::new(&kernels, &[]);
        let proved = crate::proved(&items.graphs[0], &decls, &mut cx);
        let mut faults = cx.errors.take();
        match (proved, faults.pop()) {
            (Some(variants), None) => Ok(of(&variants, &kernels)),
            (None, Some(fault)) if faults.is_empty() => Err(fault.notes),
            (_, last) => panic!("{faults:?} {last:?}"),
        }
    }

    /// `OWN` of the source of the graph.
    fn own(&self) -> String {
        std::fs::write(&self.file, seen(OWN).replace("SOURCE", "00000000000000ab")).unwrap();
        let (source, _) = self.found().unwrap_or_else(|why| panic!("{why:?}"));
        OWN.replace("SOURCE", &source.to_string())
    }

    /// What `text` comes to.
    fn of(&self, text: &str) -> Result<Profile, Vec<String>> {
        std::fs::write(&self.file, seen(text)).unwrap();
        self.found().map(|(_, profile)| profile)
    }
}

impl Drop for Named {
    fn drop(&mut self) {
        // It may never have been written.
        let _ = std::fs::remove_file(&self.file);
    }
}

#[test]
fn a_file_of_another_source_is_stale() {
    let named = Named::new("stale");
    std::fs::write(&named.file, seen(OWN).replace("SOURCE", "00000000000000ab")).unwrap();
    let (_, found) = named.found().unwrap_or_else(|why| panic!("{why:?}"));
    assert_eq!(found.measured, None);
    assert_eq!(found.sources, [digest("00000000000000ab")]);
}

/// Of a program that makes values again, wherever it does that.
#[test]
fn what_was_measured_is_held_by_what_tasks_do() {
    let named = Named::new("again");
    let own = named.own();
    let of = |text: &str| {
        let found = named.of(text).unwrap_or_else(|why| panic!("{why:?}"));
        let measured = found.measured.unwrap();
        [0, 1, 2, 3].map(|task| measured.of(task).map(|launch| launch.median))
    };
    let known = [None, Some(7), Some(70), None];
    assert_eq!(of(&own), known);
    let again = r#"{"task": "y = f again", "origin": 1, "launch": 0, "nanoseconds": SPREAD}"#;
    for before in ["   {\"task\": \"z = g\"", "\n  ]\n }]"] {
        let (more, after) = match before.starts_with('\n') {
            true => (format!(",\n   {again}"), before),
            false => (format!("   {again},\n"), before),
        };
        let text = own.replacen(before, &format!("{more}{after}"), 1);
        assert_ne!(text, own);
        let text = text.replacen("\"launches\": 2", "\"launches\": 4", 1);
        assert_eq!(of(&text), known, "{text}");
    }
}

#[test]
fn a_file_that_contradicts_its_graph_is_refused_at_its_place() {
    let named = Named::new("own");
    let own = named.own();
    let found = named.of(&own).unwrap_or_else(|why| panic!("{why:?}"));
    assert!(found.measured.is_some(), "{found:?}");
    let dims = "[{\"name\": \"n\", \"value\": 64}]";
    for (from, to, at, what) in [
        (
            "ue\": 64",
            "ue\": 100",
            "[",
            "`n` is 100, and not in 2..=99",
        ),
        ("ue\": 64", "ue\": 0", "[", "`n` is 0, and not in 2..=99"),
        ("\"n\"", "\"m\"", "[", "the graph has no dim `m`"),
        (dims, "[]", "[", "the dim `n` is missing"),
        (
            "\"variant\": null",
            "\"variant\": \"how=new\"",
            "\"how=new\"",
            "the graph has no variant `how=new`",
        ),
        (
            "dims\": [64]",
            "dims\": [64, 2]",
            "{\"task\": \"y",
            "`y = f` launches `f` at [64], and not at [64, 2]",
        ),
        (
            "dims\": [32, 2]",
            "dims\": [32, 1]",
            "{\"task\": \"z",
            "`z = g` launches `g` at [32, 2], and not at [32, 1]",
        ),
        (
            "\"kernel\": \"f\"",
            "\"kernel\": \"h\"",
            "{\"task\": \"y",
            "`y = f` launches `f`, and not `h`",
        ),
        (
            "  ]\n }]",
            "   , {\"task\": \"z\", \"origin\": 3, \"launch\": null, \"nanoseconds\": SPREAD}\n  ]\n }]",
            "[\n   {\"task\"",
            "they come from 4 tasks of a graph, and this one has 3",
        ),
    ] {
        assert!(own.contains(from), "{from}");
        let text = own.replacen(from, to, 1);
        let why = named.of(&text).err();
        let [line, column] = place(&text, at);
        let note = format!("line {line}, column {column}: {what}");
        assert_eq!(why, Some(vec![note]), "{from} as {to}");
    }
    let of = |changes: &[(&str, &str)]| {
        let text = changes.iter().fold(own.clone(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replacen(from, to, 1)
        });
        let mut why = named.of(&text).err().unwrap_or_default();
        why.pop().unwrap_or_default()
    };
    // `g` is launched by what launches nothing.
    let why = of(&[
        ("\"launch\": 1", "\"launch\": null"),
        ("\"launch\": null", "\"launch\": 1"),
    ]);
    assert!(why.ends_with(": `upload x` launches nothing"), "{why}");
    let start = own.find("   {\"kernel\": \"f\"").unwrap();
    let f = &own[start..own.find("   {\"kernel\": \"g\"").unwrap()];
    let why = of(&[
        (f, ""),
        ("\"launch\": 0", "\"launch\": null"),
        ("\"launch\": 1", "\"launch\": 0"),
    ]);
    assert!(why.ends_with(": `y = f` launches a kernel"), "{why}");
    let upload =
        "   {\"task\": \"upload x\", \"origin\": 0, \"launch\": null, \"nanoseconds\": SPREAD},\n";
    let y = "   {\"task\": \"y = f\", \"origin\": 1, \"launch\": 0, \"nanoseconds\": SPREAD},\n";
    let why = of(&[
        (f, ""),
        (upload, ""),
        (y, ""),
        (
            "\"origin\": 2, \"launch\": 1",
            "\"origin\": 0, \"launch\": 0",
        ),
    ]);
    let one = ": they come from 1 task of a graph, and this one has 3";
    assert!(why.ends_with(one), "{why}");
    let start = own.find("   {\"kernel\"").unwrap();
    let end = own.find("\n  ],\n  \"tasks").unwrap();
    let none = format!("{}{}", &own[..start], &own[end..]);
    let none = none.replace("\"launch\": 0", "\"launch\": null");
    let why = named.of(&none.replace("\"launch\": 1", "\"launch\": null"));
    let why = why.err().unwrap_or_default();
    assert!(why[0].ends_with(": no launch was measured"), "{why:?}");
    let start = own.find("{\n  \"variant").unwrap();
    let program = &own[start..own.len() - 3];
    let twice = own.replacen(program, &format!("{program}, {program}"), 1);
    let why = named.of(&twice).err().unwrap_or_default();
    assert!(
        why[0].ends_with("program 00000000000000bb is there twice"),
        "{why:?}"
    );
}

/// What a kernel from elsewhere is called is asserted where that is seen, its dims are known here.
#[test]
fn launches_of_kernels_from_elsewhere_are_held_against_their_calls() {
    let mut named = Named::new("elsewhere");
    named.callee = "lib::g::<n / 2, 2>";
    let own = named.own();
    let other = own.replacen("\"kernel\": \"g\"", "\"kernel\": \"other\"", 1);
    std::fs::write(&named.file, seen(&other)).unwrap();
    let built = named.with(|planned, kernels| {
        let items = codegen::graph(planned[0].0.ast, planned, kernels);
        items.to_string()
    });
    let built = built.unwrap_or_else(|why| panic!("{why:?}"));
    let asserted = built.split_once(":: measured (").unwrap().1;
    let asserted = asserted.split_once(')').unwrap().0;
    assert!(asserted.ends_with(", \"other\""), "{asserted}");
    let text = own.replacen("dims\": [32, 2]", "dims\": [32]", 1);
    let why = named.of(&text).err().unwrap_or_default();
    let what = "`z = lib::g` launches `g` at [32, 2], and not at [32]";
    assert!(why[0].ends_with(what), "{why:?}");
}

#[test]
fn a_program_is_of_a_variant_where_the_graph_has_any() {
    let mut named = Named::new("variants");
    named.variants = true;
    let own = named.own();
    let why = named.of(&own).err().unwrap_or_default();
    let none = "line 4, column 14: the graph has variants, and none is named";
    assert_eq!(why, [none]);
    let two = own.replace("\"variant\": null", "\"variant\": \"how=two\"");
    let found = named.of(&two.replace("z = g", "how=two.z = g"));
    assert!(found.is_ok_and(|found| found.measured.is_some()));
}
