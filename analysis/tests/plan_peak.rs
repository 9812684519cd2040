//! `plan peak`: on records of graphs that were planned, and on what is none.

mod common;
#[path = "../../runtime/tests/explain_support/mod.rs"]
mod explain_support;
mod plan_support;
#[path = "../../runtime/tests/report_support/mod.rs"]
mod report_support;

use std::collections::{BTreeMap, BTreeSet};

use common::executions::extremes;
use common::oracle::dependencies;
use common::rng::Rng;
use common::{large, random};
use gpu_graph_analysis::model::Site;
use gpu_graph_analysis::order::Precedence;
use gpu_graph_analysis::policy::{Metric, Minimize};
use plan_support::{Folder, plan};
use report_support::{Case, case};

/// Random graphs, of which every other one is to be as small as it can be.
fn cases(count: u64) -> impl Iterator<Item = Case> {
    let models = (0..count).map(|seed| {
        let mut model = random::graph(&mut Rng(seed), 9).model;
        let peak = Minimize::Order(vec![(Metric::Peak, Site(0))]);
        model.declared.minimize = (seed % 2 == 1).then_some(peak);
        model
    });
    models.filter_map(case)
}

/// The ends of a figure in a line of `plan peak`.
fn ends(line: &str, name: &str) -> [u64; 2] {
    let begin = format!("{name}=");
    let words = line.split(' ').find_map(|word| word.strip_prefix(&begin));
    let word = words.unwrap_or_else(|| panic!("{name} in {line}"));
    let (low, high) = word.split_once("..").unwrap_or((word, word));
    [low, high].map(|end| end.parse().expect("a number"))
}

/// Of each task, the tasks that every execution of the plan has before it.
fn before(case: &Case) -> Vec<Vec<u32>> {
    let found = &case.found;
    let streams = found.stream_order.iter();
    let streams = streams.filter(|_| found.policy.conditional());
    let stated = dependencies(&case.model).into_iter();
    let mut before: Vec<Vec<u32>> = stated
        .map(|list| list.into_iter().map(|t| t as u32).collect())
        .collect();
    for (b, t) in found.added.iter().chain(streams) {
        before[t.0 as usize].push(b.0);
    }
    for list in &mut before {
        list.sort_unstable();
        list.dedup();
    }
    before
}

/// What is live in the arena once some tasks are started and some completed, by accesses alone.
fn live_bytes(
    case: &Case,
    started: impl Fn(usize) -> bool,
    completed: impl Fn(usize) -> bool,
) -> u64 {
    let found = &case.found;
    let is_live = |r: usize| {
        let of = &case.model.resources[r];
        let uses = |t: &usize| {
            let mut accesses = case.model.tasks[*t].accesses.iter();
            accesses.any(|a| a.resource.0 as usize == r)
        };
        let users: Vec<usize> = (0..case.model.tasks.len()).filter(uses).collect();
        let over = !found.resources[r].frontier.host && users.iter().all(|&t| completed(t));
        let arena = !of.class.persists() && !of.region().staging;
        arena && users.iter().any(|&t| started(t)) && !over
    };
    let bytes = |r: usize| found.resources[r].slot.bytes;
    let all = (0..case.model.resources.len()).filter(|&r| is_live(r));
    let sum: u64 = all.map(bytes).sum();
    // What one becomes in place lies where the other does.
    let updates = found.aliases.iter().filter(|a| a.in_place.is_some());
    let pairs = updates.map(|a| [a.earlier, a.later].map(|r| r.0 as usize));
    let both = pairs.filter(|pair| pair.iter().all(|&r| is_live(r)));
    sum - both.map(|[earlier, _]| bytes(earlier)).sum::<u64>()
}

