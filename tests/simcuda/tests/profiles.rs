//! Times of runs on the CUDA driver: whether they keep to the order of a program, what is said by them, and
//! what is called for them.
#![cfg(target_os = "linux")]
#![allow(
    clippy::duplicate_mod,
    reason = "host functions name the graph that stands beside them"
)]

mod driver;
#[path = "../../gpu/tests/suite/order.rs"]
mod order;
#[path = "../../gpu/tests/suite/wide.rs"]
mod wide;

use std::collections::BTreeSet;

use driver::*;
use gpu_graph::__private::{DeclaredGraph, Image};
use gpu_graph::RunError;
use gpu_graph::driver::DriverError;
use gpu_graph::profile::Profile;
use gpu_graph::report::{Disposition, Measured, Report, Spread};
use order::is_kept;
use simcuda::client::Shim;
use wide::{chosen, chosen_as_graph, in_turn, measured, plain, plain_as_graph, side_by_side};

const SEEDS: u64 = 40;

/// Timed runs of one of two graphs that are one but for how they are issued.
macro_rules! diamonds {
    ($device:expr, $graph:ident, $module:ident) => {{
        let n = 64;
        let mut graph = $graph::load($device, $module::Dims { n }).unwrap();
        graph.profile(true).unwrap();
        let mut all = Vec::new();
        for by in 5..8u32 {
            let x = numbers(n, by);
            let run = graph.run($module::Inputs { x: &x, by }).unwrap();
            let profile = run.profile().unwrap().unwrap();
            is_kept(&$graph::IMAGE, &profile);
            assert!(profile.live_peak() <= graph_arena(&$graph::IMAGE));
            assert_eq!(run.y().unwrap().to_vec().unwrap(), diamond(&x, by));
            all.push(profile);
        }
        all
    }};
}

/// No resource of a graph shares storage here.
fn graph_arena(image: &Image) -> u64 {
    image.source.resources.len() as u64 * 256
}

/// Whether two tasks of a run went on at once.
fn overlaps(profile: &Profile) -> bool {
    let tasks = profile.tasks();
    let pairs = tasks.iter().enumerate();
    let mut pairs = pairs.flat_map(|(i, a)| tasks[..i].iter().map(move |b| (a, b)));
    pairs.any(|(a, b)| a.begin < b.end && b.begin < a.end)
}

#[test]
fn times_keep_to_the_order_of_the_program_and_to_no_other_for_every_seed() {
    let mut beside = [0, 0];
    each_form(|device, form| {
        let all = match form {
            Form::OnStreams => diamonds!(device, OnStreams, on_streams),
            Form::AsGraph => diamonds!(device, AsGraph, as_graph),
        };
        beside[form as usize] += all.iter().filter(|p| overlaps(p)).count();
    });
    assert!(beside.iter().all(|&runs| runs > 10), "{beside:?}");
}

/// Bytes that are live at once in a run of a graph of `wide` at 16, at most, of both wide values and the
/// others, by the times of its tasks.
fn live_peak(profile: &Profile) -> u64 {
    let at = |name: &str| {
        let found = profile.tasks().iter().find(|task| task.name == name);
        found.unwrap_or_else(|| panic!("{profile}"))
    };
    let [x, a, b] = ["upload x", "a = widen", "b = widen"].map(at);
    let [p, q] = ["p = sum", "q = sum"].map(at);
    let end = profile.span();
    let lives = [
        (256, x.begin, a.end.max(b.end)),
        (4096, a.begin, p.end),
        (4096, b.begin, q.end),
        (256, p.begin, end),
        (256, q.begin, end),
    ];
    let live_at = |cut| {
        let live = lives
            .iter()
            .filter(|(_, from, to)| *from <= cut && cut < *to);
        live.map(|(bytes, ..)| bytes).sum()
    };
    let cuts = profile.tasks().iter().map(|task| live_at(task.begin));
    cuts.max().unwrap_or_default()
}

