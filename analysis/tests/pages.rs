//! What pages under `docs` show is what is there: commands print it, and words mean it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gpu_graph_analysis::record::WORDS;

fn page(name: &str) -> String {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    fs::read_to_string(docs.join(name)).expect("the page is there")
}

/// Blocks of that language, in order.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let fences = page.split("\n```").skip(1).step_by(2);
    let of = fences.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n'));
    of.collect()
}

fn run(folder: &Path, args: &str) -> String {
    let mut plan = Command::new(env!("CARGO_BIN_EXE_plan"));
    let output = plan.args(args.split(' ')).current_dir(folder).output();
    let output = output.expect("plan starts");
    assert!(output.status.success(), "{args}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// What `command` prints, but for the time that it takes.
fn timeless(text: &str) -> &str {
    text.split(" seconds=").next().unwrap_or(text).trim_end()
}

#[test]
fn the_commands_of_the_page_of_plan_print_and_write_what_it_shows() {
    let page = page("plan.md");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pages-plan");
    fs::create_dir_all(&folder).expect("a folder for the test");
    let [buffers, placed, sizes] = blocks(&page, "csv")[..] else {
        panic!("three files are shown")
    };
    // A record is made by another crate, whose tests have the last one.
    let [usage, found, growth, _] = blocks(&page, "text")[..] else {
        panic!("the usage and three outputs are shown")
    };
    assert!(usage.starts_with("cargo run "));
    let write = |name: &str, text: &str| fs::write(folder.join(name), text.to_owned() + "\n");
    write("buffers.csv", buffers).expect("a file for the test");
    write("sizes.csv", sizes).expect("a file for the test");
    let mut commands = page
        .split('`')
        .filter_map(|code| code.strip_prefix("plan "));
    let mut command = |begin: &str| {
        let found = commands.find(|code| code.starts_with(begin));
        found.expect("the command is shown").to_owned()
    };
    let printed = run(&folder, &command("buffers.csv "));
    assert_eq!(timeless(&printed), timeless(found));
    let written = fs::read_to_string(folder.join("placed.csv")).expect("it is written");
    assert_eq!(written.trim_end(), placed);
    assert_eq!(
        run(&folder, &command("growth sizes.csv ")).trim_end(),
        growth
    );

    // Those that are replayed where none is named, in the order of the table.
    let printed = run(&folder, "growth sizes.csv");
    let replayed = printed.lines().filter_map(|line| {
        let (policy, _) = line.strip_prefix("policy=")?.split_once(' ')?;
        Some(policy)
    });
    let (_, table) = page
        .split_once("| replayed without `--policy` | here |")
        .expect("a table");
    let (table, _) = table.split_once("\n\n").expect("it ends");
    let said: Vec<&str> = table.split('`').skip(1).step_by(2).collect();
    assert_eq!(said, replayed.collect::<Vec<_>>());
    assert!(page.contains(&format!("it replays {} of its own", said.len())));
    assert!(printed.ends_with(" chosen=none\n"), "{printed}");
}

#[test]
fn the_page_of_records_explains_the_words_of_records() {
    let page = page("record.md");
    let (_, table) = page
        .split_once("| word | what it means |\n|---|---|\n")
        .expect("a table");
    let rows = WORDS.map(|(word, means)| format!("| {word} | {means} |\n"));
    assert_eq!(table, rows.concat());
}
