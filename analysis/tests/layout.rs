//! Layouts that do not depend on how a graph is written down.

mod common;

use common::rng::Rng;
use common::{Graph, large, random, read, write};
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::model::{Budget, Model, ResourceId, Site};
use gpu_graph_analysis::plan::{Plan, plan};
use gpu_graph_analysis::policy::{Metric, Minimize};

fn planned(model: &Model) -> Plan {
    match plan(model) {
        Ok((plan, _)) => plan,
        Err(faults) => panic!("refused: {faults:?}"),
    }
}

/// The same graph with its resources declared in another order; `to[r]` is where r goes.
fn renumbered(model: &Model, to: &[u32]) -> Model {
    let mut other = model.clone();
    for (r, resource) in model.resources.iter().enumerate() {
        other.resources[to[r] as usize] = resource.clone();
    }
    for access in other.tasks.iter_mut().flat_map(|t| &mut t.accesses) {
        access.resource = ResourceId(to[access.resource.0 as usize]);
    }
    other
}

#[test]
fn the_order_of_declaration_decides_nothing() {
    let mut rng = Rng(7);
    for (shape, tasks) in [("chain", 60), ("skips", 60), ("random", 120), ("pairs", 60)] {
        let model = large::graph(shape, tasks).model;
        let plan = planned(&model);
        for _ in 0..3 {
            let mut to: Vec<u32> = (0..model.resources.len() as u32).collect();
            rng.shuffle(&mut to);
            let other = planned(&renumbered(&model, &to));
            assert_eq!(plan.arena, other.arena, "{shape}");
            for (r, &n) in to.iter().enumerate() {
                assert_eq!(plan.slots[r], other.slots[n as usize], "{shape}");
            }
        }
    }
}

#[test]
fn a_chain_ping_pongs_between_two_places() {
    let mut g = Graph::new("G");
    let mut last = g.input("x", 4096);
    for i in 0..6 {
        let next = g.transient(&format!("v{i}"), 4096);
        g.task(&format!("k{i}"), &[read(last), write(next)]);
        last = next;
    }
    let y = g.output("y", 4096);
    g.task("end", &[read(last), write(y)]);
    let plan = planned(&g.model);
    assert_eq!((plan.arena, plan.lower_bound), (8192, 8192));
}

#[test]
fn in_place_chains_take_one_place_and_may_end_in_an_output() {
    let plan = planned(&large::graph("in place", 12).model);
    // The input is the caller's: it is not updated. All else is one chain.
    assert_eq!((plan.arena, plan.lower_bound), (8192, 8192));
    assert!(plan.slots[1..].iter().all(|s| *s == plan.slots[1]));
}

#[test]
fn sizes_are_those_at_the_maxima_rounded_up() {
    let mut g = Graph::new("G");
    let x = g.input("x", 1);
    let y = g.output("y", 257);
    g.task("k", &[read(x), write(y)]);
    let plan = planned(&g.model);
    assert_eq!(
        plan.slots.iter().map(|s| s.bytes).collect::<Vec<_>>(),
        [256, 512]
    );
    assert_eq!(plan.arena, 768);
}

#[test]
fn equal_sources_give_equal_plans() {
    for shape in large::SHAPES {
        let a = planned(&large::graph(shape, 200).model);
        let b = planned(&large::graph(shape, 200).model);
        assert_eq!(a, b);
    }
}

#[test]
fn slots_of_whole_pages_are_staggered_where_the_budget_has_room() {
    let graph = |budget: Option<u64>| {
        let mut g = Graph::new("Pages");
        let x = g.input("x", 16 << 20);
        let [a, b] = ["a", "b"].map(|name| g.transient(name, 16 << 20));
        let y = g.output("y", 16 << 20);
        g.task("first", &[read(x), write(a)]);
        g.task("second", &[read(x), read(a), write(b)]);
        g.task("third", &[read(x), read(a), read(b), write(y)]);
        if let Some(budget) = budget {
            g.budget(budget);
        }
        plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"))
    };
    let sets = |plan: &Plan| {
        let sets = plan.slots.iter().map(|s| s.offset % 4096);
        sets.collect::<std::collections::BTreeSet<_>>().len()
    };
    for budget in [None, Some(65 << 20)] {
        let (plan, record) = graph(budget);
        assert_eq!((sets(&plan), plan.lower_bound), (4, 64 << 20));
        assert_eq!(plan.arena, plan.lower_bound + record.padding);
        assert!(record.padding > 0 && record.padding <= (64 << 20) / 64);
        assert!(record.is_optimal());
        let text = record.to_string();
        assert!(
            text.contains("meets the bound, but for the padding"),
            "{text}"
        );
    }
    let (plan, record) = graph(Some(64 << 20));
    assert_eq!((sets(&plan), plan.arena, record.padding), (1, 64 << 20, 0));
    let text = record.to_string();
    let (told, _words) = text.split_once("\nwords\n").expect("words stand last");
    assert!(!told.contains("  padding        "));
}

