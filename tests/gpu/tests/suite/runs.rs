//! Runs, their results and their failures.

use gpu_graph::__private::DeclaredGraph;
use gpu_graph::{Device, RunError, host};

use super::Gpu;
use super::graphs::*;

/// Sizes of less than a block, of one, and of several with a rest.
const SIZES: [usize; 4] = [1, 128, 1000, 4097];

macro_rules! diamonds {
    ($graph:ident, $module:ident, $device:expr) => {{
        let device: &Device = $device;
        let mut all = Vec::new();
        for n in SIZES {
            let mut graph = $graph::load(device, $module::Dims { n }).unwrap();
            for run in 0..4 {
                let x = numbers(n, run);
                let run = graph.run($module::Inputs { x: &x, by: run + 5 }).unwrap();
                all.push(run.y().unwrap().to_vec().unwrap());
            }
        }
        all
    }};
}

pub fn runs_on_streams_and_as_a_graph_are_those_of_the_host(gpu: &dyn Gpu) {
    let dims = SIZES.map(|n| [n as u64]);
    let graphs = [&OnStreams::IMAGE, &AsGraph::IMAGE];
    let all: Vec<_> = graphs
        .into_iter()
        .flat_map(|image| dims.iter().map(move |dims| (image, &dims[..])))
        .collect();
    let device = gpu.device(&all);
    let expected = diamonds!(OnStreams, on_streams, &host());
    assert_eq!(diamonds!(OnStreams, on_streams, &device), expected);
    assert_eq!(diamonds!(AsGraph, as_graph, &device), expected);
}

macro_rules! owned {
    ($graph:ident, $module:ident, $device:expr) => {{
        let device: &Device = $device;
        let mut all = Vec::new();
        for n in SIZES {
            let mut graph = $graph::load(device, $module::Dims { n }).unwrap();
            let w = numbers(n, 9);
            for run in 0..4 {
                let x = numbers(n, run);
                let run = graph.run($module::Inputs { x: &x, w: &w }).unwrap();
                all.push(run.y().unwrap().to_vec().unwrap());
            }
        }
        all
    }};
}

/// H35: what the caller gives is updated where each run copies it to.
pub fn inputs_that_tasks_update_are_copied_in_each_run(gpu: &dyn Gpu) {
    let dims = SIZES.map(|n| [n as u64]);
    let graphs = [&OwnOnStreams::IMAGE, &OwnAsGraph::IMAGE];
    let all: Vec<_> = graphs
        .into_iter()
        .flat_map(|image| dims.iter().map(move |dims| (image, &dims[..])))
        .collect();
    let device = gpu.device(&all);
    let expected = owned!(OwnOnStreams, own_on_streams, &host());
    let sequential = SIZES.iter().flat_map(|&n| {
        (0..4).map(move |run| {
            let both = numbers(n, run).into_iter().zip(numbers(n, 9));
            both.map(|(x, w)| x.wrapping_add(w).wrapping_mul(15))
                .collect::<Vec<u32>>()
        })
    });
    assert_eq!(expected, sequential.collect::<Vec<_>>());
    assert_eq!(owned!(OwnOnStreams, own_on_streams, &device), expected);
    assert_eq!(owned!(OwnAsGraph, own_as_graph, &device), expected);
}

pub fn floats_are_within_the_tolerance_that_is_declared(gpu: &dyn Gpu) {
    let n = 4097;
    let device = gpu.device(&[(&Floats::IMAGE, &[n as u64])]);
    let x: Vec<f32> = (0..n).map(|i| i as f32 / 64.0 - 30.0).collect();
    let y: Vec<f32> = (0..n).map(|i| 5.0 - i as f32 / 128.0).collect();
    let run = |device: &Device| {
        let mut graph = Floats::load(device, floats::Dims { n }).unwrap();
        let inputs = floats::Inputs {
            x: &x,
            y: &y,
            by: 0.7,
        };
        let run = graph.run(inputs).unwrap();
        run.z().unwrap().to_vec().unwrap()
    };
    let (found, expected) = (run(&device), run(&host()));
    for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let off = (found - expected).abs();
        assert!(
            off <= 1e-5 * expected.abs().max(1.0),
            "{at}: {found}, {expected}"
        );
    }
    assert_eq!(found.len(), n);
}

