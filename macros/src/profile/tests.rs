//! What is read of a profile, and what is refused, with its place.

use std::path::PathBuf;

use gpu_graph_analysis::measured::Profile;

use super::*;
use crate::lower::{Cx, Decls};

const FILE: &str = r#"{
 "version": 2, "graph": "G", "device": "host",
 "dims": [{"name": "n", "value": 64}],
 "programs": [{
  "variant": null, "source": "00000000000000aa", "program": "00000000000000bb", "runs": 3,
  "resolution_nanoseconds": 0, "arena_bytes": 512, "live_bytes": {}, "run_nanoseconds": {}, "period_nanoseconds": null,
  "kernels": [
   {"kernel": "f", "dims": [64], "launches": 6,
    "nanoseconds": {"least": 5, "low": null, "median": 7, "high": null, "most": 9}},
   {"kernel": "g", "dims": [], "launches": 60,
    "nanoseconds": {"least": 1, "low": 2, "median": 3, "high": 4, "most": 90}}
  ],
  "tasks": [
   {"task": "upload x", "launch": null, "nanoseconds": {}},
   {"task": "y = g", "launch": 1, "nanoseconds": {}}
  ]
 }]
}"#;

fn digest(text: &str) -> Digest {
    Digest::parse(text).unwrap()
}

#[test]
fn costs_are_read_with_what_is_uncertain_of_them() {
    let file = File::read("g.json", FILE).unwrap_or_else(|w| panic!("{:?} {}", w.at, w.what));
    assert_eq!(file.name, "g.json");
    let [program] = &file.programs[..] else {
        panic!("there is one program")
    };
    assert_eq!(program.source, digest("00000000000000aa"));
    let measured = &program.measured;
    assert_eq!((measured.device.as_str(), measured.runs), ("host", 3));
    assert_eq!(measured.dims, [("n".to_owned(), 64)]);
    assert_eq!(measured.program, digest("00000000000000bb"));
    assert_eq!(measured.of_task, [None, Some(1)]);
    // Of few runs nothing is known of the median but that it was seen.
    let [f, g] = &measured.launches[..] else {
        panic!("{:?}", measured.launches)
    };
    assert_eq!((f.low, f.median, f.high), (5, 7, 9));
    assert_eq!((g.low, g.median, g.high, g.count), (2, 3, 4, 60));
    assert_eq!(measured.of(1), Some(g));
    assert_eq!((measured.of(0), measured.of(7)), (None, None));
}

#[test]
fn a_launch_is_as_uncertain_as_its_time_was_read() {
    let text = FILE.replace("nanoseconds\": 0", "nanoseconds\": 3");
    let file = File::read("g.json", &text).unwrap_or_else(|w| panic!("{:?} {}", w.at, w.what));
    let launches = file.programs[0].measured.launches.iter();
    let found: Vec<_> = launches.map(|l| (l.low, l.median, l.high)).collect();
    assert_eq!(found, [(2, 7, 12), (0, 3, 7)]);
}

#[test]
fn a_file_of_another_source_is_stale() {
    let named = Named::new("stale");
    std::fs::write(&named.0, OWN.replace("SOURCE", "00000000000000ab")).unwrap();
    let (_, found) = named.found().unwrap_or_else(|why| panic!("{why:?}"));
    assert_eq!(found.measured, None);
    assert_eq!(found.sources, [digest("00000000000000ab")]);
}

/// Line and column of what `at` begins with.
fn place(text: &str, at: &str) -> [usize; 2] {
    let (mut line, mut column) = (1, 1);
    for (i, letter) in text.char_indices() {
        if text[i..].starts_with(at) {
            return [line, column];
        }
        match letter {
            '\n' => (line, column) = (line + 1, 1),
            _ => column += 1,
        }
    }
    panic!("{at} is not there")
}

#[test]
fn what_is_no_profile_is_refused_at_its_place() {
    let number = "expected a whole number of 64 bits";
    for (from, to, at, what) in [
        (
            "on\": 2",
            "on\": 3",
            "3, \"graph",
            "it is of version 3, where 2 is known",
        ),
        ("ue\": 64", "ue\": 6.5", "6.5", number),
        ("ue\": 64", "ue\": -1", "-1", number),
        ("ue\": 64", "ue\": \"64\"", "\"64\"", number),
        (
            "\"graph\": \"G\", ",
            "",
            "{",
            "the field `graph` is missing",
        ),
        (
            "\"runs\": 3",
            "\"runs\": 3, \"é\": 17",
            "17",
            "the field `é` is not known",
        ),
        (
            "\"runs\": 3",
            "\"runs\": 3, \"runs\": 17",
            "17",
            "the field `runs` is there twice",
        ),
        (
            "0000aa\"",
            "000a\"",
            "\"0000000000000a\"",
            "expected 16 hexadecimal digits",
        ),
        ("launch\": 1", "launch\": 7 ", "7 ", "there is no kernel 7"),
        (
            "median\": 7",
            "median\": 3 ",
            "3 ",
            "the median is not in its range",
        ),
        ("dims\": [64]", "dims\": 67", "67", "expected a list"),
        ("runs\": 3", "runs\": 0", "0,\n", "nothing was seen"),
        (
            "launches\": 60",
            "launches\": 0 ",
            "0 ,",
            "nothing was seen",
        ),
        (
            "\"low\": 2",
            "\"low\": 0",
            "{\"least\": 1,",
            "the range of the median is not in what was seen",
        ),
        (
            "most\": 90",
            "most\": 100000000000001",
            "100000000000001",
            "a launch takes 100000000000000 ns at most",
        ),
        (
            "\"g\", \"dims\": []",
            "\"f\", \"dims\": [64]",
            "{\"kernel\": \"f\", \"dims\": [64], \"launches\": 60",
            "`f` at [64] is there twice",
        ),
        (
            "device\": \"host\"",
            "device\": null",
            "null",
            "expected a string",
        ),
        (
            "[{\"name\": \"n\", \"value\": 64}]",
            "[77]",
            "77",
            "expected an object",
        ),
        (
            " \"version\"",
            " // it\n \"version\"",
            "//",
            "comments are not allowed",
        ),
        (
            "null, \"source",
            "nul, \"source",
            "nul,",
            "unexpected token",
        ),
    ] {
        assert!(FILE.contains(from), "{from}");
        let text = FILE.replacen(from, to, 1);
        let wrong = File::read("g.json", &text).err();
        let wrong = wrong.unwrap_or_else(|| panic!("{from} may become {to}"));
        let found = (wrong.at, wrong.what.as_str());
        assert_eq!(found, (place(&text, at), what), "{from} as {to}");
    }
    let empty = File::read("g.json", "").err().map(|wrong| wrong.what);
    assert_eq!(empty.as_deref(), Some("there is nothing in it"));
}

