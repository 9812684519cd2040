//! Pages are well formed, whatever names and words are in them, and need nothing else.
#![forbid(unsafe_code)]

#[path = "../../../analysis/tests/common/mod.rs"]
mod common;
#[path = "../../../runtime/tests/explain_support/mod.rs"]
mod explain_support;
mod graphs;
#[path = "../../../runtime/tests/report_support/mod.rs"]
mod report_support;

use std::collections::BTreeSet;

use gpu_graph::report::Report;
use html5gum::{Token, Tokenizer};

/// Elements that have no end.
const VOID: [&str; 4] = ["meta", "input", "br", "link"];

/// Reads a page to its end, and returns the text of all that is shown.
fn read(page: &str) -> String {
    let (mut open, mut text) = (Vec::<String>::new(), String::new());
    let (mut marks, mut links) = (BTreeSet::new(), BTreeSet::new());
    for token in Tokenizer::new(page) {
        let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        match token.unwrap() {
            Token::StartTag(tag) => {
                let name = string(&tag.name);
                for (key, value) in &tag.attributes {
                    let (key, value) = (string(key), string(value));
                    assert!(!key.starts_with("on") && key != "src", "<{name} {key}>");
                    match (&*key, value.strip_prefix('#')) {
                        ("id", _) => assert!(marks.insert(value.clone()), "twice: {value}"),
                        ("href", Some(mark)) => drop(links.insert(mark.to_owned())),
                        ("href", None) => panic!("a link that leads away: {value}"),
                        _ => {}
                    }
                }
                if !VOID.contains(&&*name) && !tag.self_closing {
                    open.push(name);
                }
            }
            Token::EndTag(tag) => assert_eq!(open.pop(), Some(string(&tag.name)), "{text}"),
            Token::String(part) => {
                let style = open.iter().any(|name| name == "style" || name == "script");
                if !style {
                    text += &string(&part);
                }
            }
            Token::Doctype(_) => {}
            Token::Comment(comment) => panic!("{comment:?}"),
            Token::Error(error) => panic!(
                "{error:?} behind {}",
                &text[text.len().saturating_sub(200)..]
            ),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let lost: Vec<_> = links.difference(&marks).collect();
    assert!(lost.is_empty(), "links to nothing: {lost:?}");
    text
}

fn judge(report: &Report) -> String {
    let page = report.to_html();
    for what in [
        "http:",
        "https:",
        "url(",
        "@import",
        "fetch(",
        "XMLHttpRequest",
    ] {
        assert!(!page.contains(what), "{what}");
    }
    let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ";
    assert!(page.contains(policy), "{page}");
    read(&page)
}

#[test]
fn pages_are_well_formed_and_link_to_what_is_on_them() {
    for record in graphs::RECORDS {
        let report = record.report();
        let text = judge(&report);
        for plan in &report.plans {
            for resource in &plan.resources {
                assert!(text.contains(&resource.name), "{}", resource.name);
            }
            assert!(text.contains(plan.claims.verdict.disposition.name()));
        }
    }
}

#[test]
fn a_page_says_what_an_order_that_is_missing_needs() {
    let mut report = graphs::RECORDS[0].report();
    let plan = &mut report.plans[0];
    let mut pairs = plan.unshared.pairs.clone();
    pairs.retain(|pair| !pair.missing.is_empty());
    pairs.truncate(1);
    let edge = pairs[0].missing[0];
    pairs[0].missing = vec![edge];
    plan.unshared.pairs = pairs;
    let said = |before: &str, after: &str| {
        let mut report = report.clone();
        let tasks = &mut report.plans[0].tasks;
        tasks[edge.before as usize].name = before.to_owned();
        tasks[edge.after as usize].name = after.to_owned();
        judge(&report)
    };
    let admits = "an order of each would admit it";
    let text = said("'first", "'then");
    assert!(text.contains(admits) && !text.contains("has a label"));
    assert!(said("'first", "z = then").contains(&format!("{admits}, once z = then has a label")));
    assert!(said("upload x", "'then").contains("no order can name upload x"));
}

/// The names in the boxes of the arena map that are marked.
fn at_peak(page: &str) -> BTreeSet<String> {
    let boxes = page.split("<rect class=\"slot ").skip(1);
    let marked = boxes.filter(|b| b.split('"').next().unwrap().ends_with(" peak"));
    let titles = marked.map(|b| b.split("<title>").nth(1).unwrap());
    titles
        .map(|t| t.split(": ").next().unwrap().to_owned())
        .collect()
}

#[test]
fn the_map_marks_what_is_live_at_the_peak_cut() {
    let mut seen = 0;
    for record in graphs::RECORDS {
        let report = record.report();
        for plan in &report.plans {
            let mut alone = report.clone();
            alone.plans = vec![plan.clone()];
            let found = at_peak(&alone.to_html());
            let peaks = plan.peaks.iter();
            let live = peaks.flat_map(|p| p.greatest.live.iter().flatten());
            let live = live.map(|&r| plan.resources[r as usize].name.clone());
            assert_eq!(found, live.collect(), "{}", report.graph);
            seen += usize::from(!found.is_empty() && found.len() < plan.resources.len());
        }
    }
    assert!(seen > 2, "{seen} plans tell boxes apart");
}

#[test]
fn a_page_of_variants_has_each_of_them() {
    let report = graphs::RECORDS[2].report();
    let text = judge(&report);
    assert_eq!(report.plans.len(), 4);
    for plan in &report.plans {
        assert!(text.contains(plan.variant.as_deref().unwrap()));
    }
}

#[test]
fn what_is_written_by_hand_is_shown_as_it_is_and_never_run() {
    let mut report = graphs::RECORDS[0].report();
    let hostile = "</script></title>\"'><script>document.title = `x`</script> & &amp; \u{202e}";
    let plan = &mut report.plans[0];
    plan.purpose.scope = Some(hostile.to_owned());
    plan.resources[0].name = hostile.to_owned();
    plan.tasks[0].name = hostile.to_owned();
    plan.tasks[1].kernel = Some(hostile.to_owned());
    plan.resources[1].domain = Some(hostile.to_owned());
    plan.unshared.pairs[0].reason = hostile.to_owned();
    plan.claims.guards[0].fallback = Some(hostile.to_owned());
    report.graph = hostile.to_owned();
    let page = report.to_html();
    assert_eq!(page.matches("<script>").count(), 1);
    assert_eq!(page.matches("</script>").count(), 1);
    let text = read(&page);
    assert!(
        text.matches(hostile).count() >= 3,
        "{}",
        text.matches(hostile).count()
    );
}

#[test]
fn a_thousand_resources_make_a_page_of_a_few_megabytes() {
    let report = graphs::thousand();
    let resources = report.plans[0].resources.len();
    assert!(resources >= 1000, "{resources}");
    let (page, json) = (report.to_html(), report.to_json());
    assert!(page.len() < 4 << 20, "{} bytes", page.len());
    assert!(json.len() < 2 << 20, "{} bytes", json.len());
    read(&page);
}
