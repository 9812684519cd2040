//! Bounds of the logical peak against every execution.
//!
//! `cargo run --release -p gpu-graph-analysis --example peak -- brute 100000` judges more.

mod common;

use common::executions::extremes;
use common::peaks::{Seen, judge, judge_wide};
use common::random;
use common::rng::Rng;
use gpu_graph_analysis::layout::sizes;
use gpu_graph_analysis::model::{Class, Model};
use gpu_graph_analysis::order::Precedence;
use gpu_graph_analysis::plan::plan;

/// Orders judged here.
const ORDERS: u64 = 2_000;

#[test]
fn bounds_of_random_orders_agree_with_every_execution() {
    let mut seen = Seen::default();
    for seed in 0..ORDERS {
        judge(seed, 6, &mut seen);
    }
    println!("{seen:?}");
    let kinds = [
        seen.apart,
        seen.searched,
        seen.several,
        seen.between,
        seen.brackets,
    ];
    assert!(
        kinds.iter().all(|&n| n >= 20),
        "too few of a kind: {seen:?}"
    );
}

#[test]
fn bounds_of_series_parallel_and_layered_orders_agree_with_all_their_cuts() {
    for seed in 0..100 {
        judge_wide(seed, 11);
    }
}

/// What the arena holds at a cut, from accesses and classes; `one` are pairs that lie in one slot.
fn live(model: &Model, one: &[(usize, usize)], (started, completed): (u32, u32)) -> u64 {
    let users = |r: usize| {
        let tasks = model.tasks.iter().enumerate();
        let uses =
            tasks.filter(move |(_, t)| t.accesses.iter().any(|a| a.resource.0 as usize == r));
        uses.map(|(t, _)| 1u32 << t)
    };
    let is_live = |r: usize| {
        let class = model.resources[r].class;
        let apart = matches!(class, Class::Resident | Class::Inout | Class::Staging);
        let over = class != Class::Output && users(r).all(|t| completed & t != 0);
        !apart && users(r).any(|t| started & t != 0) && !over
    };
    let bytes = sizes::all(model);
    let all: u64 = (0..bytes.len())
        .filter(|&r| is_live(r))
        .map(|r| bytes[r])
        .sum();
    let twice = one.iter().filter(|(x, y)| is_live(*x) && is_live(*y));
    all - twice.map(|(x, _)| bytes[*x]).sum::<u64>()
}

#[test]
fn records_of_random_graphs_have_the_peaks_of_every_execution() {
    let (mut merged, mut below) = (0, 0);
    for seed in 0..1_600 {
        let model = random::graph(&mut Rng(seed), 6).model;
        let Ok((plan, record)) = plan(&model) else {
            continue;
        };
        let order = Precedence::new(&model).unwrap_or_else(|_| panic!("seed {seed}"));
        let taken = record.aliases.iter().filter(|a| a.in_place.is_some());
        let taken = taken.map(|a| (a.earlier.0 as usize, a.later.0 as usize));
        let one: Vec<(usize, usize)> = taken.collect();
        let all = extremes(&order, |cut| live(&model, &one, cut));
        let (least, greatest) = (&record.peak.least, &record.peak.greatest);
        assert_eq!(least.bounds.exact(), Some(all.least), "seed {seed}");
        assert_eq!(greatest.bounds.exact(), Some(all.greatest), "seed {seed}");
        assert!(all.greatest <= plan.arena - record.padding, "seed {seed}");
        // The live sets have what is counted.
        let bytes = sizes::all(&model);
        for (figure, value) in [(least, all.least), (greatest, all.greatest)] {
            let slots = figure.live.iter().map(|parts| bytes[parts[0].0 as usize]);
            assert_eq!(slots.sum::<u64>(), value, "seed {seed}");
        }
        merged += usize::from(!one.is_empty());
        below += usize::from(all.greatest < plan.arena);
    }
    assert!(merged >= 10 && below >= 5, "{merged} {below}");
}