/// Of the graph that [`Named`] makes.
const OWN: &str = r#"{
 "version": 2, "graph": "G", "device": "host", "dims": [{"name": "n", "value": 64}],
 "programs": [{
  "variant": null, "source": "SOURCE", "program": "00000000000000bb", "runs": 3,
  "resolution_nanoseconds": 0, "arena_bytes": 512, "live_bytes": {}, "run_nanoseconds": {}, "period_nanoseconds": null,
  "kernels": [
   {"kernel": "f", "dims": [64], "launches": 6,
    "nanoseconds": {"least": 5, "low": null, "median": 7, "high": null, "most": 9}}
  ],
  "tasks": [
   {"task": "upload x", "launch": null, "nanoseconds": {}},
   {"task": "y = f", "launch": 0, "nanoseconds": {}}
  ]
 }]
}"#;

/// A graph that names this file, which goes with it.
struct Named(PathBuf);

impl Named {
    fn new(name: &str) -> Self {
        let name = format!("gpu-graph-{}-{name}.json", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    /// What becomes of the file, or notes of the only fault.
    fn found(&self) -> Result<(Digest, Profile), Vec<String>> {
        let file = &self.0;
        let text = format!(
            "kernel f(x: &[f32; n]) -> [f32; n] {{ host k::f }}
            graph G {{ dim n in 1..=99; profile {file:?}; input x: [f32; n]; output y: [f32; n] = f(&x); }}"
        );
        let mut cx = Cx::default();
        let tokens = text.parse().unwrap();
        let items = crate::parse::items(tokens, &mut cx.sites, &mut cx.errors);
        let kernels = crate::lower::kernels(&items.kernels, &mut cx);
        let decls = Decls::new(&kernels, &[]);
        let proved = crate::proved(&items.graphs[0], &decls, &mut cx);
        let mut faults = cx.errors.take();
        match (proved, faults.pop()) {
            (Some(variants), None) => {
                let declared = &variants[0].0.model.declared;
                Ok((declared.source.unwrap(), declared.profile.clone().unwrap()))
            }
            (None, Some(fault)) if faults.is_empty() => Err(fault.notes),
            (_, last) => panic!("{faults:?} {last:?}"),
        }
    }

    /// `OWN` of the source of the graph.
    fn own(&self) -> String {
        std::fs::write(&self.0, OWN.replace("SOURCE", "00000000000000ab")).unwrap();
        let (source, _) = self.found().unwrap_or_else(|why| panic!("{why:?}"));
        OWN.replace("SOURCE", &source.to_string())
    }

    /// What `text` comes to.
    fn of(&self, text: &str) -> Result<Profile, Vec<String>> {
        std::fs::write(&self.0, text).unwrap();
        self.found().map(|(_, profile)| profile)
    }
}

impl Drop for Named {
    fn drop(&mut self) {
        // It may never have been written.
        let _ = std::fs::remove_file(&self.0);
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
            "`n` is 100, and not in 1..=99",
        ),
        ("ue\": 64", "ue\": 0", "[", "`n` is 0, and not in 1..=99"),
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
            "{\"kernel\"",
            "`f` has 1 dims, and not 2",
        ),
        (
            "\"kernel\": \"f\"",
            "\"kernel\": \"g\"",
            "{\"kernel\"",
            "the graph launches no kernel `g`",
        ),
        (
            "\"launch\": 0",
            "\"launch\": null",
            "{\"task\": \"y",
            "`y = f` launches a kernel",
        ),
        (
            "\"launch\": null",
            "\"launch\": 0",
            "{\"task\": \"upload",
            "`upload x` launches nothing",
        ),
    ] {
        assert!(own.contains(from), "{from}");
        let text = own.replacen(from, to, 1);
        let why = named.of(&text).err();
        let [line, column] = place(&text, at);
        let note = format!("line {line}, column {column}: {what}");
        assert_eq!(why, Some(vec![note]), "{from} as {to}");
    }
    let start = own.find("   {\"kernel\"").unwrap();
    let end = own.find("\n  ],\n  \"tasks").unwrap();
    let none =
        format!("{}{}", &own[..start], &own[end..]).replace("\"launch\": 0", "\"launch\": null");
    let why = named.of(&none).err().unwrap_or_default();
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