#[test]
fn the_peak_of_live_bytes_is_that_of_the_cuts_that_the_times_make() {
    let shim = shim(0);
    let mut peaks = BTreeSet::new();
    for seed in 0..SEEDS {
        let device = known(&shim, seed);
        let dims = side_by_side::twice::Dims { n: 16 };
        let mut graph = side_by_side::Twice::load(&device, dims).unwrap();
        graph.profile(true).unwrap();
        for _ in 0..4 {
            let x = vec![3u32; 16];
            let run = graph.run(side_by_side::twice::Inputs { x }).unwrap();
            let profile = run.profile().unwrap().unwrap();
            assert_eq!(profile.live_peak(), live_peak(&profile), "{profile}");
            peaks.insert(profile.live_peak());
        }
        drop(graph);
        close(&shim, device, seed);
    }
    // It depends on what went on at once.
    assert!(peaks.len() > 1, "{peaks:?}");
}

macro_rules! kept {
    ($device:expr, $graph:ident, $module:ident) => {{
        let n = 17;
        let mut graph = $graph::load($device, $module::Dims { n }).unwrap();
        graph.profile(true).unwrap();
        graph.set_w(&numbers(n, 100)).unwrap();
        for run in 0..3u32 {
            let run = graph
                .run($module::Inputs {
                    x: &numbers(n, run),
                })
                .unwrap();
            is_kept(&$graph::IMAGE, &run.profile().unwrap().unwrap());
        }
    }};
}

#[test]
fn callbacks_copies_and_fills_have_times_that_keep_to_the_order_too() {
    each_form(|device, form| match form {
        Form::OnStreams => kept!(device, KeptOnStreams, kept_on_streams),
        Form::AsGraph => kept!(device, KeptAsGraph, kept_as_graph),
    });
}

macro_rules! lanes {
    ($device:expr, $graph:ident, $module:ident) => {{
        let mut graph = $graph::load($device, $module::Dims { n: 50 }).unwrap();
        graph.profile(true).unwrap();
        let mut log = gpu_graph::report::ProfileLog::new();
        let [mut a, mut b] = graph.lanes();
        for run in 0..4u32 {
            let x = numbers(50, run);
            let first = a.run($module::Inputs { x: &x, by: run }).unwrap();
            let second = b.run($module::Inputs { x: &x, by: 9 }).unwrap();
            for profile in [second.profile(), first.profile()] {
                let profile = profile.unwrap().unwrap();
                is_kept(&$graph::IMAGE, &profile);
                log.add(&profile).unwrap();
            }
        }
        let measured = log.measured().unwrap();
        let seen = &measured.programs[0];
        assert_eq!(seen.runs, 8);
        // One ends behind the other: all are told from one instant.
        assert!(seen.period_nanoseconds.unwrap().least > 0, "{seen:?}");
        assert!(
            seen.period_nanoseconds.unwrap().most < 1_000_000,
            "{seen:?}"
        );
    }};
}

#[test]
fn runs_of_two_lanes_are_told_from_one_instant() {
    each_form(|device, form| match form {
        Form::OnStreams => lanes!(device, LanesOnStreams, lanes_on_streams),
        Form::AsGraph => lanes!(device, LanesAsGraph, lanes_as_graph),
    });
}

/// The calls of one run, with its end.
macro_rules! calls_of {
    ($shim:expr, $graph:expr, $module:ident) => {{
        // All is over, and has been seen to be.
        $shim.reports();
        $shim.forget_calls();
        let x = numbers(64, 1);
        let run = $graph.run($module::Inputs { x: &x, by: 2 }).unwrap();
        let y = run.y().unwrap().to_vec().unwrap();
        assert_eq!(y, diamond(&x, 2));
        run.wait().unwrap();
        $shim.calls()
    }};
}

