//! Times each phase on large graphs: `scale [TASKS] [STEPS] [SHAPE]`, where steps are those of the layout
//! (1000000 for a plan that is taken). Run it unoptimised, as a procedural macro is. Behind them, the same graph on four streams with
//! `minimize peak, then added_edges`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::Instant;

use common::large;
use gpu_graph_analysis::alias::{demands, merges};
use gpu_graph_analysis::frontier::Frontiers;
use gpu_graph_analysis::layout::{Effort, PAIRWISE, Ranges, Spacing, layout, sizes};
use gpu_graph_analysis::model::Model;
use gpu_graph_analysis::order::Precedence;
use gpu_graph_analysis::plan::plan;
use gpu_graph_analysis::policy::{Metric, Minimize, costs};
use gpu_graph_analysis::schedule::{assign, schedule};

fn main() {
    let number = |at: usize| std::env::args().nth(at).and_then(|a| a.parse().ok());
    let tasks = number(1).unwrap_or(10_000) as usize;
    let steps = number(2).map_or(Effort::TAKEN, |steps| Effort { steps });
    println!(
        "milliseconds for about {tasks} tasks; `whole` plans once more and makes the record, `least` with the peak"
    );
    println!("minimised on four streams, to the bytes on its right");
    println!(
        "{:<12}{:>8}{:>9}{:>8}{:>8}{:>8}{:>9}{:>9}{:>8}{:>9}{:>9}{:>9}{:>10}",
        "shape",
        "order",
        "frontier",
        "ranges",
        "greedy",
        "layout",
        "schedule",
        "whole",
        "text",
        "arena",
        "bound",
        "least",
        "bytes"
    );
    let named = std::env::args().nth(3);
    let all = large::SHAPES.into_iter().chain(large::SEARCHED);
    for shape in all.filter(|shape| named.as_ref().is_none_or(|n| n == shape)) {
        let model = large::graph(shape, tasks).model;
        let mut clock = Clock::start();
        let mut lap = || clock.lap();
        let Ok(order) = Precedence::new(&model) else {
            println!("{shape:<12}is cyclic");
            continue;
        };
        let t_order = lap();
        let live = Frontiers::new(&model, &order);
        let t_live = lap();
        let held = demands(&model, &order, &live).unwrap_or_default();
        let merges = merges(&model, &live);
        let bytes = sizes::all(&model);
        let ranges = Ranges::new(&model, &bytes, &order, &live, &held, &merges, PAIRWISE);
        let t_ranges = lap();
        layout(
            &model,
            &bytes,
            &order,
            &live,
            &ranges,
            Effort::WEIGHED,
            Spacing::Staggered,
        );
        let t_greedy = lap();
        let found = layout(
            &model,
            &bytes,
            &order,
            &live,
            &ranges,
            steps,
            Spacing::Staggered,
        );
        let t_layout = lap();
        let streams = assign(&model, &order, &costs(&model), model.streams);
        let s = schedule(&model, &order, &order, &ranges.groups.taken, streams);
        let t_schedule = lap();
        drop(s);
        let Ok((_, record)) = plan(&model) else {
            println!("{shape:<12}is refused");
            continue;
        };
        let t_whole = lap();
        let text = record.to_string().len() + record.dot().len();
        let t_text = lap();
        let least = match plan(&minimised(model)) {
            Ok((_, record)) => record.arena.to_string(),
            Err(_) => "refused".into(),
        };
        let t_least = lap();
        println!(
            "{shape:<12}{t_order:>8}{t_live:>9}{t_ranges:>8}{t_greedy:>8}{t_layout:>8}{t_schedule:>9}{t_whole:>9}{t_text:>8}{:>8}K{:>8}K{t_least:>9}{least:>10}  {:<6}  {text} bytes of record",
            found.arena >> 10,
            found.bound.bytes >> 10,
            match found.arena == found.bound.bytes + found.padding {
                true => "proved",
                false => "open",
            },
        );
    }
}

/// The time that this thread has run, where the system counts it, so that other load is not in it; and
/// else the time that went by.
struct Clock {
    start: Instant,
    last: u128,
}

impl Clock {
    fn start() -> Self {
        let mut clock = Self {
            start: Instant::now(),
            last: 0,
        };
        clock.lap();
        clock
    }

    /// Milliseconds since the last call.
    fn lap(&mut self) -> u128 {
        let counted = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
        let counted = counted.and_then(|s| s.split(' ').next()?.parse().ok());
        let now = counted.unwrap_or_else(|| self.start.elapsed().as_nanos());
        let ms = now.saturating_sub(self.last) / 1_000_000;
        self.last = now;
        ms
    }
}

fn minimised(mut model: Model) -> Model {
    let site = model.site;
    model.streams = 4;
    model.declared.minimize = Some(Minimize::Order(vec![
        (Metric::Peak, site),
        (Metric::AddedEdges, site),
    ]));
    model
}