/// Random graphs, all of whose resources are some whole pages.
fn pages(seed: u64) -> Model {
    let mut rng = Rng(seed);
    let mut model = random::graph(&mut rng, 7).model;
    for (r, of) in model.resources.iter_mut().enumerate() {
        let pages = Expr::constant(16_384 * (1 + r as i64 % 3));
        of.shape = vec![of.shape[0].clone(), pages];
    }
    model
}

#[test]
fn no_budget_finds_a_smaller_arena_than_where_the_peak_is_minimised() {
    let (mut judged, mut padded) = (0, 0);
    for seed in 0..150 {
        let mut model = pages(seed);
        let Ok((free, record)) = plan(&model) else {
            continue;
        };
        padded += usize::from(record.padding > 0);
        model.declared.minimize = Some(Minimize::Order(vec![(Metric::Peak, Site(0))]));
        let (least, record) = plan(&model).unwrap_or_else(|f| panic!("seed {seed}: {f:?}"));
        assert_eq!(record.padding, 0, "seed {seed}");
        assert!(least.arena <= free.arena, "seed {seed}");
        no_budget_is_smaller(&model, &least);
        judged += 1;
    }
    assert!(judged > 100 && padded > 50, "{judged} {padded}");
    for shape in large::SHAPES {
        let mut model = large::graph(shape, 40).model;
        model.declared.minimize = Some(Minimize::Order(vec![(Metric::Peak, Site(0))]));
        no_budget_is_smaller(&model, &planned(&model));
    }
}

/// A budget has room for what is planned without one, and one byte less is met by no plan.
fn no_budget_is_smaller(model: &Model, least: &Plan) {
    let need = (least.arena + least.pinned) * u64::from(least.ring) + least.store;
    let mut model = model.clone();
    for (bytes, fits) in [(need, true), (need - 1, false)] {
        let site = model.site;
        model.budget = Some(Budget {
            bytes,
            beside: Default::default(),
            site,
        });
        assert_eq!(plan(&model).is_ok(), fits, "{bytes} bytes");
    }
}

#[test]
fn a_graph_of_any_size_is_put_in_a_sequence_that_needs_less_where_the_peak_counts() {
    for tasks in [1_000, 1_500] {
        let mut model = large::graph("random", tasks).model;
        model.streams = 4;
        let free = planned(&model);
        model.declared.minimize = Some(Minimize::Order(vec![(Metric::Peak, Site(0))]));
        let least = planned(&model);
        // All stages but the last 16 are over, and outputs stay.
        assert!(least.arena < free.arena / 8, "{tasks} tasks: {least:?}");
    }
}

#[test]
fn a_bound_names_both_where_one_becomes_the_other_beside_the_task() {
    let mut g = Graph::new("G");
    let (i, o) = (g.input("i", 256), g.output("o", 256));
    let (x, y) = (g.transient("x", 4096), g.transient("y", 4096));
    let (m, big) = (g.transient("m", 2048), g.transient("big", 65536));
    g.task("make", &[read(i), write(x), write(m)]);
    let update = g.task("update", &[read(x), write(y)]);
    g.in_place(update, 0);
    g.task("fill", &[read(m), write(big)]);
    g.task("end", &[read(y), read(big), write(o)]);
    let (plan, record) = gpu_graph_analysis::plan::plan(&g.model).expect("nothing is demanded");
    assert_eq!(plan.lower_bound, 4096 + 2048 + 65536);
    let live = &record.bound.parts[0].live;
    assert_eq!(*live, [vec![x, y], vec![m], vec![big]]);
    let lines = "live while `fill` runs: `x`, `y`, `m` and `big`
                 `x` and `y` count once: one becomes the other";
    let text = record.to_string();
    assert!(text.contains(lines), "{text}");
}
