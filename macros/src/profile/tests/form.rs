//! What is read of a file, and what is no profile.

use super::*;

pub const FILE: &str = r#"{
 "version": 2, "graph": "G", "device": "host",
 "dims": [{"name": "n", "value": 64}],
 "programs": [{
  "variant": null, "source": "00000000000000aa", "program": "00000000000000bb", "runs": 5,
  "arena_bytes": 512, "resolution_nanoseconds": 0,
  "live_bytes": {"least": 10, "low": null, "median": 20, "high": null, "most": 40},
  "run_nanoseconds": {"least": 11, "low": null, "median": 12, "high": null, "most": 14},
  "period_nanoseconds": {"least": 6, "low": null, "median": 6, "high": null, "most": 6},
  "kernels": [
   {"kernel": "f", "dims": [64], "launches": 5,
    "nanoseconds": {"least": 5, "low": null, "median": 7, "high": null, "most": 9}},
   {"kernel": "g", "dims": [], "launches": 10,
    "nanoseconds": {"least": 1, "low": 2, "median": 3, "high": 4, "most": 90}}
  ],
  "tasks": [
   {"task": "upload x", "origin": 0, "launch": null,
    "nanoseconds": {"least": 0, "low": null, "median": 0, "high": null, "most": 0}},
   {"task": "y = g", "origin": 1, "launch": 1,
    "nanoseconds": {"least": 1, "low": null, "median": 3, "high": null, "most": 8}},
   {"task": "z = f", "origin": 2, "launch": 0,
    "nanoseconds": {"least": 1, "low": null, "median": 3, "high": null, "most": 8}},
   {"task": "y = g again", "origin": 1, "launch": 1,
    "nanoseconds": {"least": 1, "low": null, "median": 3, "high": null, "most": 8}}
  ]
 }]
}"#;

/// What `FILE` says of the times between runs.
const PERIOD: &str = "{\"least\": 6, \"low\": null, \"median\": 6, \"high\": null, \"most\": 6}";

