//! Programs on the CUDA driver: results, ordering, calls, and what is left.
#![cfg(target_os = "linux")]

mod driver;

use driver::*;
use gpu_graph::{Device, RunError};
use simcuda::client::Shim;

/// Runs of one of two graphs that are one but for how they are issued.
macro_rules! diamonds {
    ($device:expr, $seed:expr, $graph:ident, $module:ident) => {{
        let n = SIZES[$seed as usize % SIZES.len()];
        let mut graph = $graph::load($device, $module::Dims { n }).unwrap();
        for run in 0..4u32 {
            let x = numbers(n, run);
            let done = graph.run($module::Inputs { x: &x, by: run + 5 }).unwrap();
            assert_eq!(done.y().unwrap().to_vec().unwrap(), diamond(&x, run + 5));
        }
    }};
}

#[test]
fn runs_op_by_op_have_their_results_and_leave_nothing_behind_for_every_seed() {
    each_seed(|_, device, seed| diamonds!(device, seed, OnStreams, on_streams));
}

#[test]
fn runs_as_a_graph_have_the_same_results_and_leave_nothing_behind_for_every_seed() {
    each_seed(|_, device, seed| diamonds!(device, seed, AsGraph, as_graph));
}

macro_rules! kept {
    ($device:expr, $graph:ident, $module:ident) => {{
        let n = 17;
        let mut graph = $graph::load($device, $module::Dims { n }).unwrap();
        let mut sum = vec![0u32; n];
        for run in 0..5u32 {
            let (w, x) = (numbers(n, 100 + run / 2), numbers(n, run));
            if run % 2 == 0 {
                graph.set_w(&w).unwrap();
            }
            let done = graph.run($module::Inputs { x: &x }).unwrap();
            for i in 0..n {
                sum[i] = sum[i].wrapping_add(w[i].wrapping_add(x[i]).wrapping_mul(2));
            }
            let y: Vec<u32> = sum
                .iter()
                .zip(&x)
                .map(|(s, x)| s.wrapping_add(*x))
                .collect();
            let kept = done.y().unwrap().detach().unwrap();
            assert_eq!(kept.to_vec().unwrap(), y);
        }
        graph.reset().unwrap();
    }};
}

#[test]
fn what_outlives_runs_callbacks_and_copies_work_op_by_op_and_as_a_graph() {
    each_form(|device, form| match form {
        Form::OnStreams => kept!(device, KeptOnStreams, kept_on_streams),
        Form::AsGraph => kept!(device, KeptAsGraph, kept_as_graph),
    });
}

macro_rules! lanes {
    ($device:expr, $graph:ident, $module:ident) => {{
        let n = 50;
        let mut graph = $graph::load($device, $module::Dims { n }).unwrap();
        let one = |x: &u32, by: u32| x.wrapping_mul(by).wrapping_add(x.wrapping_mul(3));
        let [mut a, mut b] = graph.lanes();
        for run in 0..4u32 {
            let (xa, xb) = (numbers(n, run), numbers(n, 70 + run));
            let first = a
                .run($module::Inputs {
                    x: xa.clone(),
                    by: run,
                })
                .unwrap();
            let second = b.run($module::Inputs { x: &xb, by: 9 }).unwrap();
            let y: Vec<u32> = xb.iter().map(|x| one(x, 9)).collect();
            assert_eq!(second.y().unwrap().to_vec().unwrap(), y);
            let y: Vec<u32> = xa.iter().map(|x| one(x, run)).collect();
            assert_eq!(first.y().unwrap().to_vec().unwrap(), y);
        }
    }};
}

#[test]
fn two_lanes_run_at_once_each_with_streams_or_a_graph_of_its_own() {
    each_form(|device, form| match form {
        Form::OnStreams => lanes!(device, LanesOnStreams, lanes_on_streams),
        Form::AsGraph => lanes!(device, LanesAsGraph, lanes_as_graph),
    });
}

#[test]
fn a_graph_that_is_dropped_in_flight_keeps_what_its_run_uses_until_that_is_over() {
    each_seed(|shim, device, _| {
        let n = 64;
        for _ in 0..3 {
            let mut graph = AsGraph::load(device, as_graph::Dims { n }).unwrap();
            let mut other = OnStreams::load(device, on_streams::Dims { n }).unwrap();
            let x = numbers(n, 1);
            graph.run(as_graph::Inputs { x: &x, by: 2 }).unwrap();
            other.run(on_streams::Inputs { x: &x, by: 2 }).unwrap();
            let before = shim.calls().len();
            drop(graph);
            drop(other);
            // Nothing is called by a drop, so nothing is waited for.
            assert_eq!(shim.calls().len(), before);
        }
    });
}