macro_rules! kept {
    ($graph:ident, $module:ident, $device:expr, $n:expr) => {{
        let device: &Device = $device;
        let n: usize = $n;
        let mut graph = $graph::load(device, $module::Dims { n }).unwrap();
        let mut all = Vec::new();
        for run in 0..6 {
            if run % 2 == 0 {
                graph.set_w(&numbers(n, 100 + run)).unwrap();
            }
            if run == 4 {
                graph.reset().unwrap();
                graph.set_w(&numbers(n, 7)).unwrap();
            }
            let x = numbers(n, run);
            let run = graph.run($module::Inputs { x: &x }).unwrap();
            all.push(run.y().unwrap().to_vec().unwrap());
        }
        all
    }};
}

pub fn callbacks_and_what_outlives_runs_are_those_of_the_host(gpu: &dyn Gpu) {
    let n = 1000;
    let dims = &[n as u64][..];
    let device = gpu.device(&[(&KeptOnStreams::IMAGE, dims), (&KeptAsGraph::IMAGE, dims)]);
    let expected = kept!(KeptOnStreams, kept_on_streams, &host(), n);
    assert_eq!(kept!(KeptOnStreams, kept_on_streams, &device, n), expected);
    assert_eq!(kept!(KeptAsGraph, kept_as_graph, &device, n), expected);
}

macro_rules! too_much {
    ($graph:ident, $module:ident, $device:expr) => {{
        let mut graph = $graph::load($device, $module::Dims { n: 4 }).unwrap();
        graph.set_w(&[0u32; 4]).unwrap();
        let x = [TOO_MUCH, 1, 1, 1];
        let run = graph.run($module::Inputs { x: &x }).unwrap();
        let said = run.y().err().unwrap().to_string();
        assert!(said.contains("`twice` panicked"), "{said}");
        let poisoned = graph.run($module::Inputs { x: &x }).err().unwrap();
        assert!(matches!(poisoned, RunError::Poisoned { .. }), "{poisoned}");
        graph.reset().unwrap();
        graph.set_w(&[0u32; 4]).unwrap();
        let run = graph.run($module::Inputs { x: &[1u32; 4] }).unwrap();
        assert_eq!(run.y().unwrap().to_vec().unwrap(), [3; 4]);
    }};
}

pub fn a_panic_in_a_callback_is_an_error_of_its_run(gpu: &dyn Gpu) {
    let dims = &[4][..];
    let device = gpu.device(&[(&KeptOnStreams::IMAGE, dims), (&KeptAsGraph::IMAGE, dims)]);
    too_much!(KeptOnStreams, kept_on_streams, &device);
    too_much!(KeptAsGraph, kept_as_graph, &device);
}

macro_rules! lanes {
    ($graph:ident, $module:ident, $device:expr, $n:expr) => {{
        let mut graph = $graph::load($device, $module::Dims { n: $n }).unwrap();
        let one = |x: &[u32], by: u32| -> Vec<u32> {
            x.iter()
                .map(|x| x.wrapping_mul(by).wrapping_add(3 * x))
                .collect()
        };
        let [mut a, mut b] = graph.lanes();
        std::thread::scope(|scope| {
            for (lane, from) in [(&mut a, 1), (&mut b, 70)] {
                scope.spawn(move || {
                    for run in 0..20 {
                        let (x, by) = (numbers($n, from + run), from + run);
                        let done = lane.run($module::Inputs { x: &x, by }).unwrap();
                        assert_eq!(done.y().unwrap().to_vec().unwrap(), one(&x, by));
                    }
                });
            }
        });
    }};
}

pub fn lanes_run_at_once(gpu: &dyn Gpu) {
    let n = 1000;
    let dims = &[n as u64][..];
    let graphs = [(&LanesOnStreams::IMAGE, dims), (&LanesAsGraph::IMAGE, dims)];
    let device = gpu.device(&graphs);
    lanes!(LanesOnStreams, lanes_on_streams, &device, n);
    lanes!(LanesAsGraph, lanes_as_graph, &device, n);
}
