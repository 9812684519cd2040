//! What is measured: kept in a file, read by the build, and held against what is predicted.
//!
//! `UPDATE_PROFILES=1 cargo test --test measured` writes into the files of `tests/measured` what their
//! source is known by now; the next build reads it.
#![cfg(feature = "report")]
#![forbid(unsafe_code)]

#[path = "measured/again.rs"]
mod again;
#[path = "measured/graphs.rs"]
mod graphs;
#[path = "measured/host.rs"]
mod host;
#[path = "measured/profiled.rs"]
mod profiled;

use std::fs;
use std::path::{Path, PathBuf};

use gpu_graph::profile::ProfileUse;
use gpu_graph::report::{
    Disposition, Figure, Identity, JudgeError, LogError, Measured, MeasuredError, MeasuredProgram,
    ProfileLog, Range, Report, ReportError, Spread,
};
use gpu_graph::{Record, host as device};
use graphs::{chosen, plain};
use profiled::{in_turn, side_by_side};

/// So many runs of a graph in the module `twice` of `$of`, put together.
macro_rules! measured {
    ($of:ident, $n:expr, $runs:expr) => {{
        let n = $n;
        let mut log = ProfileLog::new();
        let mut graph = $of::Twice::load(&device(), $of::twice::Dims { n }).unwrap();
        graph.profile(true).unwrap();
        for _ in 0..$runs {
            let run = graph.run($of::twice::Inputs { x: vec![1f32; n] }).unwrap();
            log.add(&run.profile().unwrap().unwrap()).unwrap();
        }
        log.measured().unwrap()
    }};
}

fn identity(record: &Record) -> Identity {
    let report = record.report();
    let [plan] = &report.plans[..] else {
        panic!("there are no variants")
    };
    plan.identity.clone().unwrap()
}

fn scratch(name: &str) -> PathBuf {
    let name = format!("gpu-graph-measured-{}-{name}", std::process::id());
    std::env::temp_dir().join(name)
}

#[test]
fn what_is_measured_is_read_back_as_it_was_written() {
    let measured = measured!(plain, 4, 7);
    let path = scratch("round.json");
    measured.write(&path).unwrap();
    assert_eq!(Measured::read(&path).unwrap(), measured);
    fs::remove_file(&path).unwrap();

    assert_eq!((&*measured.graph, &*measured.device), ("Twice", "host"));
    let [program] = &measured.programs[..] else {
        panic!("{measured:?}")
    };
    assert_eq!((program.runs, &program.variant), (7, &None));
    // `x`, `a`, `b`: 256 and two times 1,024 bytes, while `b` is made.
    let live = program.live_bytes;
    assert_eq!((live.least, live.low, live.most), (2304, Some(2304), 2304));
    let kernels = program.kernels.iter();
    let kernels: Vec<_> = kernels
        .map(|k| (&*k.kernel, &k.dims[..], k.launches))
        .collect();
    assert_eq!(
        kernels,
        [("sum", &[256, 4][..], 14), ("widen", &[4, 256], 14)]
    );
    let tasks: Vec<_> = program.tasks.iter().map(|t| (&*t.task, t.launch)).collect();
    let shown = [
        ("upload x", None),
        ("a = widen", Some(1)),
        ("b = widen", Some(1)),
        ("p = sum", Some(0)),
        ("q = sum", Some(0)),
    ];
    assert_eq!(tasks, shown);
    let time = program.run_nanoseconds;
    assert!(time.least <= time.median && time.median <= time.most);
}

