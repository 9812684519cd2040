//! Judges random graphs against every execution: `brute_force [GRAPHS] [FIRST SEED]`.

#[path = "../tests/common/mod.rs"]
mod common;

use common::judge::{Tally, judge};

fn main() {
    let mut args = std::env::args().skip(1);
    let mut number = |default: u64| match args.next().map(|a| a.parse()) {
        None => default,
        Some(Ok(n)) => n,
        Some(Err(_)) => {
            eprintln!("usage: brute_force [GRAPHS] [FIRST SEED]");
            std::process::exit(2);
        }
    };
    let (graphs, first) = (number(10_000), number(0));
    println!(
        "{graphs} graphs, seeds {first}..{}",
        first.saturating_add(graphs)
    );
    let mut tally = Tally::default();
    for seed in first..first.saturating_add(graphs) {
        judge(seed, 8, &mut tally);
    }
    println!("{tally:#?}");
    println!("all agree");
}
