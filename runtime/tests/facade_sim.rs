//! The facade on a device whose memory the host cannot read, in many orders.

mod facade_support;

use std::sync::Arc;

use facade_support::*;
use gpu_graph_runtime::driver::sim::SimDriver;
use gpu_graph_runtime::graph::{Device, Graph, RunError};

type Outcome = Result<(), RunError>;

const SEEDS: u64 = if cfg!(miri) { 2 } else { 50 };

fn simulated(seed: u64) -> (Arc<SimDriver>, Device) {
    let driver = Arc::new(SimDriver::new(seed));
    (Arc::clone(&driver), Device::with(driver))
}

#[test]
fn outputs_are_copied_out_in_every_form() -> Outcome {
    for seed in 0..SEEDS {
        let (driver, device) = simulated(seed);
        let mut graph = Graph::load(&device, fork(1, increment), &[5]).unwrap();
        let mut detached = Vec::new();
        for i in 0..4u32 {
            let x = [i, 1, 2, 3, 4];
            let run = graph.begin().gate()?.input::<u32, _>(&x)?.start()?;
            let expected = x.map(|x| x + 1);
            let (z, y) = (run.output::<u32>(1)?, run.output::<u32>(0)?);
            assert_eq!(z.as_slice(), None);
            assert_eq!(z.to_vec()?, expected);
            let mut copy = [0; 5];
            y.copy_to(&mut copy)?;
            assert_eq!(copy, expected);
            detached.push(y.detach()?);
        }
        drop(graph);
        for (i, y) in (0..).zip(&detached) {
            assert_eq!(y.as_slice(), None);
            assert_eq!(y.to_vec()?, [i + 1, 2, 3, 4, 5]);
        }
        drop(detached);
        driver.drain();
        assert_eq!(driver.reports(), [], "seed {seed}");
    }
    Ok(())
}

#[test]
fn a_lane_waits_for_its_own_run_and_no_other() -> Outcome {
    for seed in 0..SEEDS {
        let (driver, device) = simulated(seed);
        let mut graph = Graph::load(&device, fork(2, increment), &[1]).unwrap();
        let [mut a, mut b] = graph.lanes::<2>();
        for i in 0..10u32 {
            let first = a.begin().gate()?.input::<u32, _>(vec![i])?.start()?;
            let second = b.begin().gate()?.input::<u32, _>(&[i + 100])?.start()?;
            assert_eq!(second.output::<u32>(1)?.to_vec()?, [i + 101]);
            assert_eq!(first.output::<u32>(0)?.to_vec()?, [i + 1]);
        }
        assert_eq!(driver.reports(), [], "seed {seed}");
    }
    Ok(())
}

/// Inputs, arena and events are used by runs whose graph has gone.
#[test]
fn h07_a_graph_dropped_in_flight_is_used_to_the_end_of_its_runs() -> Outcome {
    for seed in 0..SEEDS {
        let (driver, device) = simulated(seed);
        let x: Arc<[u32]> = Arc::from([1, 2, 3]);
        let mut graph = Graph::load(&device, fork(2, increment), &[3]).unwrap();
        for mut lane in graph.lanes::<2>() {
            lane.begin().gate()?.input::<u32, _>(&x)?.start()?;
        }
        drop((graph, device));
        driver.drain();
        assert_eq!(Arc::strong_count(&x), 1, "seed {seed}");
        assert_eq!(driver.reports(), [], "seed {seed}");
    }
    Ok(())
}