macro_rules! as_before {
    ($shim:expr, $graph:ident, $module:ident) => {{
        let device = device();
        let mut graph = $graph::load(&device, $module::Dims { n: 64 }).unwrap();
        calls_of!($shim, graph, $module);
        let before = calls_of!($shim, graph, $module);
        graph.profile(true).unwrap();
        let timed = calls_of!($shim, graph, $module);
        graph.profile(false).unwrap();
        assert_eq!(calls_of!($shim, graph, $module), before);
        drop(graph);
        close(&$shim, device, 0);
        (before, timed)
    }};
}

#[test]
fn a_run_that_is_not_timed_makes_the_calls_that_it_made_before() {
    let shim = shim(0);
    let count = |calls: &[String], name: &str| {
        let named = |line: &&String| line.split(' ').next() == Some(name);
        calls.iter().filter(named).count()
    };
    let (before, timed) = as_before!(shim, OnStreams, on_streams);
    // Two of each of five tasks, and one before all that the other stream waits for.
    for (name, more) in [("cuEventRecord", 11), ("cuStreamWaitEvent", 1)] {
        assert_eq!(
            count(&timed, name),
            count(&before, name) + more,
            "{timed:?}"
        );
    }
    assert_eq!(timed.len(), before.len() + 12, "{timed:?}");
    assert!(
        !before.iter().any(|line| line.ends_with("timed")),
        "{before:?}"
    );
    restart(&shim, 0);
    let (before, timed) = as_before!(shim, AsGraph, as_graph);
    assert_eq!(timed, before, "one launch is one launch");
}

#[test]
fn a_timed_run_that_is_dropped_in_flight_is_looked_after_and_its_drop_calls_nothing() {
    each_seed(|shim, device, _| {
        let n = 64;
        let mut graph = AsGraph::load(device, as_graph::Dims { n }).unwrap();
        let mut other = OnStreams::load(device, on_streams::Dims { n }).unwrap();
        graph.profile(true).unwrap();
        other.profile(true).unwrap();
        let x = numbers(n, 1);
        graph.run(as_graph::Inputs { x: &x, by: 2 }).unwrap();
        other.run(on_streams::Inputs { x: &x, by: 2 }).unwrap();
        let before = shim.calls().len();
        drop(graph);
        drop(other);
        assert_eq!(shim.calls().len(), before);
    });
}

/// Asks for times, runs, and reads them, of a graph that was loaded before; what was refused, if
/// anything was.
macro_rules! timed {
    ($graph:expr, $module:ident) => {
        (|| -> Result<(), RunError> {
            $graph.profile(true)?;
            let x = numbers(64, 1);
            let run = $graph.run($module::Inputs { x: &x, by: 2 })?;
            let profile = run.profile()?.expect("it is timed");
            assert_eq!(profile.tasks().len(), 5);
            Ok(())
        })()
    };
}

