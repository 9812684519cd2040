//! Layouts that do not depend on how a graph is written down.

mod common;

use common::rng::Rng;
use common::{Graph, large, read, write};
use gpu_graph_analysis::model::{Model, ResourceId};
use gpu_graph_analysis::plan::{Plan, plan};

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
