//! Bounds of the logical peak: `peak [TASKS] [ORDERS]` times them on random orders and says how
//! many are exact; `peak build [TASKS] [ORDERS]` does that of the records of graphs with these orders, and
//! times their planning; `peak brute [ORDERS] [FIRST SEED]` judges them against every execution.

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::Instant;

use common::large;
use common::orders::{Order, layered, series_parallel};
use common::peaks::{Seen, judge, judge_wide};
use common::rng::Rng;
use gpu_graph_analysis::peak::{Bounds, Effort, peak};
use gpu_graph_analysis::plan::plan;

/// Kinds of orders, and how one is made: of how many tasks, how wide, one item for each edge.
type Make = fn(&mut Rng, usize, usize, bool) -> Order;
const KINDS: [(&str, Make); 4] = [
    ("series-parallel", |rng, n, _, edge| {
        series_parallel(rng, n - 1, edge)
    }),
    ("layered, few read", |rng, n, wide, edge| {
        layered(rng, n, wide, 2, false, edge)
    }),
    ("layered, all read", |rng, n, wide, edge| {
        layered(rng, n, wide, 3, true, edge)
    }),
    ("layered, dense", |rng, n, wide, edge| {
        layered(rng, n, wide, wide, true, edge)
    }),
];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let brute = args.first().is_some_and(|a| a == "brute");
    let build = args.first().is_some_and(|a| a == "build");
    let numbers: Vec<u64> = args[usize::from(brute || build)..]
        .iter()
        .map(|a| a.parse())
        .collect::<Result<_, _>>()
        .unwrap_or_else(|_| {
            eprintln!("usage: peak [build] [TASKS] [ORDERS] | peak brute [ORDERS] [FIRST SEED]");
            std::process::exit(2);
        });
    let number = |at: usize, default: u64| numbers.get(at).copied().unwrap_or(default);
    if brute {
        let (orders, first) = (number(0, 10_000), number(1, 0));
        let mut seen = Seen::default();
        for seed in first..first.saturating_add(orders) {
            judge(seed, 7, &mut seen);
        }
        for seed in first..first.saturating_add(orders / 20) {
            judge_wide(seed, 15);
        }
        println!("{seen:#?}");
        println!("all agree");
        return;
    }
    let sizes = match numbers.first() {
        Some(&n) => vec![n as usize],
        None => vec![10, 20, 30, 40, 100, 300, 1000],
    };
    let found = if build { recorded } else { thorough };
    println!("one value a task, then one for each edge; least and greatest peak of all executions");
    println!(
        "{:<18}{:>6}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>9}{:>9}",
        "kind", "tasks", "orders", "exact", "within", "worst", "exact", "worst", "mean s", "max s"
    );
    for tasks in sizes {
        let orders = number(1, if tasks <= 40 { 100 } else { 10 });
        for (kind, make) in KINDS {
            for edge in [false, true] {
                let name = format!("{kind}{}", if edge { "*" } else { "" });
                row(&name, tasks, orders, found, |rng, wide| {
                    make(rng, tasks, wide, edge)
                });
            }
        }
    }
}

/// Both ends of the least peak and of the greatest, and the seconds that they take.
type Found = ([[u64; 2]; 2], f64);

fn thorough(order: &Order) -> Found {
    let closed = order.precedence();
    let clock = Instant::now();
    let found = peak(&closed, &order.items, &Effort::THOROUGH);
    let ends = |of: &Bounds| [of.at_least, of.at_most];
    let both = [ends(&found.least), ends(&found.greatest)];
    (both, clock.elapsed().as_secs_f64())
}

fn recorded(order: &Order) -> Found {
    let model = large::of_items(order).model;
    let clock = Instant::now();
    let Ok((_, record)) = plan(&model) else {
        panic!("the graph is refused");
    };
    let [least, greatest, _] = record.peak.ends();
    ([least, greatest], clock.elapsed().as_secs_f64())
}

/// One line of the table: of `orders` orders, half of them narrow.
fn row(
    name: &str,
    tasks: usize,
    orders: u64,
    found: fn(&Order) -> Found,
    make: impl Fn(&mut Rng, usize) -> Order,
) {
    let ratio = |[low, high]: [u64; 2]| high.max(1) as f64 / low.max(1) as f64;
    let (mut exact, mut within, mut worst, mut seconds) = ([0; 2], 0, [1f64; 2], vec![]);
    for seed in 0..orders {
        let mut rng = Rng(seed);
        let wide = 2 + (seed as usize % 5) * tasks / 20;
        let order = make(&mut rng, wide);
        let (both, took) = found(&order);
        seconds.push(took);
        for (k, ends) in both.into_iter().enumerate() {
            exact[k] += u64::from(ends[0] == ends[1]);
            worst[k] = worst[k].max(ratio(ends));
        }
        within += u64::from(ratio(both[0]) <= 1.2);
    }
    let mean = seconds.iter().sum::<f64>() / seconds.len().max(1) as f64;
    let max = seconds.iter().copied().fold(0.0, f64::max);
    println!(
        "{name:<18}{tasks:>6}{orders:>8}{:>8}{within:>8}{:>8.3}{:>8}{:>8.3}{mean:>9.3}{max:>9.3}",
        exact[0], worst[0], exact[1], worst[1]
    );
}
