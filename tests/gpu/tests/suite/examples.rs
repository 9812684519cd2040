//! The graphs of the examples, beside the host.

use gpu_graph::__private::DeclaredGraph;
use gpu_graph::{Device, host};

use super::{Gpu, programs};

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

/// A picture of bands that hardly fit, one of odd sides, and one of several blocks.
const SIZES: [(usize, usize); 3] = [(32, 5), (61, 47), (200, 300)];

macro_rules! edges_beside_the_host {
    ($gpu:expr, $path:ident) => {{
        let dims = SIZES.map(|(h, w)| [h as u64, w as u64]);
        let image = &programs::$path::graph::Edges::IMAGE;
        let all: Vec<_> = dims.iter().map(|dims| (image, &dims[..])).collect();
        let device = $gpu.device(&all);
        let mut marked = 0;
        for (seed, (h, w)) in (0..).zip(SIZES) {
            let found = edges!($path, &device, seed, h, w);
            assert_eq!(found, edges!(edges, &host(), seed, h, w), "{h} x {w}");
            marked += found.iter().flatten().filter(|edge| **edge > 0).count();
        }
        assert!(marked > 1000, "{marked} pixels say little");
    }};
}

pub fn edges_are_those_of_the_host_bit_for_bit(gpu: &dyn Gpu) {
    edges_beside_the_host!(gpu, edges);
}

pub fn edges_as_a_graph_are_those_of_the_host_bit_for_bit(gpu: &dyn Gpu) {
    edges_beside_the_host!(gpu, edges_as_graph);
}

macro_rules! story {
    ($path:ident, $device:expr, $history:expr) => {{
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
        let mut told = Vec::new();
        for (pos, &token) in (0..).zip(&$history) {
            let run = graph.run(story::Inputs { token, pos }).expect("it runs");
            let mut chosen = [0];
            run.chosen()
                .expect("a result")
                .copy_to(&mut chosen)
                .expect("its content");
            told.push(chosen[0]);
        }
        told
    }};
}

/// Each token is chosen behind the same ones on both sides, so that one that differs stays one. Sums are
/// in another order on a GPU: the tokens say that the largest stays the largest.
macro_rules! story_beside_the_host {
    ($gpu:expr, $path:ident) => {{
        let device = $gpu.device(&[(&programs::$path::graph::Story::IMAGE, &[])]);
        let history = [1, 403, 17, 256, 99, 300, 5, 511];
        let found = story!($path, &device, history);
        assert_eq!(found, story!(story, &host(), history));
    }};
}

pub fn a_story_is_that_of_the_host(gpu: &dyn Gpu) {
    story_beside_the_host!(gpu, story);
}

pub fn a_story_as_a_graph_is_that_of_the_host(gpu: &dyn Gpu) {
    story_beside_the_host!(gpu, story_as_graph);
}