#[test]
fn a_file_that_is_no_profile_is_refused_with_its_reason() {
    let measured = measured!(plain, 4, 2);
    let path = scratch("bad.json");
    assert!(matches!(
        Measured::read(&path),
        Err(MeasuredError::Read { .. })
    ));
    fs::write(
        &path,
        measured
            .to_json()
            .replace("\"version\": 2", "\"version\": 9"),
    )
    .unwrap();
    let refused = Measured::read(&path).unwrap_err().to_string();
    assert!(
        refused.ends_with("is no profile: it is of version 9, where 2 is known"),
        "{refused}"
    );
    fs::write(
        &path,
        measured.to_json().replace("\"launch\": 1", "\"launch\": 5"),
    )
    .unwrap();
    let Err(MeasuredError::Form {
        source: ReportError::Form { place, what },
        ..
    }) = Measured::read(&path)
    else {
        panic!("there is no such kernel")
    };
    assert_eq!(place, "programs[0].tasks[1].launch");
    assert_eq!(what, "there is no kernel 5");
    let digest = measured.programs[0].source.to_string();
    let text = measured.to_json().replacen(&digest, "12", 1);
    let refused = Measured::from_json(&text).unwrap_err().to_string();
    assert!(
        refused.contains("`programs[0].source`: expected 16 hexadecimal digits"),
        "{refused}"
    );
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_file_that_contradicts_itself_is_refused_at_its_place() {
    let measured = measured!(plain, 4, 7);
    let refused = |change: &dyn Fn(&mut Measured)| {
        let mut changed = measured.clone();
        change(&mut changed);
        match Measured::from_json(&changed.to_json()) {
            Err(ReportError::Form { place, .. }) => place,
            other => panic!("{other:?}"),
        }
    };
    type Change<'a> = &'a dyn Fn(&mut Measured);
    let cases: [(Change<'_>, &str); 17] = [
        (&|m| m.dims.push(m.dims[0].clone()), "dims[1]"),
        (&|m| m.programs.push(m.programs[0].clone()), "programs[1]"),
        (&|m| m.programs[0].runs = 0, "programs[0].runs"),
        (
            &|m| m.programs[0].live_bytes.least = u64::MAX,
            "programs[0].live_bytes",
        ),
        (
            &|m| m.programs[0].run_nanoseconds.low = Some(u64::MAX),
            "programs[0].run_nanoseconds",
        ),
        (&|m| m.programs[0].runs = 5, "programs[0].live_bytes.low"),
        (
            &|m| m.programs[0].run_nanoseconds.high = None,
            "programs[0].run_nanoseconds.high",
        ),
        (
            &|m| m.programs[0].kernels[0].launches = 5,
            "programs[0].kernels[0].nanoseconds.low",
        ),
        (
            &|m| m.programs[0].tasks[1].nanoseconds.low = None,
            "programs[0].tasks[1].nanoseconds.low",
        ),
        (
            &|m| m.programs[0].kernels[1] = m.programs[0].kernels[0].clone(),
            "programs[0].kernels[1]",
        ),
        (
            &|m| m.programs[0].kernels[0].launches = 0,
            "programs[0].kernels[0].launches",
        ),
        (
            &|m| m.programs[0].kernels[0].nanoseconds.most = u64::MAX,
            "programs[0].kernels[0].nanoseconds.most",
        ),
        (
            &|m| m.programs[0].tasks[2].origin = 7,
            "programs[0].tasks[2].origin",
        ),
        (
            &|m| m.programs[0].period_nanoseconds = None,
            "programs[0].period_nanoseconds",
        ),
        (
            &|m| m.programs[0].kernels[0].launches += 7,
            "programs[0].kernels[0].launches",
        ),
        (
            &|m| {
                let mut kernel = m.programs[0].kernels[0].clone();
                kernel.dims.push(1);
                m.programs[0].kernels.push(kernel);
            },
            "programs[0].kernels[2]",
        ),
        (
            &|m| m.programs[0].tasks[4].origin = 1,
            "programs[0].tasks[4].launch",
        ),
    ];
    for (change, place) in cases {
        assert_eq!(refused(change), place);
    }
}

#[test]
fn of_few_runs_a_file_says_no_range_and_of_one_no_period() {
    let few = measured!(plain, 4, 5);
    assert_eq!(Measured::from_json(&few.to_json()).as_ref(), Ok(&few));
    let says = |change: &dyn Fn(&mut MeasuredProgram)| {
        let mut changed = few.clone();
        change(&mut changed.programs[0]);
        Measured::from_json(&changed.to_json())
            .unwrap_err()
            .to_string()
    };
    let run = says(&|p| p.live_bytes.high = Some(p.live_bytes.most));
    assert_eq!(
        run,
        "`programs[0].live_bytes.high`: it is 2304 of 5 observations, where there is none of fewer than 6"
    );
    let many = says(&|p| p.runs = 6);
    assert_eq!(
        many,
        "`programs[0].live_bytes.low`: it is none of 6 observations, where there is one of 6 or more"
    );
    let none = says(&|p| p.period_nanoseconds = None);
    assert_eq!(
        none,
        "`programs[0].period_nanoseconds`: it is none of 5 runs, where there is one of 2 or more"
    );
    let more = says(&|p| p.kernels[0].launches -= 1);
    assert_eq!(
        more,
        "`programs[0].kernels[0].launches`: it is 9, and not 10, as 2 tasks launch it in 5 runs"
    );
    let one = says(&|p| p.runs = 1);
    assert_eq!(
        one,
        "`programs[0].period_nanoseconds`: there is none of one run"
    );
}

#[test]
fn runs_that_do_not_go_together_are_refused_and_nothing_is_lost() {
    let mut log = ProfileLog::new();
    for (n, fits) in [(4, true), (8, false), (4, true)] {
        let mut graph = plain::Twice::load(&device(), plain::twice::Dims { n }).unwrap();
        graph.profile(true).unwrap();
        let run = graph
            .run(plain::twice::Inputs { x: vec![1f32; n] })
            .unwrap();
        match log.add(&run.profile().unwrap().unwrap()) {
            Ok(()) => assert!(fits),
            Err(error) => {
                let (first, found) = ("n = 4".to_owned(), "n = 8".to_owned());
                let what = "choice of dims";
                assert_eq!(error, LogError::Differs { what, first, found });
                assert!(!fits);
            }
        }
    }
    assert_eq!(log.measured().unwrap().programs[0].runs, 2);
}

/// What a source and a program are known by: the same on every machine, so that a profile from one
/// is good on another. They change where generated tables do.
#[test]
fn a_source_and_its_programs_are_known_by_what_they_are() {
    let (plain, chosen) = (
        identity(&plain::Twice::RECORD),
        identity(&chosen::Twice::RECORD),
    );
    assert_eq!(plain.source.to_string(), SOURCE);
    assert_ne!(plain.plan.program, chosen.plan.program);
    // An objective, a name, a budget and streams say nothing of what is run.
    let others = [
        &profiled::fast::Weighed::RECORD,
        &profiled::slow::Weighed::RECORD,
    ];
    let others = others.map(|record| identity(record).source);
    assert_eq!([chosen.source, others[0], others[1]], [plain.source; 3]);
    assert_eq!(plain.baseline, plain.plan);
    assert_eq!(chosen.baseline, plain.plan);
    assert_ne!(
        identity(&profiled::changed::Changed::RECORD).source,
        plain.source
    );
}

const SOURCE: &str = "bb8afe3df4f43da7";

#[test]
fn the_profiles_here_are_of_the_source_here() {
    for name in ["fast", "slow"] {
        let path = format!("tests/measured/{name}.profile.json");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let mut measured = Measured::read(&path).unwrap();
        let source = identity(&plain::Twice::RECORD).source;
        if std::env::var_os("UPDATE_PROFILES").is_some() {
            measured.programs[0].source = source;
            measured.write(&path).unwrap();
        }
        assert_eq!(measured.programs[0].source, source);
    }
}

#[test]
fn what_launches_take_decides_what_is_traded() {
    let [fast, slow] = [
        &profiled::fast::Weighed::RECORD,
        &profiled::slow::Weighed::RECORD,
    ];
    for record in [fast, slow] {
        assert_eq!(record.profile(), ProfileUse::Measured);
        assert!(!record.text().contains("cost unknown"), "{record}");
    }
    // 4 launches of some nanoseconds in turn are nothing beside 256 KiB; milliseconds are.
    assert!(fast.arena_bytes() < 300 << 10, "{fast}");
    assert!(slow.arena_bytes() > 512 << 10, "{slow}");
    assert_eq!((fast.streams(), slow.streams()), (1, 2));

    let report = fast.report();
    let plan = &report.plans[0];
    let used = plan.costs.as_ref().unwrap().used.as_ref().unwrap();
    assert_eq!((&*used.device, used.runs), ("host", 30));
    let sum = &used.kernels[0];
    assert_eq!(
        (&*sum.kernel, &sum.dims[..], sum.nanoseconds),
        ("sum", &[65536, 1024][..], 30)
    );
    assert_eq!(sum.range, Range::between(20, 40));
    // What is measured stands before what is declared, which are 5 us.
    let times: Vec<_> = plan.tasks.iter().map(|task| task.time).collect();
    let times: Vec<_> = times
        .iter()
        .flatten()
        .map(|t| (t.nanoseconds, t.measured))
        .collect();
    assert_eq!(times, [(10, true), (10, true), (30, true), (30, true)]);
    let predicted = identity(fast);
    let path = predicted.plan.critical_path_nanoseconds;
    assert_eq!(path, Some(Range::between(2 * (9 + 20), 2 * (11 + 40))));
    let text = fast.text();
    assert!(text.contains("critical path 80 ns, 4 launches"), "{text}");
    let because =
        "nothing is claimed of time: costs of kernels were measured, what the plan gains was not\n";
    assert!(text.contains(because), "{text}");
    let line =
        "cost           `sum` at [65536, 1024]: 30 ns measured, 20 ns to 40 ns, seen 60 times";
    assert!(text.contains(line), "{text}");
}

#[test]
fn a_profile_of_another_source_is_stale_and_not_used() {
    let record = profiled::changed::Changed::RECORD;
    assert_eq!(record.profile(), ProfileUse::Stale);
    let text = record.text();
    let line = format!(
        "`tests/measured/fast.profile.json`: stale, and not used: it is of source {SOURCE}"
    );
    assert!(text.contains(&line), "{text}");
    assert!(
        text.contains("cost           `widen`: 5 us a launch"),
        "{text}"
    );
    assert!(text.contains("cost unknown   `sum`"), "{text}");
    let report = record.report();
    let costs = report.plans[0].costs.as_ref().unwrap();
    assert_eq!(
        (costs.file.as_str(), &costs.used),
        ("tests/measured/fast.profile.json", &None)
    );
    assert_eq!(plain::Twice::RECORD.profile(), ProfileUse::Unnamed);
}

fn disposition(report: &Report) -> Disposition {
    report.plans[0].claims.verdict.disposition
}

#[test]
fn an_order_that_a_stream_has_is_no_edge_that_the_policy_adds() {
    let text = chosen::Twice::RECORD.text();
    let (_, schedule) = text.split_once("\n  added edges    ").unwrap();
    let mut lines = schedule.lines();
    assert_eq!(lines.next(), Some("none by the policy"));
    let (adds, counts) = lines.next().unwrap().split_once(" beside these, ").unwrap();
    let orders: usize = adds.rsplit(' ').next().unwrap().parse().unwrap();
    assert_eq!(counts, "which counts in the proofs of aliases");
    let on = lines
        .take(orders)
        .filter(|line| line.ends_with(" on stream 0"));
    assert!(orders > 0 && on.count() == orders, "{text}");
}

#[test]
fn a_gain_that_both_profiles_show_is_a_measured_finding() {
    let (before, after) = (measured!(plain, 16, 9), measured!(chosen, 16, 9));
    let record = chosen::Twice::RECORD;
    assert_eq!(disposition(&record.report()), Disposition::GuardedPolicy);
    let report = record.judge(&before, &after).unwrap();
    assert_eq!(disposition(&report), Disposition::MeasuredFinding);
    assert_eq!(Report::from_json(&report.to_json()).unwrap(), report);
    let finding = report.plans[0].finding.as_ref().unwrap();
    assert_eq!((finding.baseline_runs, finding.plan_runs), (9, 9));
    let of = |figure| finding.deltas.iter().find(|d| d.figure == figure).unwrap();
    let arena = of(Figure::ArenaBytes);
    let known = identity(&record);
    let less = known.plan.arena_bytes as i64 - known.baseline.arena_bytes as i64;
    assert!(less < -(250 << 10));
    assert_eq!(arena.predicted.map(|c| (c.low, c.high)), Some((less, less)));
    assert!(arena.measured.unwrap().is_less());
    // `a` or `b`, 4,096 bytes: less `q`, which is there before `a` is made.
    let live = of(Figure::LiveBytes).measured.unwrap();
    assert_eq!((live.low, live.high), (-4096 + 256, -4096 + 256));
    assert_eq!(
        of(Figure::RunNanoseconds).predicted,
        None,
        "`sum` has no cost"
    );

    let folder = scratch("judged");
    let [text, ..] = record.export_judged(&folder, &before, &after).unwrap();
    let text = fs::read_to_string(text).unwrap();
    let verdict =
        "\nverdict: measured finding\n  because        profiles of both programs show the gain";
    assert!(text.contains(verdict), "{text}");
    // What was measured stands in the place of what was not, and all else is as it was.
    assert!(!text.contains("guarded policy\n") && !text.contains("measured       nothing"));
    let own = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter(|line| line.contains("guards: ") || line.contains("slot  "));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(own(&text), own(record.text()));
    assert!(
        text.contains("live at once       no prediction, measured -3.7 KiB"),
        "{text}"
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn few_runs_are_no_evidence() {
    let (before, after) = (measured!(plain, 16, 5), measured!(chosen, 16, 5));
    let report = chosen::Twice::RECORD.judge(&before, &after).unwrap();
    assert_eq!(disposition(&report), Disposition::NeedMoreEvidence);
    let because = &report.plans[0].claims.verdict.because;
    assert!(
        because.starts_with("too few runs were measured"),
        "{because}"
    );
}

#[test]
fn measurements_of_something_else_are_refused() {
    let (before, after) = (measured!(plain, 16, 1), measured!(chosen, 16, 1));
    let record = chosen::Twice::RECORD;
    let known = identity(&record);
    let found = known.plan.program.to_string();
    let (side, expected) = ("baseline", known.baseline.program);
    let refused = record.judge(&after, &before).unwrap_err();
    assert_eq!(
        refused,
        JudgeError::Program {
            side,
            expected,
            found
        }
    );
    let refused = plain::Twice::RECORD.judge(&before, &before).unwrap_err();
    let graph = "Twice".to_owned();
    assert_eq!(refused, JudgeError::NothingAdded { graph });
    let refused = record.judge(&measured!(plain, 8, 1), &after).unwrap_err();
    let (baseline, plan) = ("n = 8".to_owned(), "n = 16".to_owned());
    let what = "dims";
    assert_eq!(
        refused,
        JudgeError::Differs {
            what,
            baseline,
            plan
        }
    );
    let mut other = before.clone();
    other.programs[0].source = before.programs[0].program;
    let refused = record.judge(&other, &after).unwrap_err();
    let (expected, found) = (known.source, before.programs[0].program);
    let source = JudgeError::Source {
        side,
        expected,
        found,
    };
    assert_eq!(refused, source);
    // Of another text, it has another program, too.
    other.programs[0].program = found;
    other.programs[0].source = after.programs[0].program;
    let refused = record.judge(&other, &after).unwrap_err();
    let text = refused.to_string();
    assert!(matches!(refused, JudgeError::Source { .. }), "{text}");
    let hint = "the text of the graph, or of a kernel that it launches, is another";
    assert!(text.ends_with(hint), "{text}");
    // Both digests are written alike.
    let debug = format!("{refused:?}");
    assert!(
        debug.contains(&format!("expected: Digest({expected})")),
        "{debug}"
    );
}

#[test]
fn profiles_of_another_graph_or_of_dims_that_it_refuses_are_no_finding() {
    let both = || (measured!(plain, 16, 9), measured!(chosen, 16, 9));
    let record = chosen::Twice::RECORD;
    let refused = |change: &dyn Fn(&mut Measured)| {
        let (mut before, mut after) = both();
        change(&mut before);
        change(&mut after);
        record.judge(&before, &after).unwrap_err()
    };
    let error = refused(&|m| m.graph = "Other".to_owned());
    let (expected, found) = ("Twice".to_owned(), "Other".to_owned());
    assert_eq!(error, JudgeError::Graph { expected, found });
    assert_eq!(
        error.to_string(),
        "the profile of the plan is of graph `Other`, and the record of `Twice`"
    );
    for found in [0, 1025, 999_999_999] {
        let error = refused(&|m| m.dims[0].value = found);
        let dim = "n".to_owned();
        let (min, max) = (1, 1024);
        let text = format!("the profiles are of n = {found}, where the graph admits 1..=1024");
        assert_eq!(error.to_string(), text);
        assert_eq!(
            error,
            JudgeError::Dim {
                dim,
                found,
                min,
                max
            }
        );
    }
    let error = refused(&|m| m.dims[0].name = "m".to_owned());
    assert_eq!(
        error.to_string(),
        "the dims of the profiles are `m`, and those of the graph `n`"
    );
    let error = refused(&|m| m.dims.clear());
    assert_eq!(
        error.to_string(),
        "the dims of the profiles are none, and those of the graph `n`"
    );
    // The baseline is a graph of its own, known by its source and its program.
    let (mut before, after) = both();
    before.graph = "Plain".to_owned();
    let report = record.judge(&before, &after).unwrap();
    assert_eq!(disposition(&report), Disposition::MeasuredFinding);
}

/// How long runs take is set, so that no other load of the machine decides.
#[test]
fn a_run_that_takes_longer_is_outside_its_target() {
    let mut before = measured!(side_by_side, 16, 9);
    let mut after = measured!(in_turn, 16, 9);
    before.programs[0].run_nanoseconds = Spread::of((500..=510).collect()).unwrap();
    let record = in_turn::Twice::RECORD;
    assert_eq!(disposition(&record.report()), Disposition::NeedMoreEvidence);
    for (times, found) in [
        ((505..=520).collect(), Disposition::MeasuredFinding),
        (vec![900; 9], Disposition::Rejected),
        (vec![900; 5], Disposition::NeedMoreEvidence),
    ] {
        after.programs[0].run_nanoseconds = Spread::of(times).unwrap();
        // What is live beside each other is a matter of when, too.
        before.programs[0].live_bytes = Spread::of(vec![9_000; 9]).unwrap();
        let report = record.judge(&before, &after).unwrap();
        let verdict = &report.plans[0].claims.verdict;
        assert_eq!(verdict.disposition, found, "{verdict:?}");
        let outside = verdict
            .because
            .starts_with("it is outside the target: latency");
        assert_eq!(outside, found == Disposition::Rejected, "{verdict:?}");
    }
}

#[test]
fn each_combination_of_variants_is_a_program_of_its_own() {
    use profiled::variants::{Either, either};
    let mut log = ProfileLog::new();
    let mut graph = Either::load(&device(), either::Dims { n: 2 }).unwrap();
    graph.profile(true).unwrap();
    for how in [either::How::Twice, either::How::Once, either::How::Twice] {
        let run = graph
            .run(either::Inputs {
                how,
                x: &[1.0, 2.0],
            })
            .unwrap();
        log.add(&run.profile().unwrap().unwrap()).unwrap();
    }
    let measured = log.measured().unwrap();
    let programs = measured.programs.iter();
    let programs: Vec<_> = programs
        .map(|p| (p.variant.as_deref().unwrap(), p.runs))
        .collect();
    assert_eq!(programs, [("how=once", 1), ("how=twice", 2)]);
    let [once, twice] = &measured.programs[..] else {
        panic!("{measured:?}")
    };
    assert_ne!(once.source, twice.source);
    // Both launches of `widen` have dims of their own.
    let dims: Vec<_> = twice
        .kernels
        .iter()
        .map(|k| (&k.dims[..], k.launches))
        .collect();
    assert_eq!(dims, [(&[2, 4][..], 2), (&[4, 8], 2)]);
    let refused = Either::RECORD.judge(&measured, &measured).unwrap_err();
    let graph = "Either".to_owned();
    assert_eq!(refused, JudgeError::NothingAdded { graph });
}
