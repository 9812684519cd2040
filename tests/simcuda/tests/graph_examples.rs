//! The graphs of the examples over the CUDA driver and the shim, at small sizes: equal to the host bit
//! for bit, with nothing to report and nothing left, for every seed; op by op and as graphs.

#![cfg(target_os = "linux")]

mod programs;

use gpu_graph::{Device, host};
use programs::{assert_clean, device, seeds};
use simcuda::client::Shim;

/// Numbers that look random, the same in each run.
fn noise(seed: u64) -> impl Iterator<Item = u64> {
    let step = |x: u64| {
        x.wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407)
    };
    std::iter::successors(Some(step(seed)), move |&x| Some(step(x))).map(|x| x >> 33)
}

/// Patches of one shade each, so that there are edges.
fn picture(seed: u64, h: usize, w: usize) -> Vec<u16> {
    let shades: Vec<u64> = noise(seed).take(h * w).collect();
    let shade = |at: usize| shades[(at / w / 5) * 3 + at % w / 4] as u16;
    (0..h * w).map(shade).collect()
}

macro_rules! edges {
    ($path:ident, $device:expr, $seed:expr, $h:expr, $w:expr) => {{
        use programs::$path::graph::{Edges, edges};
        let device: &Device = $device;
        let mut graph = Edges::load(device, edges::Dims { h: $h, w: $w }).expect("it loads");
        let mut found = Vec::new();
        for run in 0..2 {
            let image = picture($seed + run, $h, $w);
            let inputs = edges::Inputs {
                image: &image,
                low: 1000,
                high: 2500,
            };
            let done = graph.run(inputs).expect("it runs");
            found.push(
                done.edges()
                    .expect("a result")
                    .to_vec()
                    .expect("its content"),
            );
        }
        found
    }};
}

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

macro_rules! story {
    ($path:ident, $device:expr, $tokens:expr) => {{
        use programs::$path::graph::*;
        let device: &Device = $device;
        let mut graph = Story::load(device, story::Dims {}).expect("it loads");
        let weights = |seed, len| -> Vec<f32> {
            let small = |x: u64| (x % 2048) as f32 / 2048.0 - 0.5;
            noise(seed).take(len).map(small).collect()
        };
        graph
            .set_embedding(&weights(1, VOCAB * DIM))
            .expect("weights");
        graph
            .set_att_norm(&weights(2, LAYERS * DIM))
            .expect("weights");
        graph
            .set_wqkv(&weights(3, LAYERS * QKV * DIM))
            .expect("weights");
        graph
            .set_wo(&weights(4, LAYERS * DIM * DIM))
            .expect("weights");
        graph
            .set_ffn_norm(&weights(5, LAYERS * DIM))
            .expect("weights");
        graph
            .set_w13(&weights(6, LAYERS * 2 * HIDDEN * DIM))
            .expect("weights");
        graph
            .set_w2(&weights(7, LAYERS * DIM * HIDDEN))
            .expect("weights");
        graph.set_last_norm(&weights(8, DIM)).expect("weights");
        graph
            .set_classifier(&weights(9, VOCAB * DIM))
            .expect("weights");
        let (mut token, mut told) = (1, Vec::new());
        for pos in 0..$tokens {
            let run = graph.run(story::Inputs { token, pos }).expect("it runs");
            let mut chosen = [0];
            run.chosen()
                .expect("a result")
                .copy_to(&mut chosen)
                .expect("its content");
            token = chosen[0];
            told.push(token);
        }
        told
    }};
}

macro_rules! story_over_the_shim {
    ($path:ident) => {{
        let shim = Shim::start(0);
        let tokens = 4;
        let expected = story!(story, &host(), tokens);
        for seed in 0..seeds(3) {
            shim.restart(seed);
            let gpu = device::<programs::$path::graph::Story>(&shim, &[]);
            assert_eq!(story!($path, &gpu, tokens), expected, "seed {seed}");
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
