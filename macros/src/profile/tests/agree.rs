//! What the macro reads of a file, the runtime reads, and no other file.

use std::collections::BTreeSet;
use std::ops::Range;

use gpu_graph_runtime::report::Measured;
use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;

use super::form::FILE;
use super::{File, parse};

/// Where each value of a text stands, and each field.
#[derive(Default)]
struct Ranges {
    values: Vec<Range<usize>>,
    fields: Vec<Range<usize>>,
}

impl Ranges {
    fn walk(&mut self, value: &Value<'_>) {
        self.values.push(value.start()..value.end());
        match value {
            Value::Object(object) => {
                for field in &object.properties {
                    self.fields.push(field.start()..field.end());
                    self.walk(&field.value);
                }
            }
            Value::Array(list) => list.elements.iter().for_each(|value| self.walk(value)),
            _ => {}
        }
    }
}

/// `FILE` with one thing changed: each value to others, each field to none, to two, and to one of
/// another name.
fn changed() -> BTreeSet<String> {
    let mut at = Ranges::default();
    let root = parse(FILE).unwrap_or_else(|wrong| panic!("{}", wrong.what));
    at.walk(&root);
    let with = |range: &Range<usize>, text: &str| {
        format!("{}{text}{}", &FILE[..range.start], &FILE[range.end..])
    };
    let others = [
        "null",
        "true",
        "0",
        "1",
        "2",
        "3",
        "7",
        "10",
        "-1",
        "-0",
        "1.5",
        "2.0",
        "1e2",
        "64",
        "[]",
        "{}",
        "[64]",
        "\"\"",
        "\"7\"",
        "\"00000000000000AA\"",
        "\"00000000000000cc\"",
        "4294967296",
        "100000000000000",
        "100000000000001",
        "18446744073709551615",
        "18446744073709551616",
    ];
    let mut found = BTreeSet::from([FILE.to_owned()]);
    for value in &at.values {
        found.extend(others.iter().map(|other| with(value, other)));
        let twice = format!("{0}, {0}", &FILE[value.clone()]);
        found.insert(with(value, &twice));
    }
    for field in &at.fields {
        let text = &FILE[field.clone()];
        found.insert(with(field, &format!("{text}, {text}")));
        found.insert(with(field, &format!("{text}, \"more\": 0")));
        found.insert(with(field, &text.replacen('"', "\"other_", 1)));
        // With the comma behind it, or before it.
        let behind = FILE[field.end..]
            .chars()
            .take_while(|c| *c == ',' || *c == ' ');
        found.insert(with(&(field.start..field.end + behind.count()), ""));
        let before = FILE[..field.start].rfind([',', '{']).unwrap_or(0);
        found.insert(with(
            &(before..field.end),
            if FILE[before..].starts_with('{') {
                "{"
            } else {
                ""
            },
        ));
    }
    found
}

#[test]
fn the_build_and_the_runtime_read_the_same_files() {
    let (mut read, mut refused, mut apart) = (0, 0, Vec::new());
    for text in changed() {
        let build = File::read("g.json", &text)
            .map(drop)
            .map_err(|wrong| wrong.what);
        let runtime = Measured::from_json(&text)
            .map(drop)
            .map_err(|error| error.to_string());
        match (&build, &runtime) {
            (Ok(()), Ok(())) => read += 1,
            (Err(_), Err(_)) => refused += 1,
            _ => apart.push(format!("{build:?} {runtime:?}: {text}")),
        }
    }
    assert!(apart.is_empty(), "{}: {}", apart.len(), apart.join("\n"));
    assert!(read > 50 && refused > 500, "{read} {refused}");
}