#[test]
fn the_peaks_of_small_records_are_those_of_all_their_executions() {
    let folder = Folder::new("peak-small");
    let (mut apart, mut conditional) = (0, 0);
    for case in cases(200) {
        let order = Precedence::of(before(&case)).expect("an order");
        let all = extremes(&order, |(started, completed)| {
            let has = |set: u32| move |t: usize| set >> t & 1 != 0;
            live_bytes(&case, has(started), has(completed))
        });
        let file = folder.file("record.json", case.record.report().to_json());
        let (status, out, err) = plan(&["peak", &file]);
        assert_eq!((status, &*err), (0, ""));
        let lines: Vec<&str> = out.lines().collect();
        let line = lines[0];
        assert!(line.contains(" exact=yes seconds="), "{line}");
        assert!(lines[1].starts_with("least: ") && lines[2].starts_with("greatest: "));
        assert_eq!(ends(line, "least"), [all.least; 2], "{line}");
        assert_eq!(ends(line, "greatest"), [all.greatest; 2], "{line}");
        apart += usize::from(all.least < all.greatest);
        conditional += usize::from(case.found.policy.conditional());
    }
    assert!(apart > 30 && conditional > 30, "{apart} {conditional}");
}

/// A graph in which a build leaves both peaks open.
fn open() -> Case {
    case(large::graph("layers", 200).model).expect("a plan")
}

#[test]
fn a_bracket_is_never_wider_than_that_of_the_record_and_more_steps_close_it() {
    let folder = Folder::new("peak-open");
    let case = open();
    let file = folder.file("record.json", case.record.report().to_json());
    let [least, greatest, _] = case.found.peak.ends();
    let mut widths = Vec::new();
    for steps in ["0", "1000", "4000000"] {
        let (status, out, err) = plan(&["peak", &file, "--steps", steps]);
        assert_eq!((status, &*err), (0, ""));
        let line = out.lines().next().expect("a line");
        for (name, [low, high]) in [("least", least), ("greatest", greatest)] {
            let [from, to] = ends(line, name);
            assert!(low <= from && from <= to && to <= high, "{line}");
            widths.push(to - from);
        }
    }
    let shrunk = widths[0] > widths[4] || widths[1] > widths[5];
    assert!(shrunk, "{widths:?}");
}

#[test]
fn the_executions_that_it_writes_show_the_ends() {
    let folder = Folder::new("peak-output");
    let (path, output) = ("record.json", folder.path("out.csv"));
    for case in cases(40).chain([open()]) {
        let file = folder.file(path, case.record.report().to_json());
        let (status, out, err) = plan(&["peak", &file, "--steps", "100000", "--output", &output]);
        assert_eq!((status, &*err), (0, ""));
        let line = out.lines().next().expect("a line");
        let written = std::fs::read_to_string(&output).expect("the output");
        let mut rows = written.lines();
        assert_eq!(rows.next(), Some("variant,figure,what,name,bytes,cut"));
        let number: BTreeMap<&str, usize> = (0..)
            .zip(&case.model.tasks)
            .map(|(t, task)| (&*task.name, t))
            .collect();
        let before = before(&case);
        for (name, end) in [("least", 1), ("greatest", 0)] {
            let own = rows.clone().filter_map(|row| {
                let fields: Vec<&str> = row.split(',').collect();
                (fields[1] == name).then_some(fields)
            });
            let own: Vec<Vec<&str>> = own.collect();
            let tasks = own.iter().filter(|row| row[2] == "task");
            let mut done = BTreeSet::new();
            let (mut started, mut completed) = (BTreeSet::new(), BTreeSet::new());
            for row in tasks {
                let t = number[row[3]];
                assert!(
                    before[t].iter().all(|&b| done.contains(&(b as usize))),
                    "{written}"
                );
                match row[5] {
                    "completed" => drop((started.insert(t), completed.insert(t))),
                    "running" => drop(started.insert(t)),
                    _ => {}
                }
                done.insert(t);
            }
            assert_eq!(done.len(), before.len());
            let live = own.iter().filter(|row| row[2] == "item");
            let live: u64 = live.map(|row| row[4].parse::<u64>().expect("bytes")).sum();
            let by_hand = live_bytes(&case, |t| started.contains(&t), |t| completed.contains(&t));
            assert_eq!((live, by_hand), (ends(line, name)[end], live), "{line}");
        }
    }
}

