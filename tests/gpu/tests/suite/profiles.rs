//! Times of runs, and what is said by them.

use std::time::Duration;

use gpu_graph::__private::DeclaredGraph;
use gpu_graph::report::Disposition;
use gpu_graph::{Device, host};

use super::Gpu;
use super::graphs::*;
use super::order::is_kept;
use super::wide::{chosen, chosen_as_graph, measured, plain, plain_as_graph};

/// Results of runs of which every other is timed.
macro_rules! diamonds {
    ($graph:ident, $module:ident, $device:expr) => {{
        let device: &Device = $device;
        let n = 4097;
        let mut graph = $graph::load(device, $module::Dims { n }).unwrap();
        let mut all = Vec::new();
        for by in 0..6u32 {
            let timed = by % 2 == 1;
            graph.profile(timed).unwrap();
            let x = numbers(n, by);
            let run = graph.run($module::Inputs { x: &x, by }).unwrap();
            match run.profile().unwrap() {
                Some(profile) => {
                    is_kept(&$graph::IMAGE, &profile);
                    assert!(timed && profile.span() > Duration::ZERO, "{profile}");
                    let told = profile.resolution();
                    assert!(told < Duration::from_micros(100), "{profile}");
                    let all = graph_bytes(&profile.tasks().len(), n);
                    assert!(profile.live_peak() >= all && profile.kernels().len() == 2);
                }
                None => assert!(!timed),
            }
            all.push(run.y().unwrap().to_vec().unwrap());
        }
        all
    }};
}

/// What one task of a diamond reads and writes, at least.
fn graph_bytes(tasks: &usize, n: usize) -> u64 {
    assert_eq!(*tasks, 5);
    2 * 4 * n as u64
}

pub fn times_of_a_run_keep_to_the_order_of_its_program_and_change_no_result(gpu: &dyn Gpu) {
    let dims = &[4097][..];
    let device = gpu.device(&[(&OnStreams::IMAGE, dims), (&AsGraph::IMAGE, dims)]);
    let expected = diamonds!(OnStreams, on_streams, &host());
    assert_eq!(diamonds!(OnStreams, on_streams, &device), expected);
    assert_eq!(diamonds!(AsGraph, as_graph, &device), expected);
}

macro_rules! kept {
    ($graph:ident, $module:ident, $device:expr) => {{
        let device: &Device = $device;
        let n = 1000;
        let mut graph = $graph::load(device, $module::Dims { n }).unwrap();
        graph.profile(true).unwrap();
        graph.set_w(&numbers(n, 100)).unwrap();
        let mut all = Vec::new();
        for run in 0..4 {
            let x = numbers(n, run);
            let run = graph.run($module::Inputs { x: &x }).unwrap();
            is_kept(&$graph::IMAGE, &run.profile().unwrap().unwrap());
            all.push(run.y().unwrap().to_vec().unwrap());
        }
        all
    }};
}

pub fn callbacks_copies_and_fills_are_timed_like_kernels(gpu: &dyn Gpu) {
    let dims = &[1000][..];
    let device = gpu.device(&[(&KeptOnStreams::IMAGE, dims), (&KeptAsGraph::IMAGE, dims)]);
    let expected = kept!(KeptOnStreams, kept_on_streams, &host());
    assert_eq!(kept!(KeptOnStreams, kept_on_streams, &device), expected);
    assert_eq!(kept!(KeptAsGraph, kept_as_graph, &device), expected);
}

macro_rules! judged {
    ($gpu:expr, $plain:ident, $chosen:ident) => {{
        let (n, dims) = (1024, &[1024][..]);
        let images = [&$plain::Twice::IMAGE, &$chosen::Twice::IMAGE];
        let device = $gpu.device(&images.map(|image| (image, dims)));
        let before = measured!($plain, &device, n, 9);
        let after = measured!($chosen, &device, n, 9);
        assert!(before.programs[0].resolution_nanoseconds >= 500);
        let report = $chosen::Twice::RECORD.judge(&before, &after).unwrap();
        let verdict = &report.plans[0].claims.verdict;
        let found = verdict.disposition;
        assert_eq!(found, Disposition::MeasuredFinding, "{verdict:?}");
        let finding = report.plans[0].finding.as_ref().unwrap();
        assert_eq!(finding.device, device.info().name);
    }};
}

pub fn a_plan_that_holds_less_is_a_measured_finding(gpu: &dyn Gpu) {
    judged!(gpu, plain, chosen);
    judged!(gpu, plain_as_graph, chosen_as_graph);
}
