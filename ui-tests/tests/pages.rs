//! Every code has a page in `docs/errors`, and what a page shows is what the compiler was shown:
//! the refused program, its message and the mended twin are the files of this crate.
//!
//! `UPDATE_PAGES=1 cargo test -p gpu-graph-ui-tests --test pages` writes the shown parts anew.

use std::fs;
use std::path::{Path, PathBuf};

use gpu_graph_analysis::fault::{ALL, Code, UNTOLD};

/// First program of `code`, by path without its extension, below `fail`.
fn first_program(code: Code) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fail");
    let prefix = format!("gg{:04}_", code.0);
    let mut found = Vec::new();
    for family in fs::read_dir(root).unwrap() {
        for file in fs::read_dir(family.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if name.starts_with(&prefix) && name.ends_with(".rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
        .first()
        .unwrap_or_else(|| panic!("{code} has no program"))
        .with_extension("")
}

/// What stands behind the explanation: program, message, twin.
fn shown(code: Code) -> String {
    let fail = first_program(code);
    let name = fail.file_name().unwrap();
    let family = fail.parent().unwrap().file_name().unwrap();
    let pass = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("pass")
        .join(family)
        .join(name);
    let read = |path: PathBuf| {
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    format!(
        "## Refused\n\n```rust\n{}```\n\n```text\n{}```\n\n## Mended\n\n```rust\n{}```\n",
        read(fail.with_extension("rs")),
        read(fail.with_extension("stderr")),
        read(pass.with_extension("rs")),
    )
}

#[test]
fn every_code_has_a_page_that_shows_what_was_compiled() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/errors");
    for (code, title) in ALL {
        if UNTOLD.contains(code) {
            continue; // no text of the language leads there
        }
        let path = root.join(format!("{code}.md"));
        let page = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(
            page.starts_with(&format!("# {code}: {title}\n")),
            "{}: title",
            path.display()
        );
        let (words, rest) = page
            .split_once("## Refused")
            .expect("a page has a refused program");
        assert!(
            words.lines().count() > 3,
            "{}: says nothing of its own",
            path.display()
        );
        if std::env::var_os("UPDATE_PAGES").is_some() {
            fs::write(&path, format!("{words}{}", shown(*code))).unwrap();
        } else {
            let shows = format!("## Refused{rest}");
            assert_eq!(
                shows,
                shown(*code),
                "{}: write it anew with UPDATE_PAGES=1",
                path.display()
            );
        }
    }
}

#[test]
fn no_page_is_left_of_a_code_that_went() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/errors");
    for file in fs::read_dir(root).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let known = ALL.iter().any(|(code, _)| name == format!("{code}.md"));
        assert!(
            known || name == "README.md",
            "docs/errors/{name} is the page of no code"
        );
    }
}