#[test]
fn what_is_no_record_is_refused_where_it_stands() {
    let folder = Folder::new("peak-bad");
    let good = case(random::graph(&mut Rng(1), 9).model).expect("a plan");
    let good = good.record.report().to_json();
    let tasks = good.matches("\"awaits\":").count();
    let resources = good.matches("\"stable\":").count();
    let refused = |text: &str, message: &str| {
        let file = folder.file("bad.json", text);
        let (status, out, err) = plan(&["peak", &file]);
        assert_eq!((status, &*out), (2, ""), "{text}");
        assert_eq!(err, format!("{file}:{message}\n"));
    };
    for (text, message) in [
        ("", "1:1: there is nothing in it"),
        (
            "{\"version\":",
            "1:12: expected value after colon in object property",
        ),
        ("[\n 4]", "1:1: expected an object"),
        (
            "{\n \"version\": 4}",
            "2:13: the record is of version 4, and version 7 is read",
        ),
        ("{\"version\": 7}", "1:1: the field `plans` is missing"),
        (
            "{\"version\": 7, \"plans\": []}",
            "1:25: the record has no plan",
        ),
    ] {
        refused(text, message);
    }
    for (from, to, message) in [
        (
            "\"before\":0,",
            "\"before\":-1,",
            "expected a whole number of 64 bits".to_owned(),
        ),
        (
            "\"before\":0,",
            "\"before\":99,",
            format!("there is no task 99, but {tasks}"),
        ),
        (
            "\"region\":\"arena\"",
            "\"region\":\"heap\"",
            "expected `arena`, `store` or `staging`".to_owned(),
        ),
        (
            "\"resource\":0,",
            "\"resource\":77,",
            format!("there is no resource 77, but {resources}"),
        ),
        (
            "\"host\":false",
            "\"host\":0",
            "expected `true` or `false`".to_owned(),
        ),
    ] {
        let at = good.find(from).expect("it is there") + from.find(':').unwrap_or(0) + 2;
        refused(&good.replacen(from, to, 1), &format!("1:{at}: {message}"));
    }
    // Both ways round.
    let edge = "\"dependencies\":[{\"before\":";
    let at = good.find(edge).expect("a dependency") + edge.len();
    let (from, rest) = good[at..].split_once(',').expect("its end");
    let to = rest
        .strip_prefix("\"after\":")
        .and_then(|r| r.split_once('}'))
        .expect("its end")
        .0;
    let back = format!("\"dependencies\":[{{\"before\":{to},\"after\":{from}}},{{\"before\":");
    let file = folder.file("cycle.json", good.replacen(edge, &back, 1));
    let (status, _, err) = plan(&["peak", &file]);
    assert!(
        status == 2 && err.ends_with(" comes before itself\n"),
        "{err}"
    );
}

