//! What a graph declares of its purpose: kept in the record, and finite scalars held at every run.
#![forbid(unsafe_code)]

mod common;

use common::on_each_device;
use gpu_graph::{NonFinite, RunError};

gpu_graph::gpu_graph! {
    kernel scale(x: &[f32; n], by: f32, more: f64) -> [f32; n] { cost 12 us, host host::scale }
    kernel shift(x: &[f32; n], by: f32) -> [f32; n] = x + by;

    /// One frame.
    graph Frame {
        dim n in 1..=64;
        scope "one frame of a camera";
        target latency;
        issue graph;
        tolerance y: 1e-5;
        scalar by: f32 finite;
        scalar more: f64 finite;
        scalar any: f32;
        input x: [f32; n];
        inout runs: [u32; 1];
        count(&mut runs);
        let a: [f32; n] = scale(&x, by, more);
        output y: [f32; n] = shift(&a, any);
        output seen: [u32; 1] = copy(&runs);
    }
    kernel count(runs: &mut [u32; n]) = runs + 1u32;
    kernel copy(x: &[u32; n]) -> [u32; n] = x;
}

mod host {
    pub fn scale(x: &[f32], by: f32, more: f64, out: &mut [f32], _: super::scale::Dims) {
        for (out, x) in out.iter_mut().zip(x) {
            *out = x * by * more as f32;
        }
    }
}

#[test]
fn a_scalar_that_is_not_finite_is_refused_before_anything_runs() {
    on_each_device(|device| {
        let mut graph = Frame::load(device, frame::Dims { n: 1 }).unwrap();
        let inputs = |by, more, any| frame::Inputs {
            x: &[2.0],
            by,
            more,
            any,
        };
        for (by, more, scalar, value) in [
            (f32::NAN, 1.0, "by", NonFinite::Nan),
            (f32::NEG_INFINITY, f64::NAN, "by", NonFinite::NegInfinity),
            (1.0, f64::INFINITY, "more", NonFinite::Infinity),
        ] {
            let refused = graph.run(inputs(by, more, 0.0)).err();
            let graph = "Frame";
            assert_eq!(
                refused,
                Some(RunError::NotFinite {
                    graph,
                    scalar,
                    value
                })
            );
        }
        // The graph is usable, no run was begun, and other scalars may be anything.
        let run = graph.run(inputs(3.0, 2.0, f32::INFINITY)).unwrap();
        assert_eq!(run.y().unwrap().to_vec().unwrap(), [f32::INFINITY]);
        assert_eq!(run.seen().unwrap().to_vec().unwrap(), [1]);
    });
    let (graph, scalar, value) = ("Frame", "by", NonFinite::Nan);
    let said = RunError::NotFinite {
        graph,
        scalar,
        value,
    }
    .to_string();
    assert_eq!(said, "scalar `by` of `Frame` is NaN, and declared `finite`");
}

#[test]
fn the_record_keeps_what_is_declared() {
    let said = "declared
  scope          one frame of a camera
  target         latency
  issue          graph: a run is one launch where the device has graphs, with equal results
  tolerance      `y`: 1e-5
  finite         `by` and `more`, checked at every run
  cost           `scale`: 12 us a launch
  cost unknown   `count`, `shift` and `copy`
";
    let text = Frame::RECORD.text();
    assert!(text.contains(said), "{text}");
}

#[test]
fn how_a_run_is_issued_stands_in_the_program() {
    use gpu_graph::__private::{DeclaredGraph, table::Issue};

    assert_eq!(Frame::IMAGE.program.issue_as, Issue::Graph);
    assert_eq!(Plain::IMAGE.program.issue_as, Issue::Streams);
    assert!(!Plain::RECORD.to_string().contains("issue  "));
}

gpu_graph::gpu_graph! {
    kernel same(x: &[u8; n]) -> [u8; n] = x;
    graph Plain {
        dim n in 1..=64;
        input x: [u8; n];
        output y: [u8; n] = same(&x);
    }
}
