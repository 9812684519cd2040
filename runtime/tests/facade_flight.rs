//! Handles dropped or leaked while their run is in flight, by hazard.

mod facade_support;

use std::mem::forget;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

use facade_support::*;
use gpu_graph_runtime::graph::{Graph, LaneCore, LoadError, RunError, host};
use gpu_graph_runtime::table::{HostOp, Mode, Op};
use gpu_graph_runtime::verify::Violation;

type Outcome = Result<(), Box<dyn std::error::Error>>;

held_kernel!(h07_kernel, H07, H07_SEEN);

#[test]
fn h07_dropping_run_and_graph_in_flight_keeps_what_kernels_use() -> Outcome {
    let x: Arc<[u32]> = (0..100).collect();
    let mut graph = Graph::load(&host(), fork(1, h07_kernel), &[100])?;
    let run = graph.begin().gate()?.input::<u32, _>(&x)?.start()?;
    assert_eq!(run.output::<u32>(0)?.as_slice().map(|y| y[99]), Some(100));
    assert!(!run.is_finished());
    drop(graph);
    assert_eq!(Arc::strong_count(&x), 2);
    H07.set(true);
    eventually(|| Arc::strong_count(&x) == 1);
    assert_eq!(H07_SEEN.load(SeqCst), 4950);
    Ok(())
}

held_kernel!(h08_kernel, H08, H08_SEEN);

#[test]
fn h08_borrowed_inputs_are_free_once_the_run_has_started() -> Outcome {
    let mut graph = Graph::load(&host(), fork(1, h08_kernel), &[10])?;
    let mut x = vec![7u32; 10];
    #[allow(
        clippy::forget_non_drop,
        reason = "that there is nothing to drop is the point"
    )]
    forget(graph.begin().gate()?.input::<u32, _>(&x)?.start()?);
    x.fill(u32::MAX);
    drop(x);
    let error = graph.begin().try_gate().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`Small` still has a run in flight on lane 0 of 1"
    );
    H08.set(true);
    graph.begin().gate()?;
    assert_eq!(H08_SEEN.load(SeqCst), 70);
    Ok(())
}

held_kernel!(leaked_kernel, LEAKED, LEAKED_SEEN);

#[test]
fn h08_a_leaked_graph_or_setup_is_harmless() -> Outcome {
    let image = fork(1, leaked_kernel);
    let mut graph = Graph::load(&host(), image, &[4])?;
    graph
        .begin()
        .gate()?
        .input::<u32, _>(vec![5u32; 4])?
        .start()?;
    forget(graph);
    LEAKED.set(true);
    eventually(|| LEAKED_SEEN.load(SeqCst) == 20);

    // An input set twice by way of a leaked setup: the first vector is given back, once.
    let mut graph = Graph::load(&host(), image, &[4])?;
    #[allow(
        clippy::forget_non_drop,
        reason = "that there is nothing to drop is the point"
    )]
    forget(graph.begin().gate()?.input::<u32, _>(vec![1u32; 4])?);
    let run = graph
        .begin()
        .gate()?
        .input::<u32, _>(vec![2u32; 4])?
        .start()?;
    assert_eq!(run.output::<u32>(1)?.to_vec()?, [2; 4]);
    Ok(())
}

held_kernel!(early_kernel, EARLY, EARLY_SEEN);
held_kernel!(late_kernel, LATE, LATE_SEEN);

/// Storage must outlive the last of several streams, whichever that is.
#[test]
fn h04_storage_goes_after_the_last_stream_that_uses_it() -> Outcome {
    let mut b = Build::default();
    let x = b.input("x");
    let (y, z) = (b.output("y"), b.output("z"));
    b.call(early_kernel, &[(x, Mode::Read), (y, Mode::Overwrite)], &[]);
    b.call(late_kernel, &[(x, Mode::Read), (z, Mode::Overwrite)], &[]);
    let issue = [
        Op::Gate { event: 1 },
        Op::Gate { event: 2 },
        launch(0, 0),
        Op::Record {
            event: 0,
            stream: 0,
        },
        Op::Wait {
            stream: 1,
            event: 0,
        },
        Op::Wait {
            stream: 2,
            event: 0,
        },
        launch(1, 1),
        launch(2, 2),
        Op::Record {
            event: 1,
            stream: 1,
        },
        Op::Record {
            event: 2,
            stream: 2,
        },
    ];
    let collect = [
        HostOp::Wait { event: 1 },
        HostOp::Read { resource: y },
        HostOp::Wait { event: 2 },
        HostOp::Read { resource: z },
    ];
    let image = b.finish(1, 3, &issue, &collect);
    for (first, second) in [(&EARLY, &LATE), (&LATE, &EARLY)] {
        let before = (EARLY_SEEN.load(SeqCst), LATE_SEEN.load(SeqCst));
        let data: Arc<[u32]> = Arc::from([1, 2, 3]);
        let mut graph = Graph::load(&host(), image, &[3])?;
        graph.begin().gate()?.input::<u32, _>(&data)?.start()?;
        drop(graph);
        first.set(true);
        eventually(|| (EARLY_SEEN.load(SeqCst), LATE_SEEN.load(SeqCst)) != before);
        assert_eq!(Arc::strong_count(&data), 2);
        second.set(true);
        eventually(|| Arc::strong_count(&data) == 1);
        assert_eq!(EARLY_SEEN.load(SeqCst), before.0 + 6);
        assert_eq!(LATE_SEEN.load(SeqCst), before.1 + 6);
        first.set(false);
        second.set(false);
    }
    Ok(())
}

