//! Pages in real browsers without a network, where there are some: in light and in dark, what a person would
//! look for is there, and can be read.
#![forbid(unsafe_code)]

#[path = "../../../analysis/tests/common/mod.rs"]
mod common;
#[path = "../../../runtime/tests/explain_support/mod.rs"]
mod explain_support;
mod graphs;
#[path = "browser/open.rs"]
mod open;
#[path = "../../../runtime/tests/report_support/mod.rs"]
mod report_support;

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use gpu_graph::report::{Plan, Region, Report};
use open::{Browser, Scheme, View};
use serde_json::Value;

/// What measures the page, of which the page knows nothing.
const PROBE: &str = include_str!("browser/probe.js");

/// Contrast of any text with what is behind it: 4.5 is what WCAG asks of text in small letters.
const CONTRAST: f64 = 4.5;

fn strings(value: &Value) -> Vec<String> {
    let all = value.as_array().unwrap().iter();
    all.map(|one| one.as_str().unwrap().to_owned()).collect()
}

fn sorted(mut all: Vec<String>) -> Vec<String> {
    all.sort_unstable();
    all
}

/// What was measured of one plan is what its data has.
fn judge_plan(plan: &Plan, found: &Value, of: &str) {
    let number = |name: &str| found[name].as_u64().unwrap() as usize;
    let resources = plan.resources.iter();
    let mapped = resources.filter(|r| r.region != Region::Store && r.bytes > 0);
    let names: Vec<String> = mapped.map(|r| r.name.clone()).collect();
    let slots = found["slots"].as_array().unwrap();
    let shown = slots
        .iter()
        .map(|slot| slot[0].as_str().unwrap().to_owned());
    assert_eq!(
        sorted(shown.collect()),
        sorted(names),
        "{of}: boxes of the map"
    );
    let marked = slots.iter().filter(|slot| slot[1] == true);
    let marked: BTreeSet<&str> = marked.map(|slot| slot[0].as_str().unwrap()).collect();
    let live = plan
        .peaks
        .iter()
        .flat_map(|p| p.greatest.live.iter().flatten());
    let live: BTreeSet<&str> = live.map(|&r| &*plan.resources[r as usize].name).collect();
    assert!(!live.is_empty());
    assert_eq!(marked, live, "{of}: marks of the peak cut");
    let tasks: Vec<String> = plan.tasks.iter().map(|t| t.name.clone()).collect();
    for name in ["tasks", "nodes"] {
        let found = sorted(strings(&found[name]));
        assert_eq!(found, sorted(tasks.clone()), "{of}: {name}");
    }
    let edges = found["edges"].as_array().unwrap().iter();
    let mut edges: Vec<[u64; 2]> = edges
        .map(|edge| [&edge[0], &edge[1]].map(|t| t.as_u64().unwrap()))
        .collect();
    let own = plan.order.dependencies.iter();
    let own = own.map(|edge| [edge.before, edge.after]);
    let added = plan
        .order
        .added
        .iter()
        .map(|edge| [edge.before, edge.after]);
    let mut own: Vec<[u64; 2]> = own.chain(added).map(|edge| edge.map(u64::from)).collect();
    edges.sort_unstable();
    own.sort_unstable();
    assert_eq!(edges, own, "{of}: edges");
    assert_eq!(
        number("candidates"),
        plan.candidates.len(),
        "{of}: candidates"
    );
    assert_eq!(
        (number("taken"), number("kinds")),
        (1, plan.kinds.len()),
        "{of}"
    );
    assert_eq!(number("rows"), plan.resources.len(), "{of}: resources");
    let why = strings(&found["why"]);
    assert_eq!(why.len(), plan.unshared.pairs.len(), "{of}: why not");
    for (pair, said) in plan.unshared.pairs.iter().zip(&why) {
        let [a, b] = [pair.a, pair.b].map(|r| &plan.resources[r as usize].name);
        let head = format!("{a} and {b} do not share ");
        let reason = pair.reason.replace('`', "");
        assert!(
            said.starts_with(&head) && said.contains(&reason),
            "{of}: {said}"
        );
    }
    assert_eq!(found["lit"], true, "{of}: edges light up with their task");
    let wide = found["wide"].as_f64().unwrap();
    assert!(
        (1.9..2.1).contains(&wide),
        "{of}: twice the scale is {wide}"
    );
}

fn judge(report: &Report, found: &Value, view: View, of: &str) {
    assert_eq!(found["ready"], true, "{of}: its script ran");
    assert_eq!(strings(&found["wrong"]), [""; 0], "{of}");
    assert_eq!(
        strings(&found["loaded"]),
        [""; 0],
        "{of}: nothing is loaded"
    );
    let dark = view.scheme == Scheme::Dark;
    assert_eq!(found["dark"], dark, "{of}");
    let ground = found["ground"].as_f64().unwrap();
    assert!(
        if dark { ground < 0.05 } else { ground > 0.8 },
        "{of}: {ground}"
    );
    let (least, text) = (&found["least"][0], &found["least"][1]);
    assert!(
        least.as_f64().unwrap() >= CONTRAST,
        "{of}: {least} of {text}"
    );
    let plans = found["plans"].as_array().unwrap();
    assert_eq!(plans.len(), report.plans.len(), "{of}");
    for (plan, found) in report.plans.iter().zip(plans) {
        judge_plan(plan, found, of);
    }
}

/// The page with what measures it behind all else.
fn probed(report: &Report, port: u16) -> String {
    let probe = PROBE.replace("PORT", &port.to_string());
    let page = report.to_html();
    let end = page.rfind("</body>").expect("a page has a body");
    format!("{}<script>{probe}</script>{}", &page[..end], &page[end..])
}

fn look(browser: &Browser, report: &Report, view: View, folder: &Path) {
    let of = format!("{} in {view:?} of {}", report.graph, browser.name());
    let file = folder.join(format!("{}.html", report.graph));
    let found = browser.measure(view, &|port| {
        fs::write(&file, probed(report, port)).unwrap();
        format!("file://{}", file.display())
    });
    match found {
        Ok(found) => judge(report, &found, view, &of),
        Err(why) => panic!("{of}: {why}"),
    }
}

#[test]
fn a_person_finds_on_a_page_what_the_record_has_and_can_read_it() {
    let browsers = open::found();
    if browsers.is_empty() {
        graphs::say("skipped: none of the browsers that are looked for is here, and starts:");
        graphs::say(&format!(
            "  {}",
            open::NAMES.map(|(name, _)| name).join(", ")
        ));
        return;
    }
    let folder = graphs::scratch("pages");
    let some = [2, 3, 4].map(|record| graphs::RECORDS[record].report());
    let mut reports = Vec::from(some);
    reports.push(graphs::Classes::RECORD.report());
    reports.push(graphs::thousand());
    // What is wrong in one view is told beside what is wrong in the others.
    let mut wrong = 0;
    for browser in &browsers {
        graphs::say(&format!("pages are looked at in {}", browser.name()));
        for report in &reports {
            for (scheme, width) in [(Scheme::Light, 1400), (Scheme::Dark, 800)] {
                let view = View { scheme, width };
                let looked = catch_unwind(|| look(browser, report, view, &folder));
                wrong += usize::from(looked.is_err());
            }
        }
    }
    assert_eq!(wrong, 0, "views in which something is wrong");
}
