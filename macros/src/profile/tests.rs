//! What is read of a profile, and what is refused, with its place.

use super::*;

const FILE: &str = r#"{
 "version": 1, "graph": "G", "device": "host",
 "dims": [{"name": "n", "value": 64}],
 "programs": [{
  "variant": null, "source": "00000000000000aa", "program": "00000000000000bb", "runs": 3,
  "arena_bytes": 512, "live_bytes": {}, "run_nanoseconds": {}, "period_nanoseconds": null,
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
    let profile = file.of(digest("00000000000000aa"));
    assert_eq!(profile.file, "g.json");
    let measured = profile.measured.unwrap();
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
fn a_file_of_another_source_is_stale() {
    let file = File::read("g.json", FILE).unwrap_or_else(|w| panic!("{:?} {}", w.at, w.what));
    let profile = file.of(digest("00000000000000ab"));
    assert_eq!(profile.measured, None);
    assert_eq!(profile.sources, [digest("00000000000000aa")]);
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
            "on\": 1",
            "on\": 2",
            "2, \"graph",
            "it is of version 2, where 1 is known",
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
