//! Times each phase on large graphs: `scale [TASKS]`. Run it unoptimised, as a procedural macro is.

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::Instant;

use common::large;
use gpu_graph_analysis::alias::{demands, merges};
use gpu_graph_analysis::frontier::Frontiers;
use gpu_graph_analysis::layout::{PAIRWISE, layout};
use gpu_graph_analysis::order::Precedence;
use gpu_graph_analysis::plan::plan;
use gpu_graph_analysis::policy::costs;
use gpu_graph_analysis::schedule::{assign, schedule};

fn main() {
    let tasks = std::env::args().nth(1).and_then(|a| a.parse().ok());
    let tasks = tasks.unwrap_or(10_000);
    println!("milliseconds for about {tasks} tasks; `whole` plans once more and makes the record");
    println!(
        "{:<12}{:>8}{:>9}{:>9}{:>9}{:>9}{:>8}{:>9}{:>9}",
        "shape", "order", "frontier", "layout", "schedule", "whole", "text", "arena", "bound"
    );
    for shape in large::SHAPES {
        let model = large::graph(shape, tasks).model;
        let mut clock = Instant::now();
        let mut lap = || {
            let ms = clock.elapsed().as_millis();
            clock = Instant::now();
            ms
        };
        let Ok(order) = Precedence::new(&model) else {
            println!("{shape:<12}is cyclic");
            continue;
        };
        let t_order = lap();
        let live = Frontiers::new(&model, &order);
        let t_live = lap();
        let held = demands(&model, &order, &live).unwrap_or_default();
        let merges = merges(&model, &live);
        let found = layout(&model, &order, &live, &held, &merges, PAIRWISE);
        let t_layout = lap();
        let streams = assign(&model, &order, &costs(&model), model.streams);
        let s = schedule(&model, &order, &order, &found.merges, streams);
        let t_schedule = lap();
        drop(s);
        let Ok((_, record)) = plan(&model) else {
            println!("{shape:<12}is refused");
            continue;
        };
        let t_whole = lap();
        let text = record.to_string().len() + record.dot().len();
        let t_text = lap();
        println!(
            "{shape:<12}{t_order:>8}{t_live:>9}{t_layout:>9}{t_schedule:>9}{t_whole:>9}{t_text:>8}{:>8}K{:>8}K  {text} bytes of record",
            found.arena >> 10,
            found.bound.bytes >> 10,
        );
    }
}
