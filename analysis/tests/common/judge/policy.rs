//! Plans under a declared objective.

use gpu_graph_analysis::declared::Cost;
use gpu_graph_analysis::model::{Model, Site, TaskKind};
use gpu_graph_analysis::plan::{Op, Plan, plan};
use gpu_graph_analysis::policy::{Figures, Kind, Lost, Metric, Minimize, Outcome, Weight};
use gpu_graph_analysis::record::Record;

use super::super::again::run;
use super::super::oracle::{Oracle, dependencies};
use super::super::replay::replay;
use super::super::rng::Rng;
use super::super::updates::left;
use super::Tally;
use super::program::closure;

/// Whatever is minimised, the program still orders what depends, adds only what it states, and no
/// two resources share a byte that an execution of *the program* has live at once.
pub fn policies(seed: u64, model: &Model, before: &[Vec<usize>], rng: &mut Rng, tally: &mut Tally) {
    let mut model = model.clone();
    costs(&mut model, rng);
    let Ok((base, _)) = plan(&model) else {
        panic!("seed {seed}: nothing is demanded");
    };
    let [least, all] = left(&model);
    tally.better_left += usize::from(least < all);
    let site = Site(0);
    let order = |metrics: &[Metric]| {
        Minimize::Order(metrics.iter().map(|&metric| (metric, site)).collect())
    };
    let weight = |metric, each| Weight {
        metric,
        each,
        per: 1,
        text: String::new(),
        site,
    };
    let objectives = [
        order(&[Metric::Peak, Metric::CriticalPath]),
        order(&[Metric::CriticalPath, Metric::Peak]),
        order(&[Metric::AddedEdges, Metric::Peak]),
        order(&[Metric::Peak, Metric::AddedEdges]),
        Minimize::Weights(vec![
            weight(Metric::Peak, 1.0),
            weight(Metric::AddedEdges, 300.0),
        ]),
    ];
    for minimize in objectives {
        model.declared.minimize = Some(minimize.clone());
        let Ok((plan, record)) = plan(&model) else {
            panic!("seed {seed}: nothing that is weighed is unknown");
        };
        match &plan.graph {
            None => {
                sound(seed, &model, before, &plan, &record);
                lean(seed, &model, before, &plan, &record, tally);
            }
            // Judged as the graph that it is then, which leaves what the other does.
            Some(graph) => {
                let before = dependencies(&graph.model);
                sound(seed, &graph.model, &before, &plan, &record);
                lean(seed, &graph.model, &before, &plan, &record, tally);
                assert_eq!(run(&graph.model), run(&model), "seed {seed}");
                tally.remade += 1;
            }
        }
        best(seed, &minimize, &record);
        let taken = &record.policy.rivals[record.policy.plan];
        tally.left += usize::from(matches!(taken.kind, Kind::Leaving(..)));
        if plan.arena < base.arena {
            tally.traded += 1;
        }
        if minimize.metrics()[0].0 == Metric::Peak {
            assert!(plan.arena <= base.arena, "seed {seed}: {minimize}");
            assert!(plan.arena <= least, "seed {seed}: {minimize}, updates left");
        }
    }
}

/// Each kernel has a cost, or each second one, or none.
fn costs(model: &mut Model, rng: &mut Rng) {
    let share = rng.below(3);
    let mut names: Vec<String> = Vec::new();
    for task in &model.tasks {
        if let TaskKind::Kernel(launch) = &task.kind
            && !names.contains(&launch.name)
        {
            names.push(launch.name.clone());
        }
    }
    for (at, name) in names.into_iter().enumerate() {
        let known = share > 0 && (share > 1 || at % 2 == 0);
        let nanos = 1 + rng.below(20) as u64;
        let text = format!("{nanos} ns");
        let cost = known.then_some(Cost { nanos, text });
        model.declared.costs.push((name, cost));
    }
}

fn sound(seed: u64, model: &Model, before: &[Vec<usize>], plan: &Plan, record: &Record) {
    let tasks = model.tasks.len();
    let run = replay(tasks, plan, None);
    let mut allowed = before.to_vec();
    for (a, b) in record.stream_order.iter().chain(&record.added) {
        allowed[b.0 as usize].push(a.0 as usize);
    }
    let (closed, allowed) = (closure(before), closure(&allowed));
    let mut executed: Vec<Vec<usize>> = vec![Vec::new(); tasks];
    for a in 0..tasks {
        for b in 0..tasks {
            let ordered = run.before[a][b];
            assert!(
                ordered || !closed[a][b],
                "seed {seed}: t{a} before t{b} is lost"
            );
            assert!(
                allowed[a][b] || !ordered,
                "seed {seed}: t{a} before t{b} is unstated"
            );
            if ordered {
                executed[b].push(a);
            }
        }
    }
    let oracle = Oracle::new(model, &executed);
    assert!(oracle.complete, "seed {seed}: the program cannot run");
    let updates = plan.issue.iter().filter_map(|op| match *op {
        Op::Launch {
            task,
            in_place: true,
            ..
        } => Some(task as usize),
        _ => None,
    });
    let updates: Vec<usize> = updates.collect();
    for a in 0..plan.slots.len() {
        for b in 0..a {
            let (s, t) = (plan.slots[a], plan.slots[b]);
            if s.offset.max(t.offset) >= (s.offset + s.bytes).min(t.offset + t.bytes) {
                continue;
            }
            let legal = oracle
                .in_place(model, a, b)
                .or(oracle.in_place(model, b, a));
            let in_place = s == t && legal.is_some_and(|task| updates.contains(&task));
            let fine = !oracle.together[a][b] || in_place;
            assert!(
                fine && oracle.near(a, b),
                "seed {seed}: r{a} and r{b} overlap while live"
            );
        }
    }
    for alias in &record.aliases {
        for (a, b) in &alias.condition {
            let (a, b) = (a.0 as usize, b.0 as usize);
            assert!(
                run.before[a][b] && !closed[a][b],
                "seed {seed}: no condition"
            );
        }
    }
}

