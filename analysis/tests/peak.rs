//! Bounds of the logical peak against every execution, and on large orders against replays.
//!
//! `cargo run --release -p gpu-graph-analysis --example peak -- brute 100000` judges more.

mod common;

use common::peaks::{Seen, judge, judge_wide};

/// Orders judged here.
const ORDERS: u64 = 2_000;

#[test]
fn bounds_of_random_orders_agree_with_every_execution() {
    let mut seen = Seen::default();
    for seed in 0..ORDERS {
        judge(seed, 6, &mut seen);
    }
    println!("{seen:?}");
    let kinds = [seen.apart, seen.searched, seen.several, seen.between, seen.brackets];
    assert!(kinds.iter().all(|&n| n >= 20), "too few of a kind: {seen:?}");
}

#[test]
fn bounds_of_series_parallel_and_layered_orders_agree_with_all_their_cuts() {
    for seed in 0..100 {
        judge_wide(seed, 11);
    }
}
