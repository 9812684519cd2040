//! The profiles that programs name: right ones, and each with one thing that is wrong.
//!
//! They are written where the programs are built, with what the sources of their graphs are known by
//! now, for a profile of another source is no error.

use std::fs;
use std::path::Path;

/// The graph of `names/gg0109_profile_*`.
mod own {
    gpu_graph::gpu_graph! {
        kernel square(x: &[f32; n]) -> [f32; n] { host host::square }

        pub graph G {
            dim n in 1..=1024;
            input x: [f32; n];
            output y: [f32; n] = square(&x);
        }
    }

    mod host {
        pub fn square(_x: &[f32], _out: &mut [f32], _: super::square::Dims) {}
    }
}

/// The graph of `*/*elsewhere*profile*`.
mod elsewhere {
    mod kernels {
        gpu_graph::gpu_graph! {
            pub kernel scale(x: &[f32; h, w], by: f32) -> [f32; h, w] { host super::host::scale }
        }
    }

    gpu_graph::gpu_graph! {
        pub graph G {
            dim h in 1..=64;
            dim w in 1..=64;
            input x: [f32; h, w];
            output y: [f32; h, w] = kernels::scale::<h, w>(&x, 2.0f32);
        }
    }

    mod host {
        pub fn scale(_x: &[f32], _by: f32, _out: &mut [f32], _: super::kernels::scale::Dims) {}
    }
}

const RIGHT: &str = r#"{
 "version": 2, "graph": "G", "device": "host", "dims": [{"name": "n", "value": 64}],
 "programs": [{
  "variant": null, "source": "SOURCE", "program": "00000000000000bb", "runs": 6,
  "arena_bytes": 512, "live_bytes": SPREAD, "run_nanoseconds": SPREAD, "period_nanoseconds": PERIOD, "resolution_nanoseconds": 0,
  "kernels": [
   {"kernel": "square", "dims": [64], "launches": 6,
    "nanoseconds": {"least": 5, "low": 6, "median": 7, "high": 8, "most": 9}}
  ],
  "tasks": [
   {"task": "upload x", "origin": 0, "launch": null, "nanoseconds": SPREAD},
   {"task": "y = square", "origin": 1, "launch": 0, "nanoseconds": SPREAD}
  ]
 }]
}
"#;

/// Where nothing asks how long something took.
const SPREAD: &str = r#"{"least": 1, "low": 1, "median": 1, "high": 1, "most": 1}"#;

/// Of one run less.
const PERIOD: &str = r#"{"least": 1, "low": null, "median": 1, "high": null, "most": 1}"#;