macro_rules! refusals {
    ($shim:expr, $graph:ident, $module:ident) => {{
        let load = || {
            let device = device();
            let graph = $graph::load(&device, $module::Dims { n: 64 }).unwrap();
            (device, graph)
        };
        let (device, mut graph) = load();
        $shim.forget_calls();
        timed!(graph, $module).unwrap();
        let calls = $shim.calls();
        let name = |line: &String| line.split(' ').next().unwrap_or_default().to_owned();
        let names: BTreeSet<String> = calls.iter().map(name).collect();
        drop(graph);
        close(&$shim, device, 0);
        let mut refused = BTreeSet::new();
        for name in &names {
            for nth in 1..=12 {
                restart(&$shim, nth);
                let (device, mut graph) = load();
                $shim.fail(name, nth, 1);
                if let Err(error) = timed!(graph, $module) {
                    let said = error.to_string();
                    let of_call = format!("{name}: CUDA_ERROR_INVALID_VALUE (1)");
                    let of_call = of_call.replace("_v2", "");
                    assert!(said.starts_with(&of_call), "{name} {nth}: {said}");
                    refused.insert(name.clone());
                }
                $shim.fail(name, u64::MAX, 0);
                assert_eq!($shim.reports(), [""; 0], "{name} {nth}");
                // Whatever was refused, it runs as before, and can be timed.
                graph.profile(false).unwrap();
                let x = numbers(64, nth as u32);
                let run = graph.run($module::Inputs { x: &x, by: 3 }).unwrap();
                assert_eq!(run.y().unwrap().to_vec().unwrap(), diamond(&x, 3));
                assert_eq!(run.profile().unwrap(), None);
                timed!(graph, $module).unwrap_or_else(|said| panic!("{name} {nth}: {said}"));
                drop(graph);
                assert_eq!($shim.reports(), [""; 0], "{name} {nth}");
                drop(device);
                look_after(&$shim);
                // What could not be given back is not.
                let kept = ["Destroy", "CtxSetCurrent"];
                let kept = kept.iter().any(|part| name.contains(part));
                assert!(
                    kept || $shim.leaks().is_empty(),
                    "{name} {nth}: {:?}",
                    $shim.leaks()
                );
            }
        }
        refused
    }};
}

#[test]
fn whatever_call_fails_for_times_is_a_typed_error_and_the_graph_runs_on() {
    let shim = shim(0);
    let refused = refusals!(shim, OnStreams, on_streams);
    for name in [
        "cuEventCreate",
        "cuEventRecord",
        "cuEventSynchronize",
        "cuEventElapsedTime",
        "cuStreamCreate",
        "cuStreamWaitEvent",
        "cuLaunchKernel",
    ] {
        assert!(refused.contains(name), "{name} is not among {refused:?}");
    }
    restart(&shim, 0);
    let refused = refusals!(shim, AsGraph, as_graph);
    for name in [
        "cuEventCreate",
        "cuEventElapsedTime",
        "cuGraphCreate",
        "cuGraphAddEventRecordNode",
        "cuGraphAddKernelNode_v2",
        "cuGraphInstantiateWithFlags",
        "cuGraphLaunch",
    ] {
        assert!(refused.contains(name), "{name} is not among {refused:?}");
    }
}

#[test]
fn what_is_refused_of_a_task_says_which() {
    let shim = shim(0);
    let device = device();
    let mut graph = OnStreams::load(&device, on_streams::Dims { n: 64 }).unwrap();
    graph.profile(true).unwrap();
    // Before all tasks, and before the first of them.
    for (nth, of) in [(1, None), (2, Some("(`upload`)"))] {
        shim.fail("cuEventRecord", nth, 1);
        let said = timed!(graph, on_streams).unwrap_err().to_string();
        match of {
            None => assert_eq!(said, "cuEventRecord: CUDA_ERROR_INVALID_VALUE (1)"),
            Some(of) => assert!(
                said.contains("for task 0 of `OnStreams`") && said.ends_with(of),
                "{said}"
            ),
        }
        timed!(graph, on_streams).unwrap();
    }
    drop(graph);
    let mut graph = AsGraph::load(&device, as_graph::Dims { n: 64 }).unwrap();
    shim.fail("cuGraphAddEventRecordNode", 3, 1);
    let said = graph.profile(true).unwrap_err().to_string();
    let want = "cuGraphAddEventRecordNode: CUDA_ERROR_INVALID_VALUE (1), for task 0 of `AsGraph` (`upload`)";
    assert_eq!(said, want);
    shim.fail("cuEventElapsedTime", 2, 700);
    let lost = timed!(graph, as_graph).unwrap_err();
    assert!(
        matches!(lost, RunError::Driver(DriverError::Lost { .. })),
        "{lost}"
    );
}

fn disposition(report: &Report) -> Disposition {
    report.plans[0].claims.verdict.disposition
}

