//! Alias eligibility, layouts, bounds and programs of random graphs against every execution.
//!
//! `cargo run --release -p gpu-graph-analysis --example brute_force -- 10000` judges more.

mod common;

use common::judge::{Tally, judge};

/// Graphs judged here.
const GRAPHS: u64 = 1_000;

#[test]
fn random_graphs_agree_with_every_execution() {
    let mut tally = Tally::default();
    for seed in 0..GRAPHS {
        judge(seed, 7, &mut tally);
    }
    println!("{tally:?}");
    let seen = [
        tally.cyclic,
        tally.unconditional,
        tally.in_place,
        tally.conditioned,
        tally.refused,
        tally.shared,
        tally.demands_held,
        tally.demands_refused,
        tally.waits,
        tally.traded,
        tally.added,
    ];
    assert!(
        seen.iter().all(|&n| n >= 20),
        "too few of a kind: {tally:?}"
    );
    // Rarely does what cannot overlap, two by two, take less than all together need.
    assert!(tally.searched > 0, "{tally:?}");
}
