//! The graphs of the examples, beside the host.

use gpu_graph::__private::DeclaredGraph;
use gpu_graph::{Device, host};

use super::programs::run::{edges, noise, picture, story};
use super::{Gpu, programs};

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

/// Each token is chosen behind the same ones on both sides, so that one that differs stays one. Sums are
/// in another order on a GPU: the tokens say that the largest stays the largest.
macro_rules! story_beside_the_host {
    ($gpu:expr, $path:ident) => {{
        let device = $gpu.device(&[(&programs::$path::graph::Story::IMAGE, &[])]);
        let history: [u32; 8] = [1, 403, 17, 256, 99, 300, 5, 511];
        let next = |pos: u32, _: u32| history[pos as usize];
        let found = story!($path, &device, 8, next);
        assert_eq!(found, story!(story, &host(), 8, next));
    }};
}

pub fn a_story_is_that_of_the_host(gpu: &dyn Gpu) {
    story_beside_the_host!(gpu, story);
}

pub fn a_story_as_a_graph_is_that_of_the_host(gpu: &dyn Gpu) {
    story_beside_the_host!(gpu, story_as_graph);
}