/// Each file with what it has in the place of something that is right.
const WRONG: [(&str, &str, &str); 30] = [
    ("another_version", "\"version\": 2", "\"version\": 1"),
    ("missing_field", "\"runs\": 6", "\"more\": 6"),
    ("unknown_field", "\"runs\": 6", "\"runs\": 6, \"more\": 3"),
    ("field_twice", "\"runs\": 6", "\"runs\": 6, \"runs\": 6"),
    ("no_number", "\"runs\": 6", "\"runs\": 2.5"),
    ("no_digest", "00000000000000bb", "bb"),
    ("no_kernel", "\"launch\": 0", "\"launch\": 1"),
    ("no_runs", "\"runs\": 6", "\"runs\": 0"),
    ("no_launches", "\"launches\": 6", "\"launches\": 0"),
    ("two_programs", "}]\n}\n", "}, PROGRAM]\n}\n"),
    ("two_kernels", "}}\n  ],", "}},\n   KERNEL\n  ],"),
    ("median_outside", "\"median\": 7", "\"median\": 4"),
    ("range_of_few", "\"launches\": 6", "\"launches\": 5"),
    ("range_outside", "\"low\": 6", "\"low\": 4"),
    ("too_long", "\"most\": 9", "\"most\": 100000000000001"),
    ("no_origin", "\"origin\": 1", "\"origin\": 2"),
    ("other_origin", "\"origin\": 1", "\"origin\": 0"),
    ("no_dim", "\"name\": \"n\"", "\"name\": \"m\""),
    (
        "two_dims",
        "\"value\": 64}",
        "\"value\": 64}, {\"name\": \"n\", \"value\": 64}",
    ),
    ("missing_dim", "{\"name\": \"n\", \"value\": 64}", ""),
    ("large_dim", "\"value\": 64", "\"value\": 1025"),
    (
        "no_variant",
        "\"variant\": null",
        "\"variant\": \"how=new\"",
    ),
    ("nothing_measured", "KERNEL", ""),
    (
        "other_kernel",
        "\"kernel\": \"square\"",
        "\"kernel\": \"cube\"",
    ),
    ("other_dims", "\"dims\": [64]", "\"dims\": [64, 2]"),
    ("a_launch", "\"launch\": null", "\"launch\": 0"),
    ("no_period", "PERIOD", "null"),
    ("other_launches", "\"launches\": 6", "\"launches\": 7"),
    (
        "more_tasks",
        "\n  ]\n }]",
        ",\n   {\"task\": \"z\", \"origin\": 2, \"launch\": null, \"nanoseconds\": SPREAD}\n  ]\n }]",
    ),
    (
        "not_launched",
        "}}\n  ],",
        "}},\n   {\"kernel\": \"square\", \"dims\": [65], \"launches\": 6,\n    \"nanoseconds\": {\"least\": 5, \"low\": 6, \"median\": 7, \"high\": 8, \"most\": 9}}\n  ],",
    ),
];

/// What the source of a graph is known by, as its record says it.
fn source(record: &str) -> &str {
    let behind = record.split_once("\n  source         ");
    let digest = behind.and_then(|(_, rest)| rest.split_once(':'));
    digest
        .expect("the record says what the source is known by")
        .0
}

/// Writes all of them for the programs that are built in the folder of this crate's target.
pub fn write() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let folder = target.join("tests/trybuild/gpu-graph-ui-tests/profiles");
    fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.join(name).with_extension("json");
        // What is written anew builds anew.
        let text = text.replace("SPREAD", SPREAD).replace("PERIOD", PERIOD);
        if fs::read_to_string(&path).ok().as_deref() != Some(&text) {
            fs::write(path, text).unwrap();
        }
    };
    let right = RIGHT.replace("SOURCE", source(own::G::RECORD.text()));
    write("right", &right);
    let between = |from: &str, to: &str| {
        let (_, rest) = right.split_once(from).unwrap();
        format!("{from}{}", rest.split_once(to).unwrap().0)
    };
    let program = format!("{}}}", between("{\n  \"variant\"", "}]\n}\n"));
    let kernel = between("{\"kernel\"", "\n  ],");
    for (name, from, to) in WRONG {
        let (from, to) = match name {
            "nothing_measured" => (&*kernel, to),
            _ => (from, to),
        };
        let to = to.replace("PROGRAM", &program).replace("KERNEL", &kernel);
        let mut text = right.replacen(from, &to, 1);
        assert_ne!(text, right, "{name}");
        match name {
            "nothing_measured" => text = text.replace("\"launch\": 0", "\"launch\": null"),
            "a_launch" => text = text.replace("\"launches\": 6", "\"launches\": 12"),
            _ => {}
        }
        write(name, &text);
    }
    let elsewhere = RIGHT
        .replace("SOURCE", source(elsewhere::G::RECORD.text()))
        .replace(
            "[{\"name\": \"n\", \"value\": 64}]",
            "[{\"name\": \"h\", \"value\": 8}, {\"name\": \"w\", \"value\": 4}]",
        )
        .replace("\"dims\": [64]", "\"dims\": [8, 4]")
        .replace("square", "scale");
    write("elsewhere", &elsewhere);
    write(
        "elsewhere_other",
        &elsewhere.replace("\"scale\"", "\"add\""),
    );
    write("elsewhere_dims", &elsewhere.replace("[8, 4]", "[8]"));
}