#[test]
fn peaks_that_no_execution_has_are_refused() {
    let folder = Folder::new("peak-wrong");
    let case = case(random::graph(&mut Rng(1), 9).model).expect("a plan");
    let report = case.record.report();
    let good = report.to_json();
    let peaks = report.plans[0].peaks.as_ref().expect("peaks");
    let (low, high) = (peaks.greatest.bytes.low, peaks.least.bytes.low);
    let text = |low: u64, high: u64| format!("\"bytes\":{{\"low\":{low},\"high\":{high}}}");
    assert!(low > 512 && high > 512, "{low} {high}");
    let least = good.find("\"peaks\":{\"least\":").expect("the least");
    let changed = |to: &str| {
        let (head, tail) = good.split_at(least);
        head.to_owned() + &tail.replacen(&text(high, high), to, 1)
    };
    let other = format!("the record has 0..256 here, and it is proved to be {high}..{high}\n");
    let file = folder.file("wrong.json", changed(&text(0, 256)));
    let (status, out, err) = plan(&["peak", &file]);
    let column = least + "\"peaks\":{\"least\":".len() + 1;
    assert_eq!((status, &*out), (2, ""));
    assert_eq!(err, format!("{file}:1:{column}: {other}"));
    let crossed = folder.file("crossed.json", changed(&text(high, high - 1)));
    let (status, out, err) = plan(&["peak", &crossed]);
    let why = format!("no less than {high} here, and no more than {}\n", high - 1);
    assert_eq!((status, &*out), (2, ""));
    assert!(err.ends_with(&why), "{err}");
    // Whether or not a search finds as little, what it has shows nothing in this sequence.
    let begin = good[least..].find("\"execution\":[").expect("a sequence") + least;
    let end = begin + good[begin..].find(']').expect("its end");
    let mut tasks: Vec<&str> = good[begin + "\"execution\":[".len()..end]
        .split(',')
        .collect();
    tasks.reverse();
    let head = &good[..begin];
    let reversed = format!("{head}\"execution\":[{}{}", tasks.join(","), &good[end..]);
    let (status, out, err) = plan(&["peak", &folder.file("reversed.json", reversed)]);
    assert_eq!((status, &*out), (2, ""));
    assert!(
        err.ends_with("no execution of the record's tasks is as the one here\n"),
        "{err}"
    );
}

#[test]
fn sizes_that_no_dims_give_at_once_are_told() {
    let folder = Folder::new("peak-sizes");
    let case = case(random::graph(&mut Rng(1), 9).model).expect("a plan");
    let good = case.record.report().to_json();
    let begin = "\"sizes\":{\"at\":";
    let at = good.find(begin).expect("dims give the sizes") + begin.len();
    let end = at + good[at..].find(']').expect("a list") + 1;
    let unknown = format!("{}null{}", &good[..at], &good[end..]);
    let (_, out, _) = plan(&["peak", &folder.file("known.json", &good)]);
    assert_eq!(out.lines().count(), 3, "{out}");
    let (_, out, _) = plan(&["peak", &folder.file("unknown.json", unknown)]);
    let last = out.lines().nth(3).expect("a line more");
    assert!(last.starts_with("sizes: "), "{out}");
}

#[test]
fn an_execution_that_shows_something_else_is_refused() {
    let folder = Folder::new("peak-execution");
    let case = open();
    let [[low, high], ..] = case.found.peak.ends();
    assert!(low < high - 64, "{low} {high}");
    let good = case.record.report().to_json();
    let least =
        |high: u64| format!("\"peaks\":{{\"least\":{{\"bytes\":{{\"low\":{low},\"high\":{high}}}");
    let less = good.replacen(&least(high), &least(high - 64), 1);
    let file = folder.file("less.json", less);
    let (status, _, err) = plan(&["peak", &file, "--steps", "0"]);
    let (most, said) = (high, high - 64);
    let message = format!(": the execution here has {most} live at its cut, not {said}\n");
    assert!(status == 2 && err.ends_with(&message), "{err}");
}

#[test]
fn it_takes_one_file_and_keeps_it() {
    let folder = Folder::new("peak-arguments");
    let file = folder.file("record.json", "{}");
    for args in [
        &["peak"][..],
        &["peak", &file, &file],
        &["peak", &file, "--capacity", "1"],
    ] {
        let (status, out, err) = plan(args);
        assert_eq!((status, &*out), (2, ""), "{args:?}");
        assert!(
            err.ends_with("\n`plan --help` says what it takes\n"),
            "{err}"
        );
    }
    let (status, _, err) = plan(&["peak", &file, "--output", &file]);
    assert!(status == 2 && err.contains("which would be lost"), "{err}");
    assert_eq!(std::fs::read_to_string(&file).expect("the input"), "{}");
}