#[test]
fn costs_are_read_with_what_is_uncertain_of_them() {
    let file = File::read("g.json", FILE).unwrap_or_else(|w| panic!("{:?} {}", w.at, w.what));
    assert_eq!(file.name, "g.json");
    let [program] = &file.programs[..] else {
        panic!("there is one program")
    };
    assert_eq!(program.source, digest("00000000000000aa"));
    let measured = &program.measured;
    assert_eq!((measured.device.as_str(), measured.runs), ("host", 5));
    assert_eq!(measured.dims, [("n".to_owned(), 64)]);
    assert_eq!(measured.program, digest("00000000000000bb"));
    assert_eq!(measured.of_task, [None, Some(1), Some(0)]);
    // Of few runs nothing is known of the median but that it was seen.
    let [f, g] = &measured.launches[..] else {
        panic!("{:?}", measured.launches)
    };
    assert_eq!((f.low, f.median, f.high), (5, 7, 9));
    assert_eq!((g.low, g.median, g.high, g.count), (2, 3, 4, 10));
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
fn what_is_no_profile_is_refused_at_its_place() {
    let number = "expected a whole number of 64 bits";
    for (from, to, at, what) in [
        (
            "on\": 2",
            "on\": 1",
            "1, \"graph",
            "it is of version 1, where 2 is known",
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
            "\"runs\": 5",
            "\"runs\": 5, \"é\": 17",
            "17",
            "the field `é` is not known",
        ),
        (
            "\"runs\": 5",
            "\"runs\": 5, \"runs\": 17",
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
            "origin\": 1",
            "origin\": 5",
            "5, \"launch",
            "no task before it has the origin 1",
        ),
        (
            "origin\": 1",
            "origin\": 0",
            "1,\n    \"nano",
            "it does again what launches something else",
        ),
        (
            "origin\": 1",
            "origin\": null",
            "null, \"launch\": 1",
            number,
        ),
        (
            "median\": 7",
            "median\": 3 ",
            "3 ",
            "the median is not in its range",
        ),
        ("dims\": [64]", "dims\": 67", "67", "expected a list"),
        (
            "{\"name\": \"n\", \"value\": 64}",
            "{\"name\": \"n\", \"value\": 64}, {\"name\": \"n\", \"value\": 7}",
            "{\"name\": \"n\", \"value\": 7}",
            "the dim `n` is there twice",
        ),
        // What no cost is made of is read as well.
        ("512", "-512", "-512", number),
        (
            "median\": 20",
            "median\": 9 ",
            "9 ",
            "the median is not in its range",
        ),
        (
            "\"most\": 14",
            "\"most\": 11",
            "12, \"high",
            "the median is not in its range",
        ),
        (
            "period_nanoseconds\": {",
            "period_nanoseconds\": 70, \"more\": {",
            "{\"least\": 6",
            "the field `more` is not known",
        ),
        (
            PERIOD,
            "null",
            "null,\n  \"kernels",
            "it is none of 5 runs, where there is one of 2 or more",
        ),
        (
            "\"most\": 8",
            "\"most\": 2",
            "3, \"high\": null, \"most\": 2",
            "the median is not in its range",
        ),
        ("\"upload x\"", "99", "99", "expected a string"),
        ("\"G\"", "null", "null, \"dev", "expected a string"),
        ("runs\": 5", "runs\": 0", "0,\n", "nothing was seen"),
        (
            "launches\": 10",
            "launches\": 0 ",
            "0 ,",
            "nothing was seen",
        ),
        (
            "launches\": 10",
            "launches\": 5 ",
            "2, \"median\": 3",
            "it is 2 of 5 observations, where there is none of fewer than 6",
        ),
        (
            "launches\": 5",
            "launches\": 6",
            "null, \"median\": 7",
            "it is none of 6 observations, where there is one of 6 or more",
        ),
        (
            "\"high\": 4",
            "\"high\": null",
            "null, \"most\": 90",
            "it is none of 10 observations, where there is one of 6 or more",
        ),
        (
            "\"low\": 2,",
            "\"low\": 0,",
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
            "{\"kernel\": \"f\", \"dims\": [64], \"launches\": 10",
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
    let wrong = File::read("g.json", &FILE.replace("runs\": 5", "runs\": 1")).err();
    let wrong = wrong.map(|wrong| (wrong.at, wrong.what));
    let what = "there is none of one run".to_owned();
    assert_eq!(wrong, Some((place(FILE, PERIOD), what)));
    let one = FILE
        .replace("runs\": 5", "runs\": 1")
        .replace("launches\": 5", "launches\": 1")
        .replace("launches\": 10", "launches\": 2")
        .replace("\"low\": 2", "\"low\": null")
        .replace("\"high\": 4", "\"high\": null")
        .replace(PERIOD, "null");
    assert!(File::read("g.json", &one).is_ok());
    let empty = File::read("g.json", "").err().map(|wrong| wrong.what);
    assert_eq!(empty.as_deref(), Some("there is nothing in it"));
}

#[test]
fn each_task_launches_once_in_each_run() {
    let launches = "{\"kernel\": \"f\", \"dims\": [64], \"launches\": 5";
    for (from, to, at, what) in [
        (
            "launches\": 10",
            "launches\": 11",
            "11,\n",
            "it is 11, and not 10, as 2 tasks launch it in 5 runs",
        ),
        (
            "\"launches\": 5",
            "\"launches\": 4",
            "4,\n",
            "it is 4, and not 5, as 1 task launches it in 5 runs",
        ),
        (
            "\"runs\": 5",
            "\"runs\": 4",
            "5,\n    \"nano",
            "it is 5, and not 4, as 1 task launches it in 4 runs",
        ),
        (
            "\"launch\": 0",
            "\"launch\": null",
            launches,
            "no task launches `f` at [64]",
        ),
    ] {
        let text = FILE.replacen(from, to, 1);
        assert_ne!(text, FILE, "{from}");
        let wrong = File::read("g.json", &text).err().unwrap();
        assert_eq!((wrong.at, &*wrong.what), (place(&text, at), what));
    }
}