/// The calls of one run, by name.
fn calls(shim: &Shim) -> Vec<String> {
    let calls = shim.calls();
    let name = |call: &String| call.split(' ').next().unwrap_or_default().to_owned();
    calls.iter().map(name).collect()
}

#[test]
fn a_run_makes_the_calls_that_its_program_is_and_one_query_at_the_gate() {
    let shim = shim(7);
    let device = device();
    let n = 64;
    let x = numbers(n, 1);

    let mut graph = AsGraph::load(&device, as_graph::Dims { n }).unwrap();
    graph
        .run(as_graph::Inputs { x: &x, by: 2 })
        .unwrap()
        .wait()
        .unwrap();
    shim.forget_calls();
    graph.run(as_graph::Inputs { x: &x, by: 2 }).unwrap();
    // Its end has been seen already, so that nothing is asked.
    assert_eq!(calls(&shim), ["cuGraphLaunch"]);
    shim.reports();
    shim.forget_calls();
    graph.run(as_graph::Inputs { x: &x, by: 2 }).unwrap();
    assert_eq!(calls(&shim), ["cuStreamQuery", "cuGraphLaunch"]);

    let mut op_by_op = OnStreams::load(&device, on_streams::Dims { n }).unwrap();
    op_by_op.run(on_streams::Inputs { x: &x, by: 2 }).unwrap();
    shim.reports();
    shim.forget_calls();
    op_by_op.run(on_streams::Inputs { x: &x, by: 2 }).unwrap();
    let made = calls(&shim);
    let count = |name: &str| made.iter().filter(|call| *call == name).count();
    assert_eq!(count("cuEventQuery"), 1, "{made:?}");
    assert_eq!(count("cuLaunchKernel"), 4, "{made:?}");
    assert_eq!(count("cuMemcpyAsync"), 1, "{made:?}");
    let (records, waits) = (count("cuEventRecord"), count("cuStreamWaitEvent"));
    assert_eq!(made.len(), 6 + records + waits, "{made:?}");
    assert!(records <= 3 && waits <= 2, "{made:?}");
    drop((graph, op_by_op));
    close(&shim, device, 7);
}

#[test]
fn a_refused_launch_is_an_error_of_that_call_and_task_and_the_graph_goes_on() {
    let shim = shim(3);
    let device = device();
    let n = 64;
    let x = numbers(n, 1);
    let mut graph = OnStreams::load(&device, on_streams::Dims { n }).unwrap();
    for nth in 1..=4 {
        shim.fail("cuLaunchKernel", nth, 701);
        let refused = graph
            .run(on_streams::Inputs { x: &x, by: 2 })
            .err()
            .unwrap();
        let said = refused.to_string();
        assert!(
            said.starts_with("cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701), for task ")
                && said.contains("of `OnStreams` (`"),
            "{said}"
        );
        let run = graph.run(on_streams::Inputs { x: &x, by: 2 }).unwrap();
        assert_eq!(run.y().unwrap().to_vec().unwrap(), diamond(&x, 2));
    }
    drop(graph);
    close(&shim, device, 3);
}

#[test]
fn a_fault_on_the_device_poisons_its_graphs_and_says_so_and_nothing_panics_or_hangs() {
    let shim = shim(3);
    let device = device();
    let n = 64;
    let x = numbers(n, 1);
    let mut graph = OnStreams::load(&device, on_streams::Dims { n }).unwrap();
    let mut other = AsGraph::load(&device, as_graph::Dims { n }).unwrap();
    shim.fail("add_kernel_in_place", 1, 700);
    let run = graph.run(on_streams::Inputs { x: &x, by: 2 }).unwrap();
    let lost = run.y().err().unwrap();
    assert!(
        matches!(
            lost,
            RunError::Driver(gpu_graph::driver::DriverError::Lost { .. })
        ),
        "{lost}"
    );
    let said = lost.to_string();
    assert!(
        said.contains("the device is lost") && said.contains("CUDA_ERROR_ILLEGAL_ADDRESS"),
        "{said}"
    );
    for error in [
        graph
            .run(on_streams::Inputs { x: &x, by: 2 })
            .err()
            .unwrap(),
        other.run(as_graph::Inputs { x: &x, by: 2 }).err().unwrap(),
    ] {
        assert_eq!(error.to_string(), said);
    }
    assert!(OnStreams::load(&device, on_streams::Dims { n }).is_err());
    let again = gpu_graph::cuda(0).err().unwrap().to_string();
    assert!(again.contains("is lost to this process"), "{again}");
    // It can be dropped like any other.
    drop((graph, other, device));
    assert_eq!(shim.reports(), [""; 0]);
}

