//! Runs of the examples' graphs: the same input at each, and what comes of it.

/// Numbers that look random, the same in each run.
pub fn noise(seed: u64) -> impl Iterator<Item = u64> {
    let step = |x: u64| {
        x.wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407)
    };
    std::iter::successors(Some(step(seed)), move |&x| Some(step(x))).map(|x| x >> 33)
}

/// Patches of one shade each, so that there are edges.
pub fn picture(seed: u64, h: usize, w: usize) -> Vec<u16> {
    let shades: Vec<u64> = noise(seed).take(h * w).collect();
    let shade = |at: usize| shades[(at / w / 5) * 3 + at % w / 4] as u16;
    (0..h * w).map(shade).collect()
}

/// Two runs of a graph of `edges` on a device: the pictures found.
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
pub(crate) use edges;

/// Runs of a graph of `story` on a device, with small weights: the tokens chosen. `$next` is passed the
/// position and the token chosen last, 1 at first, and answers with the one that the run is given.
macro_rules! story {
    ($path:ident, $device:expr, $tokens:expr, $next:expr) => {{
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
        let (mut last, mut told) = (1, Vec::new());
        for pos in 0..$tokens {
            let token = $next(pos, last);
            let run = graph.run(story::Inputs { token, pos }).expect("it runs");
            let mut chosen = [0];
            run.chosen()
                .expect("a result")
                .copy_to(&mut chosen)
                .expect("its content");
            last = chosen[0];
            told.push(last);
        }
        told
    }};
}
pub(crate) use story;
