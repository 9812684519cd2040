//! Random programs on the simulated driver: right ones give the sequential result and no report,
//! planted faults are reported whatever the seed.
//!
//! `GPU_GRAPH_CASES=20000 cargo test -p gpu-graph-runtime --test sim_random --release` runs more.

mod common;

use std::sync::Arc;

use common::Rng;
use common::graph::Graph;
use common::load::{Loaded, inputs};
use common::random;
use gpu_graph_runtime::driver::sim::{Report, SimDriver};
use gpu_graph_runtime::driver::{Driver, DriverError};
use gpu_graph_runtime::table::{Mode, Op, SLOT_ALIGN};

fn cases() -> u64 {
    let default = if cfg!(miri) { 2 } else { 1_000 };
    std::env::var("GPU_GRAPH_CASES").map_or(default, |n| n.parse().expect("a number of cases"))
}

/// Runs `graph` on a simulated device, waiting for everything between runs of an instance.
fn simulate(graph: &Graph, seed: u64, runs: u32) -> (Result<bool, DriverError>, Vec<Report>) {
    let sim = Arc::new(SimDriver::new(seed));
    let driver: Arc<dyn Driver> = sim.clone();
    let loaded = Loaded::new(&driver, graph);
    let mut right = Ok(true);
    for run in 0..runs {
        let (instance, generation) = (run % graph.ring, u64::from(run / graph.ring) + 1);
        let inputs = inputs(graph, seed ^ u64::from(run));
        let param = u64::from(run) + 1;
        loaded
            .start(instance, generation, &inputs, param)
            .expect("a start");
        match loaded.finish(instance, generation) {
            Ok(()) => {
                let same = loaded.check(instance, &inputs, param);
                right = right.map(|r| r && same);
            }
            Err(error) => {
                right = Err(error);
                break;
            }
        }
    }
    (right, sim.reports())
}

#[test]
fn right_programs_give_the_sequential_result_and_no_report() {
    for seed in 0..cases() {
        let streams = 1 + (seed % 8) as u8;
        let ring = 1 + (seed / 8 % 2) as u32;
        let tasks = 5 + (seed % if cfg!(miri) { 8 } else { 50 }) as usize;
        let graph = random::graph(seed, streams, tasks, ring);
        let (right, reports) = simulate(&graph, seed, 3);
        assert_eq!(reports, [], "seed {seed}");
        assert_eq!(right, Ok(true), "seed {seed}");
    }
}

/// The one fault of these kinds that a graph has a place for, put there.
fn plant(graph: &Graph, keep: impl Fn(usize) -> bool, drop: impl Fn(&Op) -> bool) -> Option<Graph> {
    let place = (0..graph.issue.len()).find(|&i| drop(&graph.issue[i]) && keep(i))?;
    let mut wrong = graph.clone();
    wrong.issue.remove(place);
    Some(wrong)
}

/// Whether every two tasks that touch the same bytes, one of them writing, are still ordered: the
/// planted fault is then none. `runs` runs follow each other without a gate. By brute force.
fn still_ordered(graph: &Graph, runs: usize) -> bool {
    let count = graph.tasks.len();
    let mut clocks = vec![0u128; usize::from(graph.streams)];
    let mut before = vec![0u128; count * runs];
    for run in 0..runs {
        let mut events = vec![0u128; graph.events as usize];
        for op in &graph.issue {
            match *op {
                Op::Launch { task, stream, .. } => {
                    let task = run * count + task as usize;
                    before[task] = clocks[usize::from(stream)];
                    clocks[usize::from(stream)] |= 1 << task;
                }
                Op::Record { event, stream } => {
                    events[event as usize] = clocks[usize::from(stream)];
                }
                Op::Wait { stream, event } => clocks[usize::from(stream)] |= events[event as usize],
                _ => {}
            }
        }
    }
    let bytes = |t: usize| {
        graph.tasks[t % count].touches.iter().map(|a| {
            let at = graph.slots[a.resource].offset;
            let write = a.mode != Mode::Read;
            (at + a.from as u64 * 8, at + a.to as u64 * 8, write)
        })
    };
    (0..count * runs).all(|a| {
        (0..a).all(|b| {
            let clash = bytes(a).any(|x| bytes(b).any(|y| x.0 < y.1 && y.0 < x.1 && (x.2 || y.2)));
            !clash || before[a] >> b & 1 == 1 || before[b] >> a & 1 == 1
        })
    })
}

#[test]
fn a_dropped_wait_is_reported_for_every_seed() {
    let mut planted = 0;
    for seed in 0..cases() / 4 {
        let graph = random::graph(seed, 2 + (seed % 7) as u8, 20, 1);
        let is_wait = |op: &Op| matches!(op, Op::Wait { .. });
        let matters = |i: usize| {
            let mut without = graph.clone();
            without.issue.remove(i);
            !still_ordered(&without, 1)
        };
        let Some(wrong) = plant(&graph, matters, is_wait) else {
            continue;
        };
        planted += 1;
        for schedule in 0..8 {
            let (_, reports) = simulate(&wrong, seed * 8 + schedule, 1);
            assert!(
                reports.iter().any(|r| matches!(
                    r,
                    Report::Race { .. } | Report::Unwritten { .. } | Report::Stale { .. }
                )),
                "seed {seed}, schedule {schedule}: {reports:?}"
            );
        }
    }
    assert!(planted >= cases() / 8, "{planted} faults were planted");
}