#[test]
fn out_of_memory_is_recoverable() {
    let shim = shim(3);
    let device = device();
    let n = 64;
    shim.capacity(1 << 20);
    let x = numbers(n, 1);
    let mut graph = OnStreams::load(&device, on_streams::Dims { n }).unwrap();
    let large = OnStreams::load(&device, on_streams::Dims { n: 4096 });
    drop(large);
    shim.capacity(0);
    let refused = OnStreams::load(&device, on_streams::Dims { n: 4096 })
        .err()
        .unwrap()
        .to_string();
    assert!(
        refused.starts_with("no room for the arena of `OnStreams`"),
        "{refused}"
    );
    let run = graph.run(on_streams::Inputs { x: &x, by: 2 }).unwrap();
    assert_eq!(run.y().unwrap().to_vec().unwrap(), diamond(&x, 2));
    shim.capacity(1 << 30);
    assert!(OnStreams::load(&device, on_streams::Dims { n: 4096 }).is_ok());
    drop(graph);
    close(&shim, device, 3);
}

#[test]
fn a_panic_in_a_callback_is_an_error_of_the_run_and_the_next_one_goes_on_after_a_reset() {
    let shim = shim(3);
    let device = device();
    let n = 4;
    macro_rules! try_it {
        ($graph:ident, $module:ident) => {{
            let mut graph = $graph::load(&device, $module::Dims { n }).unwrap();
            graph.set_w(&[0u32; 4]).unwrap();
            let x = [TOO_MUCH, 1, 1, 1];
            let run = graph.run($module::Inputs { x: &x }).unwrap();
            let said = run.y().err().unwrap().to_string();
            assert!(
                said.contains("`twice` panicked") && said.ends_with("too much"),
                "{said}"
            );
            let poisoned = graph.run($module::Inputs { x: &x }).err().unwrap();
            assert!(matches!(poisoned, RunError::Poisoned { .. }), "{poisoned}");
            graph.reset().unwrap();
            let run = graph.run($module::Inputs { x: &[1u32; 4] }).unwrap();
            assert_eq!(run.y().unwrap().to_vec().unwrap(), [3; 4]);
        }};
    }
    try_it!(KeptOnStreams, kept_on_streams);
    try_it!(KeptAsGraph, kept_as_graph);
    close(&shim, device, 3);
}

#[test]
fn what_a_gpu_cannot_run_is_a_typed_error_at_load() {
    let shim = shim(3);
    let device = device();
    let group = gpu_graph::Group::new(1);
    let rank = group.rank(0).unwrap();
    let said = Meets::load_in(&device, meets::Dims { n: 8 }, rank);
    let said = said.err().unwrap().to_string();
    assert_eq!(
        said,
        "loading `Meets`: a collective: unsupported on this device"
    );
    let said = OnHost::load(&device, on_host::Dims { n: 8 });
    let want =
        "loading `OnHost`: kernel `host_only` cannot run on this device: it has no `cuda` clause";
    assert_eq!(said.err().unwrap().to_string(), want);
    close(&shim, device, 3);
}

/// Whether a call gives something back.
fn gives_back(name: &str) -> bool {
    let parts = [
        "Destroy",
        "Free",
        "Release",
        "Unmap",
        "Unload",
        "EventRecord",
        "EventSync",
    ];
    parts.iter().any(|part| name.contains(part))
}

fn said(error: impl ToString) -> String {
    error.to_string()
}

/// A load, a run and their end; what was refused, if anything was.
fn diamond_round(device: &Device) -> Result<(), String> {
    let n = 64;
    let mut graph = AsGraph::load(device, as_graph::Dims { n }).map_err(said)?;
    let x = numbers(n, 1);
    let run = graph.run(as_graph::Inputs { x: &x, by: 2 }).map_err(said)?;
    let y = run.y().map_err(said)?.to_vec().map_err(said)?;
    assert_eq!(y, diamond(&x, 2));
    Ok(())
}

