//! Streams, waits and events of small graphs.

mod common;

use common::{Graph, large, read, write};
use gpu_graph_analysis::model::Model;
use gpu_graph_analysis::plan::{HostOp, Op, Plan, plan};
use gpu_graph_analysis::record::Record;

fn planned(model: &Model) -> (Plan, Record) {
    match plan(model) {
        Ok(found) => found,
        Err(faults) => panic!("refused: {faults:?}"),
    }
}

fn waits(plan: &Plan) -> usize {
    plan.issue
        .iter()
        .filter(|op| matches!(op, Op::Wait { .. }))
        .count()
}

#[test]
fn a_chain_needs_one_stream_and_one_event() {
    let (plan, record) = planned(&large::graph("chain", 20).model);
    assert_eq!((plan.streams, plan.events, waits(&plan)), (1, 1, 0));
    assert!(record.stream_order.is_empty());
    assert_eq!(plan.issue[0], Op::Gate { event: 0 });
    assert_eq!(
        plan.collect,
        [HostOp::Wait { event: 0 }, HostOp::Read { resource: 19 }]
    );
}

#[test]
fn uploads_open_no_stream_for_themselves() {
    let mut g = Graph::new("G");
    let [a, b] = ["a", "b"].map(|name| g.input(name, 64));
    let h = g.transient("h", 64);
    let y = g.output("y", 64);
    g.task("k1", &[read(a), write(h)]);
    g.task("k2", &[read(h), read(b), write(y)]);
    assert_eq!(planned(&g.model).0.streams, 1);
}

#[test]
fn a_diamond_runs_side_by_side_with_the_longer_side_on_stream_0() {
    let mut g = Graph::new("G");
    let x = g.input("x", 64);
    let [s, l1, l2] = ["s", "l1", "l2"].map(|name| g.transient(name, 64));
    let y = g.output("y", 64);
    let short = g.task("short", &[read(x), write(s)]);
    let long1 = g.task("long1", &[read(x), write(l1)]);
    let long2 = g.task("long2", &[read(l1), write(l2)]);
    let join = g.task("join", &[read(s), read(l2), write(y)]);
    let (plan, record) = planned(&g.model);
    let on = |t: gpu_graph_analysis::model::TaskId| record.stream_of[t.0 as usize];
    assert_eq!((on(long1), on(long2), on(join), on(short)), (0, 0, 0, 1));
    // One wait for the input's upload, one at the join.
    assert_eq!((plan.streams, waits(&plan), record.waits), (2, 2, 2));
    g.model.streams = 1;
    let (plan, record) = planned(&g.model);
    assert_eq!((plan.streams, waits(&plan)), (1, 0));
    assert_eq!(record.stream_order, [(short, long1)]);
}

#[test]
fn bands_stay_on_their_streams() {
    let mut model = large::graph("bands", 80).model;
    model.streams = 8;
    let (plan, record) = planned(&model);
    assert_eq!(plan.streams, 8);
    for stage in 1..10 {
        for band in 0..8 {
            assert_eq!(
                record.stream_of[1 + 8 * stage + band],
                record.stream_of[1 + band]
            );
        }
    }
    // Each band waits for its neighbours, and for nothing else: 14 in each stage but the first.
    assert_eq!(waits(&plan), 7 + 9 * 14);
    assert!(record.saved > 0 || record.waits == waits(&plan));
}

#[test]
fn a_wait_covers_what_its_event_is_known_to_follow() {
    // c follows a through b: it waits for b alone.
    let mut g = Graph::new("G");
    let [a, b] = ["a", "b"].map(|name| g.transient(name, 64));
    let others = ["p", "q", "r"].map(|name| g.output(name, 64));
    let y = g.output("y", 64);
    g.task("ka", &[write(a)]);
    for (i, &o) in others.iter().enumerate() {
        g.task(&format!("o{i}"), &[write(o)]);
    }
    g.task("kb", &[read(a), write(b)]);
    g.task("kc", &[read(a), read(b), read(others[0]), write(y)]);
    let (plan, _) = planned(&g.model);
    assert_eq!(waits(&plan), 1, "{:?}", plan.issue);
}

#[test]
fn outputs_wait_for_their_own_writers_only() {
    let mut g = Graph::new("G");
    let x = g.input("x", 64);
    let [p, q] = ["p", "q"].map(|name| g.output(name, 64));
    g.task("kp", &[read(x), write(p)]);
    g.task("kq", &[read(x), write(q)]);
    let (plan, _) = planned(&g.model);
    let HostOp::Wait { event: first } = plan.collect[0] else {
        panic!("{:?}", plan.collect);
    };
    let HostOp::Wait { event: second } = plan.collect[2] else {
        panic!("{:?}", plan.collect);
    };
    assert_eq!(plan.collect.len(), 4);
    assert_ne!(first, second);
}

#[test]
fn demands_that_point_backward_change_the_order_of_issue() {
    let mut g = Graph::new("G");
    let [p, q] = ["p", "q"].map(|name| g.output(name, 64));
    let a = g.task("a", &[write(p)]);
    let b = g.task("b", &[write(q)]);
    g.order(b, a);
    let (plan, record) = planned(&g.model);
    assert_eq!(record.sequence, [b.0, a.0]);
    let launches: Vec<u32> = plan
        .issue
        .iter()
        .filter_map(|op| match op {
            Op::Launch { task, .. } => Some(*task),
            _ => None,
        })
        .collect();
    assert_eq!(launches, [b.0, a.0]);
    assert_eq!(plan.streams, 1);
}
