//! Graphs to make reports of.

#![allow(dead_code, reason = "each test binary uses a part")]

use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::model::{Class, Elem, Model, Order, Site, TaskId};
use gpu_graph_analysis::plan::{Plan, plan};
use gpu_graph_analysis::record;
use gpu_graph_runtime::graph::Record;

use crate::common::{Graph, read, update, write};
use crate::explain_support::image;

/// A graph that was accepted, and its record as the macro keeps it.
pub struct Case {
    pub model: Model,
    pub plan: Plan,
    pub found: record::Record,
    pub record: Record,
}

/// The record of `model`, unless it is refused.
pub fn case(model: Model) -> Option<Case> {
    let (plan, found) = plan(&model).ok()?;
    let (text, dot) = (found.to_string().leak(), found.dot().leak());
    let facts = found.facts().leak();
    let record = Record::new(text, dot, facts, plan.lower_bound, image(&model, &plan));
    Some(Case {
        model,
        plan,
        found,
        record,
    })
}

/// A tower of layers, each with eight resources of four sizes, and heads that run beside each other.
pub fn tower(layers: usize) -> Model {
    let mut g = Graph::new("Tower");
    let n = g.dim("n", 64, 4096);
    let shape = |width: i64| [n.clone(), Expr::constant(width)];
    let mut at = g.resource("tokens", Class::Input, Elem::F32, &shape(64));
    g.upload(at);
    let weights = g.resource("weights", Class::Resident, Elem::F32, &shape(512));
    for layer in 0..layers {
        let mut new = |part: &str, width: i64| {
            let name = format!("l={layer}.{part}");
            g.resource(&name, Class::Transient, Elem::F32, &shape(width))
        };
        let (norm, scratch) = (new("norm", 64), new("scratch", 16));
        let (q, k, v) = (new("q", 64), new("k", 64), new("v", 64));
        let (scores, mixed, wide) = (new("scores", 128), new("mixed", 64), new("wide", 256));
        g.model.resources[scratch.0 as usize].class = Class::Workspace;
        let mut task = |part: &str, accesses: &[_]| {
            let name = format!("l={layer}.{part}");
            g.task(&name, accesses)
        };
        task("norm = norm", &[read(at), write(norm)]);
        for (part, to) in [("q = project", q), ("k = project", k), ("v = project", v)] {
            task(part, &[read(norm), read(weights), write(to)]);
        }
        let heads = [read(q), read(k), write(scratch), write(scores)];
        task("scores = attend", &heads);
        task("mixed = mix", &[read(scores), read(v), write(mixed)]);
        task("wide = widen", &[read(mixed), read(weights), write(wide)]);
        if layer % 8 == 7 {
            task("add(&mut mixed)", &[read(wide), update(mixed)]);
        } else {
            let narrow = task("narrow(&mut mixed)", &[read(wide), read(at), update(mixed)]);
            g.model.orders.extend((layer % 5 == 0).then_some(Order {
                before: TaskId(narrow.0 - 2),
                after: narrow,
                site: Site(0),
            }));
        }
        at = mixed;
    }
    let out = g.resource("logits", Class::Output, Elem::F32, &shape(64));
    g.task("logits = norm", &[read(at), write(out)]);
    g.model.streams = 4;
    g.model
}