/// The same of a graph that goes on from what runs leave, with a reset.
fn sums_round(device: &Device) -> Result<(), String> {
    let n = 64;
    let mut graph = Sums::load(device, sums::Dims { n }).map_err(said)?;
    let x = numbers(n, 1);
    for _ in 0..2 {
        let run = graph.run(sums::Inputs { x: &x }).map_err(said)?;
        let y = run.y().map_err(said)?.to_vec().map_err(said)?;
        let twice: Vec<u32> = x.iter().map(|x| x.wrapping_mul(2)).collect();
        assert_eq!(y, twice);
        graph.reset().map_err(said)?;
    }
    Ok(())
}

/// Opens the device, does something with it, and gives it back.
fn round(shim: &Shim, of: fn(&Device) -> Result<(), String>) -> Result<(), String> {
    let device = gpu_graph::cuda(0).map_err(said)?;
    let done = of(&device);
    shim.reports();
    done
}

/// How often something was refused, whatever call failed. Nothing of it is left, and the next try works.
fn refusals(shim: &Shim, of: fn(&Device) -> Result<(), String>) -> usize {
    restart(shim, 0);
    round(shim, of).unwrap();
    settle(shim, 0);
    let mut names = calls(shim);
    names.sort();
    names.dedup();
    // Where nobody can tell when a copy ends, what it touches stays for good.
    names.retain(|name| !["cuEventRecord", "cuEventSynchronize"].contains(&&**name));
    let mut refused = 0;
    for name in names {
        for nth in 1..=4 {
            restart(shim, nth);
            shim.fail(&name, nth, 1);
            if let Err(said) = round(shim, of) {
                let known = said.contains("CUDA_ERROR_INVALID_VALUE (1)");
                assert!(known, "{name} {nth}: {said}");
                refused += 1;
            }
            assert_eq!(shim.reports(), [""; 0], "{name} {nth}");
            // Whatever was refused, nothing of it is in the way now, and nothing is left of it.
            shim.fail(&name, u64::MAX, 0);
            round(shim, of).unwrap_or_else(|said| panic!("{name} {nth}: {said}"));
            match gives_back(&name) {
                // What could not be given back is not.
                true => look_after(shim),
                false => settle(shim, nth),
            }
        }
    }
    refused
}

#[test]
fn whatever_call_fails_while_a_graph_loads_and_runs_is_a_typed_error_and_the_next_try_works() {
    let shim = shim(0);
    let refused = refusals(&shim, diamond_round);
    assert!(refused > 30, "{refused}");
}

#[test]
fn whatever_call_fails_while_a_graph_with_inouts_loads_runs_and_is_reset_nothing_of_it_is_left() {
    let shim = shim(0);
    let refused = refusals(&shim, sums_round);
    assert!(refused > 30, "{refused}");
}

#[test]
fn a_refused_reset_changes_nothing_or_has_runs_refused_until_the_next_one() {
    let shim = shim(3);
    let device = device();
    let n = 64;
    let x = vec![1u32; n];
    let mut graph = Sums::load(&device, sums::Dims { n }).unwrap();
    let run = |graph: &mut Sums| {
        let run = graph.run(sums::Inputs { x: &x })?;
        let y = run.y()?.to_vec()?;
        Ok::<u32, RunError>(y[0])
    };
    assert_eq!(run(&mut graph).unwrap(), 2);
    for (call, nth) in [("cuEventCreate", 1), ("cuMemsetD8Async", 1)] {
        shim.fail(call, nth, 1);
        assert!(graph.reset().is_err(), "{call} {nth}");
        shim.fail(call, u64::MAX, 0);
    }
    // Sums of 2, and of 1 and 2.
    assert_eq!(run(&mut graph).unwrap(), 5);
    shim.fail("cuMemsetD8Async", 2, 1);
    let refused = graph.reset().unwrap_err().to_string();
    assert!(refused.contains("cuMemsetD8Async"), "{refused}");
    let torn = run(&mut graph).unwrap_err();
    assert!(matches!(torn, RunError::Poisoned { .. }), "{torn}");
    graph.reset().unwrap();
    assert_eq!(run(&mut graph).unwrap(), 2);
    drop(graph);
    close(&shim, device, 3);
}