/// The graphs of `wide` on a device that knows them.
fn known(shim: &Shim, seed: u64) -> gpu_graph::Device {
    restart(shim, seed);
    let images = [
        &plain::Twice::IMAGE,
        &chosen::Twice::IMAGE,
        &side_by_side::Twice::IMAGE,
        &in_turn::Twice::IMAGE,
    ];
    shim.register_graphs(&images.map(|image| (image, &[16][..])));
    device()
}

#[test]
fn a_gain_that_both_profiles_of_a_gpu_show_is_a_measured_finding_as_on_the_host() {
    let shim = shim(0);
    for seed in 0..4 {
        let device = known(&shim, seed);
        macro_rules! finding {
            ($plain:ident, $chosen:ident) => {{
                let before = measured!($plain, &device, 16, 9);
                let after = measured!($chosen, &device, 16, 9);
                let record = $chosen::Twice::RECORD;
                assert_eq!(disposition(&record.report()), Disposition::GuardedPolicy);
                let report = record.judge(&before, &after).unwrap();
                assert_eq!(disposition(&report), Disposition::MeasuredFinding);
                assert_eq!(Report::from_json(&report.to_json()).unwrap(), report);
                let finding = report.plans[0].finding.as_ref().unwrap();
                assert_eq!(finding.device, "cuda 0: Simulated GPU 0");
                // What is live in an order that is one is the same on every device.
                let host = gpu_graph::host();
                let on_host = [
                    measured!($plain, &host, 16, 9),
                    measured!($chosen, &host, 16, 9),
                ];
                for (gpu, host) in [before, after].iter().zip(&on_host) {
                    let (gpu, host) = (&gpu.programs[0], &host.programs[0]);
                    assert_eq!(gpu.live_bytes, host.live_bytes);
                    assert_eq!(gpu.arena_bytes, host.arena_bytes);
                    assert_eq!((gpu.source, gpu.program), (host.source, host.program));
                    assert_eq!(host.resolution_nanoseconds, 0);
                    assert!(gpu.resolution_nanoseconds >= 500);
                }
            }};
        }
        finding!(plain, chosen);
        finding!(plain_as_graph, chosen_as_graph);
        close(&shim, device, seed);
    }
}

#[test]
fn few_runs_on_a_gpu_are_no_evidence() {
    let shim = shim(0);
    let device = known(&shim, 0);
    let before = measured!(plain, &device, 16, 5);
    let after = measured!(chosen, &device, 16, 5);
    let report = chosen::Twice::RECORD.judge(&before, &after).unwrap();
    assert_eq!(disposition(&report), Disposition::NeedMoreEvidence);
    close(&shim, device, 0);
}

/// How long runs take is set: a simulated device does one step at a time.
#[test]
fn a_run_on_a_gpu_that_takes_longer_than_can_be_misread_is_outside_its_target() {
    let shim = shim(0);
    let device = known(&shim, 0);
    let mut before = measured!(side_by_side, &device, 16, 9);
    let mut after = measured!(in_turn, &device, 16, 9);
    let record = in_turn::Twice::RECORD;
    // What is live beside each other is a matter of when.
    before.programs[0].live_bytes = Spread::of(vec![9_000; 9]).unwrap();
    let off = before.programs[0].resolution_nanoseconds;
    assert!((500..700).contains(&off), "{off}");
    let mut judged = |times: [u64; 2]| {
        for (of, time) in [&mut before, &mut after].into_iter().zip(times) {
            of.programs[0].run_nanoseconds = Spread::of(vec![time; 9]).unwrap();
            // Files keep what it takes to judge.
            let read = Measured::from_json(&of.to_json()).unwrap();
            assert_eq!(&read, &*of);
        }
        disposition(&record.judge(&before, &after).unwrap())
    };
    let most = 10_000 + 2 * off;
    assert_eq!(judged([10_000, most]), Disposition::MeasuredFinding);
    assert_eq!(judged([10_000, most + 1_000]), Disposition::Rejected);
    close(&shim, device, 0);
}
