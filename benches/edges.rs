//! `edges` on 4096 x 4096 pixels beside the same functions called by hand on one thread.
//!
//! Each round times the three, one after another, on the same owned picture; the ratios are medians
//! over rounds of what a round measured. A round before them faults all pages in.

#[path = "../examples/edges/by_hand.rs"]
mod by_hand;
#[path = "../examples/edges/filters.rs"]
mod filters;
#[path = "../examples/edges/graph.rs"]
mod graph;
#[path = "../examples/edges/labels.rs"]
mod labels;

use graph::{Edges, Whole, edges, whole};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

const SIDE: usize = 4096;
const ROUNDS: usize = 15;
const LOW: u16 = 1000;
const HIGH: u16 = 2500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (h, w) = (SIDE, SIDE);
    let picture: Arc<[u16]> = picture().into();
    let device = gpu_graph::host();
    let mut by_hand = by_hand::ByHand::new(h, w);
    let mut whole = Whole::load(&device, whole::Dims { h, w })?;
    let mut bands = Edges::load(&device, edges::Dims { h, w })?;

    let mut rounds = Vec::new();
    for round in 0..=ROUNDS {
        let image = picture.clone();
        let hand = time(|| black_box(by_hand.run(&image, LOW, HIGH).len()));
        let image = picture.clone();
        let one = time(|| {
            whole
                .run(whole::Inputs {
                    image,
                    low: LOW,
                    high: HIGH,
                })?
                .wait()
        });
        let image = picture.clone();
        let four = time(|| {
            bands
                .run(edges::Inputs {
                    image,
                    low: LOW,
                    high: HIGH,
                })?
                .wait()
        });
        one.1?;
        four.1?;
        if round > 0 {
            rounds.push([hand.0, one.0, four.0].map(|time| time.as_secs_f64() * 1e3));
        }
    }

    let of = |f: &dyn Fn(&[f64; 3]) -> f64| median(rounds.iter().map(f).collect());
    println!("edges, {w} x {h}, medians of {ROUNDS} rounds");
    println!("by hand            {:7.1} ms", of(&|t| t[0]));
    println!(
        "graph, one stream  {:7.1} ms  {:.3} of by hand",
        of(&|t| t[1]),
        of(&|t| t[1] / t[0])
    );
    println!(
        "graph, four bands  {:7.1} ms  {:.2} times by hand",
        of(&|t| t[2]),
        of(&|t| t[0] / t[2])
    );
    Ok(())
}

/// Blocks, soft waves and noise: edges of every kind, on about one pixel in fifteen.
fn picture() -> Vec<u16> {
    let mut noise = 1_u32;
    let pixel = |at: usize| {
        let (y, x) = (at / SIDE, at % SIDE);
        let (block, wave) = ((x / 97) ^ (y / 61), (x * x + y * y) >> 14);
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (block % 8 * 4000 + wave % 16 * 2000) as u16 + (noise >> 22) as u16
    };
    (0..SIDE * SIDE).map(pixel).collect()
}

fn time<T>(f: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = f();
    (start.elapsed(), result)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
