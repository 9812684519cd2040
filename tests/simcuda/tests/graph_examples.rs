//! The graphs of the examples over the CUDA driver and the shim, at small sizes: equal to the host bit
//! for bit, with nothing to report and nothing left, for every seed; op by op and as graphs.

#![cfg(target_os = "linux")]

mod programs;

use gpu_graph::{Device, host};
use programs::run::{edges, noise, picture, story};
use programs::{assert_clean, device, seeds};
use simcuda::client::Shim;

macro_rules! edges_over_the_shim {
    ($path:ident) => {{
        let shim = Shim::start(0);
        let mut marked = 0;
        for seed in 0..seeds(25) {
            shim.restart(seed);
            let (h, w) = (32 + seed as usize % 9, 4 + seed as usize % 30);
            let dims = [h as u64, w as u64];
            let gpu = device::<programs::$path::graph::Edges>(&shim, &dims);
            let found = edges!($path, &gpu, seed, h, w);
            assert_eq!(found, edges!(edges, &host(), seed, h, w), "seed {seed}");
            assert_clean(&shim, gpu, seed);
            marked += found.iter().flatten().filter(|edge| **edge > 0).count();
        }
        assert!(marked > 1000, "{marked} pixels say little");
    }};
}

#[test]
fn edges_op_by_op_are_those_of_the_host() {
    edges_over_the_shim!(edges);
}

#[test]
fn edges_as_a_graph_are_those_of_the_host() {
    edges_over_the_shim!(edges_as_graph);
}

macro_rules! story_over_the_shim {
    ($path:ident) => {{
        let shim = Shim::start(0);
        let tokens = 4;
        // Each token follows from the one before.
        let next = |_: u32, last: u32| last;
        let expected = story!(story, &host(), tokens, next);
        for seed in 0..seeds(3) {
            shim.restart(seed);
            let gpu = device::<programs::$path::graph::Story>(&shim, &[]);
            assert_eq!(story!($path, &gpu, tokens, next), expected, "seed {seed}");
            assert_clean(&shim, gpu, seed);
        }
    }};
}

#[test]
fn a_story_op_by_op_is_that_of_the_host() {
    story_over_the_shim!(story);
}

#[test]
fn a_story_as_a_graph_is_that_of_the_host() {
    story_over_the_shim!(story_as_graph);
}