/// Without any one of the added edges, two resources share a byte that an execution has live at once.
fn lean(
    seed: u64,
    model: &Model,
    before: &[Vec<usize>],
    plan: &Plan,
    record: &Record,
    tally: &mut Tally,
) {
    let mut own = before.to_vec();
    let mut tails = [None; 256];
    for op in &plan.issue {
        if let Op::Launch { task, stream, .. } = *op {
            let tail = tails[usize::from(stream)].replace(task as usize);
            own[task as usize].extend(tail);
        }
    }
    for left in 0..record.added.len() {
        let mut others = own.clone();
        for (at, (a, b)) in record.added.iter().enumerate() {
            if at != left {
                others[b.0 as usize].push(a.0 as usize);
            }
        }
        let closed = closure(&others);
        let (a, b) = record.added[left];
        let shared = !shared_in_turn(model, &closed, plan);
        assert!(shared, "seed {seed}: t{} before t{} for nothing", a.0, b.0);
    }
    tally.added += record.added.len();
}

/// Whether of any two resources that share a byte one is over before the other begins, or becomes it.
pub fn shared_in_turn(model: &Model, closed: &[Vec<bool>], plan: &Plan) -> bool {
    let mut updates = vec![false; model.tasks.len()];
    for op in &plan.issue {
        if let Op::Launch { task, in_place, .. } = *op {
            updates[task as usize] = in_place;
        }
    }
    let users = |r: usize| {
        let uses = move |t: &usize| {
            let mut of = model.tasks[*t].accesses.iter();
            of.any(|a| a.resource.0 as usize == r)
        };
        (0..model.tasks.len()).filter(uses)
    };
    // A task that updates one into the other is the last of the one and the first of the other.
    let over = |a: usize, b: usize| {
        let at = users(a).find(|&t| updates[t] && users(b).any(|u| u == t));
        let same = |x: usize, y: usize| x == y && at == Some(x) && plan.slots[a] == plan.slots[b];
        users(a).all(|x| users(b).all(|y| closed[x][y] || same(x, y)))
    };
    (0..plan.slots.len()).all(|a| {
        (0..a).all(|b| {
            let (s, t) = (plan.slots[a], plan.slots[b]);
            let apart = s.offset.max(t.offset) >= (s.offset + s.bytes).min(t.offset + t.bytes);
            apart || over(a, b) || over(b, a)
        })
    })
}

/// What is taken is beaten by nothing that was weighed.
fn best(seed: u64, minimize: &Minimize, record: &Record) {
    let policy = &record.policy;
    let figures = |at: usize| &policy.rivals[at].figures;
    let taken = figures(policy.plan);
    for (at, rival) in policy.rivals.iter().enumerate() {
        assert_eq!(
            at == policy.plan,
            rival.outcome == Outcome::Taken,
            "seed {seed}"
        );
        if let Outcome::Equal(lost) = rival.outcome {
            let by = [taken, figures(at)].map(|f: &Figures| (f.added, f.waits));
            let true_of_it = match lost {
                Lost::Edges => by[0].0 < by[1].0,
                Lost::Streams => by[0].0 == by[1].0,
                Lost::Waits => by[0].0 == by[1].0 && by[0].1 < by[1].1,
                Lost::Later => by[0] == by[1] && policy.plan < at,
            };
            assert!(true_of_it, "seed {seed}: {minimize}: {lost:?} of {by:?}");
        }
        let first = minimize.metrics()[0].0;
        match minimize {
            Minimize::Order(_) if first == Metric::CriticalPath && taken.at_least => {}
            Minimize::Order(_) => {
                assert!(
                    taken.of(first) <= figures(at).of(first),
                    "seed {seed}: {minimize}"
                );
            }
            Minimize::Weights(weights) => {
                let sum = |at| {
                    let each = weights.iter();
                    each.map(|w| w.each * figures(at).of(w.metric) as f64)
                        .sum::<f64>()
                };
                assert!(sum(policy.plan) <= sum(at), "seed {seed}: {minimize}");
            }
        }
    }
}