held_kernel!(h29_kernel, H29, H29_SEEN);

/// An event of run `n` says nothing about run `n + 1`.
#[test]
fn h29_each_run_has_events_of_its_own() -> Outcome {
    let mut graph = Graph::load(&host(), fork(1, h29_kernel), &[2])?;
    H29.set(true);
    let run = graph.begin().gate()?.input::<u32, _>(&[1u32, 2])?.start()?;
    assert_eq!(run.output::<u32>(1)?.to_vec()?, [1, 2]);
    run.wait()?;
    assert!(run.is_finished());
    H29.set(false);
    let run = graph.begin().gate()?.input::<u32, _>(&[3u32, 4])?.start()?;
    assert!(!run.is_finished());
    assert_eq!(run.output::<u32>(0)?.to_vec()?, [4, 5]);
    assert!(matches!(
        graph.begin().try_gate(),
        Err(RunError::InFlight {
            lane: 0,
            depth: 1,
            ..
        })
    ));
    H29.set(true);
    graph.begin().gate()?;
    Ok(())
}

/// One event for two readers on two streams loses one of them.
#[test]
fn h28_gates_that_miss_a_stream_are_refused() {
    let mut b = Build::default();
    let x = b.input("x");
    let (y, z) = (b.output("y"), b.output("z"));
    b.call(increment, &[(x, Mode::Read), (y, Mode::Overwrite)], &[]);
    b.call(increment, &[(x, Mode::Read), (z, Mode::Overwrite)], &[]);
    let issue = [
        Op::Gate { event: 1 },
        launch(0, 0),
        Op::Record {
            event: 0,
            stream: 0,
        },
        launch(1, 0),
        Op::Record {
            event: 1,
            stream: 0,
        },
        Op::Wait {
            stream: 1,
            event: 0,
        },
        launch(2, 1),
        Op::Record {
            event: 2,
            stream: 1,
        },
    ];
    let collect = [
        HostOp::Wait { event: 1 },
        HostOp::Read { resource: y },
        HostOp::Wait { event: 2 },
        HostOp::Read { resource: z },
    ];
    let image = b.finish(1, 2, &issue, &collect);
    let error = Graph::load(&host(), image, &[2]).unwrap_err();
    let LoadError::Unproved { violation, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(violation, &Violation::StillRunning { stream: 1 });
}

held_kernel!(lane_kernel, LANE, LANE_SEEN);

#[test]
fn lanes_are_in_flight_together_and_may_be_leaked() -> Outcome {
    let mut graph = Graph::load(&host(), fork(2, lane_kernel), &[3])?;
    let [mut a, mut b] = graph.lanes::<2>();
    let first = a.begin().gate()?.input::<u32, _>(vec![1u32; 3])?.start()?;
    let second = b
        .begin()
        .try_gate()?
        .input::<u32, _>(vec![2u32; 3])?
        .start()?;
    assert!(!first.is_finished() && !second.is_finished());
    LANE.set(true);
    // In either order, from either thread.
    assert_eq!(second.output::<u32>(1)?.to_vec()?, [2; 3]);
    let y = std::thread::scope(|s| s.spawn(|| first.output::<u32>(1)?.to_vec()).join().unwrap())?;
    assert_eq!(y, [1; 3]);
    #[allow(
        clippy::forget_non_drop,
        reason = "that there is nothing to drop is the point"
    )]
    forget((a, b));
    let [mut a, _] = graph.lanes::<2>();
    a.begin()
        .gate()?
        .input::<u32, _>(vec![3u32; 3])?
        .start()?
        .wait()?;
    Ok(())
}

#[test]
fn lanes_run_from_threads_of_their_own() -> Outcome {
    let mut graph = Graph::load(&host(), fork(4, increment), &[64])?;
    let drive = |lane: &mut LaneCore<'_>, seed: u32| -> Result<(), RunError> {
        for i in 0..50 {
            let x = vec![seed + i; 64];
            let run = lane.begin().gate()?.input::<u32, _>(x)?.start()?;
            assert_eq!(run.output::<u32>(1)?.to_vec()?, vec![seed + i + 1; 64]);
            assert_eq!(run.output::<u32>(0)?.to_vec()?, vec![seed + i + 1; 64]);
        }
        Ok(())
    };
    std::thread::scope(|s| {
        let lanes = graph
            .lanes::<4>()
            .map(|mut lane| s.spawn(move || drive(&mut lane, 7)));
        lanes.into_iter().try_for_each(|l| l.join().unwrap())
    })?;
    Ok(())
}
