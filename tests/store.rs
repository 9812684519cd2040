//! What outlives runs: resident inputs and inouts, on the host and on the simulated device.
#![forbid(unsafe_code)]

mod common;

use std::sync::Arc;

use common::on_each_device;
use gpu_graph::{Device, RunError};

gpu_graph::gpu_graph! {
    kernel step(weights: &[f32; n], sum: &mut [f32; n], by: f32) { host host::step }
    kernel copy(x: &[f32; n]) -> [f32; n] { host host::copy }
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }

    /// Adds weighted steps to a sum that lives as long as the graph.
    graph Steps {
        dim n in 1..=256;
        resident input weights: [f32; n];
        inout sum: [f32; n];
        scalar by: f32;
        step(&weights, &mut sum, by);
        output now: [f32; n] = copy(&sum);
    }

    /// Reads weights in every lane.
    graph Lanes {
        dim n in 1..=256;
        pipelined 2;
        /// What is scaled.
        resident input weights: [f32; n];
        scalar by: f32;
        output y: [f32; n] = scale(&weights, by);
    }

    /// Half of a memory at a time.
    graph Halves {
        dim n in 2..=256;
        streams 2;
        resident input low: [f32; n / 2];
        resident input high: [f32; n];
        inout memory: [f32; n];
        step(&low, &mut memory[..n / 2], 1.0);
        step(&high[..n - n / 2], &mut memory[n / 2..], 2.0);
        output now: [f32; n] = copy(&memory);
    }
}

mod host {
    pub fn step(weights: &[f32], sum: &mut [f32], by: f32, _: super::step::Dims) {
        assert!(by != 13.0, "thirteen");
        for (s, w) in sum.iter_mut().zip(weights) {
            *s += by * w;
        }
    }

    pub fn copy(x: &[f32], out: &mut [f32], _: super::copy::Dims) {
        out.copy_from_slice(x);
    }

    pub fn scale(x: &[f32], by: f32, out: &mut [f32], _: super::scale::Dims) {
        for (o, x) in out.iter_mut().zip(x) {
            *o = x * by;
        }
    }
}

fn loaded(device: &Device) -> Steps {
    let mut graph = Steps::load(device, steps::Dims { n: 2 }).unwrap();
    graph.set_weights(&[1.0, 2.0]).unwrap();
    graph
}

fn run(graph: &mut Steps, by: f32) -> Result<Vec<f32>, RunError> {
    graph.run(steps::Inputs { by })?.now()?.to_vec()
}

#[test]
fn an_inout_is_zero_at_load_and_keeps_what_runs_leave_until_it_is_reset() {
    on_each_device(|device| {
        let mut graph = loaded(device);
        assert_eq!(run(&mut graph, 1.0), Ok(vec![1.0, 2.0]));
        assert_eq!(run(&mut graph, 0.5), Ok(vec![1.5, 3.0]));
        graph.reset().unwrap();
        assert_eq!(run(&mut graph, 2.0), Ok(vec![2.0, 4.0]));
        // Each loaded graph has its own.
        assert_eq!(run(&mut loaded(device), 1.0), Ok(vec![1.0, 2.0]));
    });
}

#[test]
fn a_resident_input_must_be_set_and_can_be_replaced() {
    on_each_device(|device| {
        let mut graph = Steps::load(device, steps::Dims { n: 2 }).unwrap();
        let unset = run(&mut graph, 1.0).unwrap_err();
        assert_eq!(
            unset.to_string(),
            "resident input `weights` of `Steps` is not set"
        );
        graph.set_weights(vec![1.0, 1.0]).unwrap();
        assert_eq!(run(&mut graph, 1.0), Ok(vec![1.0, 1.0]));
        graph.set_weights(&[0.0, 3.0]).unwrap();
        assert_eq!(run(&mut graph, 1.0), Ok(vec![1.0, 4.0]));
        let long = graph.set_weights(&[5.0; 3]).unwrap_err();
        let what =
            "input `weights` of `Steps` has 3 elements, expected 2: it is `[f32; 2]` at these dims";
        assert_eq!(long.to_string(), what);
        // A refused one leaves the old one in place.
        assert_eq!(run(&mut graph, 1.0), Ok(vec![1.0, 7.0]));
    });
}

#[test]
fn a_shared_slice_is_held_once_and_given_back_when_it_is_replaced() {
    let weights: Arc<[f32]> = Arc::from([1.0f32, 2.0]);
    let mut graph = loaded(&gpu_graph::host());
    graph.set_weights(&weights).unwrap();
    assert_eq!(Arc::strong_count(&weights), 2);
    assert_eq!(run(&mut graph, 1.0), Ok(vec![1.0, 2.0]));
    graph.set_weights(&[0.0; 2]).unwrap();
    assert_eq!(Arc::strong_count(&weights), 1);
    graph.set_weights(&weights).unwrap();
    drop(graph);
    // The driver may keep it a little longer than the graph does.
    let mut waited = 0;
    while Arc::strong_count(&weights) > 1 && waited < 10_000 {
        std::thread::sleep(std::time::Duration::from_millis(1));
        waited += 1;
    }
    assert_eq!(Arc::strong_count(&weights), 1);
}

#[test]
fn a_run_that_fails_poisons_what_it_could_update_until_a_reset() {
    on_each_device(|device| {
        let mut graph = loaded(device);
        assert_eq!(run(&mut graph, 1.0), Ok(vec![1.0, 2.0]));
        assert!(matches!(
            run(&mut graph, 13.0),
            Err(RunError::Panicked { .. })
        ));
        for _ in 0..2 {
            let refused = graph.run(steps::Inputs { by: 1.0 }).err();
            assert_eq!(refused, Some(RunError::Poisoned { graph: "Steps" }));
        }
        graph.reset().unwrap();
        assert_eq!(run(&mut graph, 1.0), Ok(vec![1.0, 2.0]));
    });
}

#[test]
fn lanes_share_one_copy_of_a_resident_input() {
    on_each_device(|device| {
        let mut graph = Lanes::load(device, lanes::Dims { n: 2 }).unwrap();
        for weights in [[1.0, 2.0], [3.0, 4.0]] {
            // Also while a run of before is in flight.
            graph.set_weights(&weights).unwrap();
            let [mut a, mut b] = graph.lanes();
            let x = a.run(lanes::Inputs { by: 2.0 }).unwrap();
            let y = b.run(lanes::Inputs { by: 3.0 }).unwrap();
            assert_eq!(x.y().unwrap().to_vec().unwrap(), weights.map(|w| 2.0 * w));
            assert_eq!(y.y().unwrap().to_vec().unwrap(), weights.map(|w| 3.0 * w));
            let _in_flight = a.run(lanes::Inputs { by: 0.0 }).unwrap();
        }
    });
    assert!(
        Lanes::RECORD
            .to_string()
            .contains("weights: resident input")
    );
}

#[test]
fn views_of_what_outlives_runs_may_be_updated_side_by_side() {
    on_each_device(|device| {
        let mut graph = Halves::load(device, halves::Dims { n: 5 }).unwrap();
        graph.set_low(&[1.0, 2.0]).unwrap();
        graph.set_high(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        for round in 1..4 {
            let run = graph.run(halves::Inputs {}).unwrap();
            let once = [1.0, 2.0, 2.0, 4.0, 6.0];
            let expected = once.map(|x: f32| x * round as f32);
            assert_eq!(run.now().unwrap().to_vec().unwrap(), expected);
        }
    });
}
