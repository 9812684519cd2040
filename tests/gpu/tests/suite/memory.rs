//! Loads, and what they leave.

use gpu_graph::__private::DeclaredGraph;
use gpu_graph::{Detached, host};

use super::Gpu;
use super::graphs::*;

/// Of `OnStreams` and `AsGraph`.
fn expected(x: &[u32], by: u32) -> Vec<u32> {
    let mut graph = OnStreams::load(&host(), on_streams::Dims { n: x.len() }).unwrap();
    let run = graph.run(on_streams::Inputs { x, by }).unwrap();
    run.y().unwrap().to_vec().unwrap()
}

pub fn several_loads_at_several_dims_run_in_turns(gpu: &dyn Gpu) {
    let (small, large) = (33, 5000);
    let device = gpu.device(&[
        (&OnStreams::IMAGE, &[small as u64]),
        (&OnStreams::IMAGE, &[large as u64]),
        (&AsGraph::IMAGE, &[large as u64]),
    ]);
    let mut a = OnStreams::load(&device, on_streams::Dims { n: small }).unwrap();
    let mut b = OnStreams::load(&device, on_streams::Dims { n: large }).unwrap();
    let mut c = AsGraph::load(&device, as_graph::Dims { n: large }).unwrap();
    for by in 1..6 {
        let (x, y, z) = (
            numbers(small, by),
            numbers(large, by),
            numbers(large, by + 9),
        );
        // All three are under way at once.
        let of_a = a.run(on_streams::Inputs { x: &x, by }).unwrap();
        let of_b = b.run(on_streams::Inputs { x: &y, by }).unwrap();
        let of_c = c.run(as_graph::Inputs { x: &z, by }).unwrap();
        assert_eq!(of_c.y().unwrap().to_vec().unwrap(), expected(&z, by));
        assert_eq!(of_b.y().unwrap().to_vec().unwrap(), expected(&y, by));
        assert_eq!(of_a.y().unwrap().to_vec().unwrap(), expected(&x, by));
    }
}

pub fn a_graph_that_is_dropped_in_flight_disturbs_no_other(gpu: &dyn Gpu) {
    let n = 5000;
    let dims = &[n as u64][..];
    let device = gpu.device(&[(&OnStreams::IMAGE, dims), (&AsGraph::IMAGE, dims)]);
    let x = numbers(n, 1);
    for by in 1..20 {
        let mut dropped = AsGraph::load(&device, as_graph::Dims { n }).unwrap();
        dropped.run(as_graph::Inputs { x: &x, by }).unwrap();
        drop(dropped);
        let mut dropped = OnStreams::load(&device, on_streams::Dims { n }).unwrap();
        dropped.run(on_streams::Inputs { x: &x, by }).unwrap();
        drop(dropped);
        let mut kept = OnStreams::load(&device, on_streams::Dims { n }).unwrap();
        let run = kept.run(on_streams::Inputs { x: &x, by }).unwrap();
        assert_eq!(run.y().unwrap().to_vec().unwrap(), expected(&x, by));
    }
}

pub fn no_room_is_an_error_behind_which_all_goes_on(gpu: &dyn Gpu) {
    let (n, most) = (1000, 1 << 38);
    let device = gpu.device(&[
        (&OnStreams::IMAGE, &[n as u64]),
        (&Vast::IMAGE, &[most as u64]),
    ]);
    let x = numbers(n, 1);
    let mut graph = OnStreams::load(&device, on_streams::Dims { n }).unwrap();
    for by in 1..4 {
        let refused = Vast::load(&device, vast::Dims { n: most });
        let said = refused.expect_err("two tebibytes").to_string();
        assert!(said.starts_with("no room for "), "{said}");
        let run = graph.run(on_streams::Inputs { x: &x, by }).unwrap();
        assert_eq!(run.y().unwrap().to_vec().unwrap(), expected(&x, by));
        assert!(OnStreams::load(&device, on_streams::Dims { n }).is_ok());
    }
}

pub fn what_is_detached_outlives_its_graph(gpu: &dyn Gpu) {
    let n = 1000;
    let dims = &[n as u64][..];
    let device = gpu.device(&[(&OnStreams::IMAGE, dims), (&AsGraph::IMAGE, dims)]);
    let x = numbers(n, 1);
    let mut kept: Vec<Detached<u32>> = Vec::new();
    let mut on_streams = OnStreams::load(&device, on_streams::Dims { n }).unwrap();
    let mut as_graph = AsGraph::load(&device, as_graph::Dims { n }).unwrap();
    for by in 1..5 {
        let run = on_streams.run(on_streams::Inputs { x: &x, by }).unwrap();
        kept.push(run.y().unwrap().detach().unwrap());
        let run = as_graph.run(as_graph::Inputs { x: &x, by }).unwrap();
        kept.push(run.y().unwrap().detach().unwrap());
    }
    drop((on_streams, as_graph, device));
    for (by, two) in (1..5).zip(kept.chunks(2)) {
        for kept in two {
            assert_eq!(kept.to_vec().unwrap(), expected(&x, by));
        }
    }
}
