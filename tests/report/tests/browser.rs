//! Pages in a real browser without a network, where there is one.
#![forbid(unsafe_code)]

#[path = "../../../analysis/tests/common/mod.rs"]
mod common;
#[path = "../../../runtime/tests/explain_support/mod.rs"]
mod explain_support;
mod graphs;
#[path = "../../../runtime/tests/report_support/mod.rs"]
mod report_support;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Browsers that print what has become of a page.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

fn browser() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let mut folders = env::split_paths(&path);
    folders.find_map(|folder| {
        let mut found = BROWSERS.iter().map(|name| folder.join(name));
        found.find(|program| program.is_file())
    })
}

/// Opens a page until its script has run, and prints its elements.
fn open(browser: &Path, page: &str) -> Output {
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
    ]);
    // Nothing is to be found outside, and what the script says comes with the other messages.
    command.args([
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--enable-logging=stderr",
    ]);
    let profile = graphs::scratch("browser");
    command.arg(format!("--user-data-dir={}", profile.display()));
    command.args(["--virtual-time-budget=5000", "--dump-dom", page]);
    command.output().expect("what is in the path runs")
}

#[test]
fn pages_open_in_a_browser_and_their_script_runs() {
    let Some(browser) = browser() else {
        graphs::say("skipped: no browser is here to open the pages in");
        return;
    };
    let blank = open(&browser, "data:text/html,<p>ready</p>");
    if !String::from_utf8_lossy(&blank.stdout).contains("<p>ready</p>") {
        graphs::say("skipped: the browser that is here does not start");
        return;
    }
    let folder = graphs::scratch("pages");
    let some = [0, 2, 4].map(|record| graphs::RECORDS[record].report());
    let mut reports = Vec::from(some);
    reports.push(graphs::thousand());
    for report in reports {
        let file = folder.join(format!("{}.html", report.graph));
        fs::write(&file, report.to_html()).unwrap();
        let output = open(&browser, &format!("file://{}", file.display()));
        let page = String::from_utf8_lossy(&output.stdout);
        let said = String::from_utf8_lossy(&output.stderr);
        let graph = &report.graph;
        assert!(page.contains("data-ready=\"yes\""), "{graph}: {said}");
        assert!(!said.contains("CONSOLE"), "{graph}: {said}");
        for plan in &report.plans {
            let rows = page.matches("<tr id=\"r").count();
            assert!(rows >= plan.resources.len(), "{graph}: {rows}");
        }
    }
}