#[test]
fn a_dropped_record_is_reported_for_every_seed() {
    for seed in 0..cases() / 8 {
        let graph = random::graph(seed, 2 + (seed % 7) as u8, 20, 1);
        let waited = |event: u32| {
            let waits = |op: &Op| matches!(*op, Op::Wait { event: e, .. } if e == event);
            graph.issue.iter().any(waits)
        };
        let used = |op: &Op| matches!(*op, Op::Record { event, .. } if waited(event));
        let Some(wrong) = plant(&graph, |_| true, used) else {
            continue;
        };
        let (result, reports) = simulate(&wrong, seed, 1);
        assert!(
            matches!(result, Err(DriverError::Invalid { .. })),
            "seed {seed}: {result:?}"
        );
        assert!(
            reports.iter().any(|r| matches!(r, Report::Stuck { .. })),
            "seed {seed}: {reports:?}"
        );
    }
}

#[test]
fn a_shifted_offset_is_reported_for_every_seed() {
    let mut planted = 0;
    for seed in 0..cases() / 4 {
        // One stream too: then it is no race, and only the owner of the bytes shows it.
        let graph = random::graph(seed, 1 + (seed % 4) as u8, 20, 1);
        let mut rng = Rng(seed);
        for _ in 0..8 {
            let mut wrong = graph.clone();
            let slot = rng.below(wrong.slots.len());
            let blocks = (graph.arena - graph.slots[slot].bytes) / SLOT_ALIGN;
            wrong.slots[slot].offset = rng.below(blocks as usize + 1) as u64 * SLOT_ALIGN;
            let reference = simulate(&wrong, seed, 1);
            let right = reference.0 == Ok(true) && still_ordered(&wrong, 1);
            if right {
                continue;
            }
            planted += 1;
            for schedule in 0..4 {
                let (result, reports) = simulate(&wrong, seed * 4 + schedule, 1);
                // An in-place kernel whose operand moved refuses to run.
                let refused = matches!(result, Err(DriverError::Panicked { .. }));
                assert!(
                    refused || !reports.is_empty(),
                    "seed {seed}, schedule {schedule}"
                );
            }
            break;
        }
    }
    assert!(planted >= cases() / 16, "{planted} faults were planted");
}

#[test]
fn a_ring_that_is_too_short_is_reported_for_every_seed() {
    let mut planted = 0;
    for seed in 0..cases() / 8 {
        // Two runs in flight on one instance, where the order of its streams does not save them.
        let graph = random::graph(seed, 2 + (seed % 7) as u8, 20, 1);
        if still_ordered(&graph, 2) {
            continue;
        }
        planted += 1;
        let sim = Arc::new(SimDriver::new(seed));
        let driver: Arc<dyn Driver> = sim.clone();
        let loaded = Loaded::new(&driver, &graph);
        let inputs = inputs(&graph, seed);
        loaded.start(0, 1, &inputs, 1).expect("a start");
        loaded.start(0, 2, &inputs, 2).expect("a start");
        sim.drain();
        let (first, second) = (loaded.finish(0, 1), loaded.finish(0, 2));
        assert_eq!((first, second), (Ok(()), Ok(())));
        assert!(
            sim.reports()
                .iter()
                .any(|r| matches!(r, Report::Race { .. } | Report::Stale { .. })),
            "seed {seed}: {:?}",
            sim.reports()
        );
    }
    assert!(planted >= cases() / 16, "{planted} faults were planted");
}

#[test]
fn an_early_release_is_reported_for_every_seed() {
    for seed in 0..cases() / 8 {
        let graph = random::graph(seed, 1 + (seed % 8) as u8, 12, 1);
        let sim = Arc::new(SimDriver::new(seed));
        let driver: Arc<dyn Driver> = sim.clone();
        let loaded = Loaded::new(&driver, &graph);
        loaded
            .start(0, 1, &inputs(&graph, seed), 1)
            .expect("a start");
        // The arena goes while the run is queued, and while the executable is still held.
        loaded.unmap_under(0);
        sim.drain();
        assert!(
            sim.reports()
                .iter()
                .any(|r| matches!(r, Report::Released { .. })),
            "seed {seed}: {:?}",
            sim.reports()
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_reports() {
    for seed in 0..cases() / 50 {
        let graph = random::graph(seed, 4, 20, 1);
        let wrong = plant(&graph, |_| true, |op| matches!(op, Op::Wait { .. }));
        let wrong = wrong.unwrap_or(graph);
        let sites = |reports: Vec<Report>| -> Vec<String> {
            reports.iter().map(ToString::to_string).collect()
        };
        let once = sites(simulate(&wrong, seed, 2).1);
        assert_eq!(once, sites(simulate(&wrong, seed, 2).1));
    }
}
