//! What the fault of a budget says of all plans, against plans of many orders.

mod common;

use common::rng::Rng;
use common::updates::{left, stages};
use common::{Graph, random, read, write};
use gpu_graph_analysis::fault::{BUDGET, Fault};
use gpu_graph_analysis::model::{Budget, Model, TaskId, TaskKind};
use gpu_graph_analysis::order::Precedence;
use gpu_graph_analysis::plan::plan;
use gpu_graph_analysis::policy::{Metric, Minimize};

fn refused(model: &Model) -> Fault {
    match plan(model) {
        Ok(_) => panic!("accepted"),
        Err(mut faults) => {
            assert_eq!(faults.len(), 1, "{faults:?}");
            faults.remove(0)
        }
    }
}

/// The amount that `text` begins with, in bytes.
fn amount(text: &str) -> u64 {
    let exact = text
        .split_once(" bytes)")
        .and_then(|(b, _)| b.split_once('('));
    let short = exact.filter(|(about, _)| about.matches(' ').count() == 2);
    if let Some((_, bytes)) = short {
        return bytes.parse().expect("bytes");
    }
    let mut words = text.split([' ', ',', ';', '`']);
    let number: u64 = words.next().and_then(|n| n.parse().ok()).expect(text);
    let unit = match words.next() {
        Some("B") => 0,
        Some("KiB") => 10,
        Some("MiB") => 20,
        other => panic!("{other:?} in {text}"),
    };
    number << unit
}

/// What the fault says that no order does without.
fn least(fault: &Fault) -> u64 {
    let said = "in every order of its tasks at least ";
    let note = fault.notes.iter().find_map(|n| n.strip_prefix(said));
    let title = fault
        .message
        .split_once(" must hold ")
        .map(|(_, rest)| rest);
    amount(note.or(title).expect("a bound"))
}

/// The kernels of `model` one after the other, in an order that its dependencies admit.
fn one_by_one(model: &Model, rng: &mut Rng) -> Option<Model> {
    let order = Precedence::new(model).ok()?;
    let mut left: Vec<u32> = (0..model.tasks.len() as u32).collect();
    let mut sequence = Vec::new();
    while !left.is_empty() {
        let ready = |&t: &u32| left.iter().all(|&o| !order.precedes(TaskId(o), TaskId(t)));
        let ready: Vec<u32> = left.iter().copied().filter(ready).collect();
        let next = ready[rng.below(ready.len())];
        left.retain(|&t| t != next);
        if matches!(model.tasks[next as usize].kind, TaskKind::Kernel(_)) {
            sequence.push(TaskId(next));
        }
    }
    let mut g = Graph::new("");
    g.model = model.clone();
    for pair in sequence.windows(2) {
        g.order(pair[0], pair[1]);
    }
    g.model.budget = None;
    Some(g.model)
}

#[test]
fn what_no_order_does_without_is_below_every_plan_and_met_by_most() {
    let (mut judged, mut met) = (0, 0);
    for seed in 0..120 {
        let mut rng = Rng(seed);
        let mut g = random::graph(&mut rng, 7);
        g.model.depth = 1;
        if plan(&g.model).is_err() {
            continue;
        }
        g.budget(1);
        let fault = refused(&g.model);
        assert_eq!(fault.code, BUDGET);
        let least = least(&fault);
        let mut smallest = u64::MAX;
        for _ in 0..12 {
            let model = one_by_one(&g.model, &mut rng).expect("an order");
            let (plan, record) = plan(&model).unwrap_or_else(|f| panic!("{seed}: {f:?}"));
            let taken = plan.arena - record.padding + plan.store;
            assert!(
                least <= taken,
                "{seed}: {least} above {taken}\n{fault:?}\n{record}"
            );
            smallest = smallest.min(taken);
        }
        judged += 1;
        met += u32::from(least == smallest);
    }
    assert!(judged > 80 && 10 * met > 7 * judged, "{met} of {judged}");
}

/// Two branches of a large resource each, one after the other or beside each other.
fn branches() -> Graph {
    let mut g = Graph::new("G");
    let x = g.input("x", 256);
    let [a, b] = ["a", "b"].map(|name| g.transient(name, 4096));
    let [p, q] = ["p", "q"].map(|name| g.output(name, 256));
    g.task("ka", &[read(x), write(a)]);
    g.task("kp", &[read(a), write(p)]);
    g.task("kb", &[read(x), write(b)]);
    g.task("kq", &[read(b), write(q)]);
    g
}

#[test]
fn a_budget_that_only_another_order_meets_says_how_much_it_takes() {
    let mut g = branches();
    let site = g.budget(8192);
    let fault = refused(&g.model);
    assert_eq!((fault.code, fault.site), (BUDGET, site));
    let every = "in every order of its tasks at least 4.5 KiB (4608 bytes) is live at once";
    assert!(fault.notes.iter().any(|n| n == every), "{fault:?}");
    let help = fault.help.as_deref().unwrap_or_default();
    assert!(
        help.contains("declare `minimize peak;`, which orders tasks so that"),
        "{help}"
    );
    // Less than every order needs: what is found in another one is named with the budget for it.
    g.budget(4607);
    let fault = refused(&g.model);
    let none = ", so none meets the budget";
    assert!(fault.notes.iter().any(|n| n.ends_with(none)), "{fault:?}");
    let found = "the smallest arena that was found in another order takes 4.5 KiB (4608 bytes)";
    assert!(fault.notes.iter().any(|n| n == found), "{fault:?}");
    let help = fault.help.as_deref().unwrap_or_default();
    let room = help.split_once("declare `minimize peak;` and write `budget ");
    let room = amount(room.expect(help).1);
    let accepted = |budget| {
        let mut g = branches();
        let site = g.budget(budget);
        g.model.declared.minimize = Some(Minimize::Order(vec![(Metric::Peak, site)]));
        plan(&g.model).is_ok()
    };
    assert!(accepted(room) && !accepted(room - 1), "{room}");
}

#[test]
fn what_a_plan_would_take_is_told_without_the_room_that_it_would_not_have() {
    let mut g = Graph::new("Pages");
    let x = g.input("x", 1 << 20);
    for name in ["a", "b", "c"] {
        let [own, next] = ["", "2"].map(|n| g.transient(&format!("{name}{n}"), 1 << 20));
        let y = g.output(&format!("{name}_out"), 256);
        g.task(&format!("k{name}"), &[read(x), write(own)]);
        g.task(&format!("l{name}"), &[read(own), write(next)]);
        g.task(&format!("m{name}"), &[read(next), write(y)]);
    }
    let (written, record) = plan(&g.model).unwrap_or_else(|f| panic!("refused: {f:?}"));
    let mut asked = g.model.clone();
    asked.declared.minimize = Some(Minimize::Order(vec![(Metric::Peak, asked.site)]));
    let (asked, _) = plan(&asked).unwrap_or_else(|f| panic!("refused: {f:?}"));
    let tight = written.arena - record.padding;
    assert!(record.padding > 0 && asked.arena < tight);
    g.budget(tight - 1);
    let fault = refused(&g.model);
    let help = fault.help.as_deref().unwrap_or_default();
    let (_, taken) = help.split_once("the arena takes ").expect(help);
    assert_eq!(amount(taken), asked.arena, "{help}");
}

#[test]
fn a_budget_that_is_met_where_updates_are_left_says_so() {
    let mut offered = 0;
    for seed in 0..12 {
        let mut model = stages(&mut Rng(seed));
        let [least, all] = left(&model);
        let (bytes, site) = (least, model.site);
        model.budget = Some(Budget {
            bytes,
            beside: Default::default(),
            site,
        });
        if least == all {
            assert!(plan(&model).is_ok(), "seed {seed}");
            continue;
        }
        let fault = refused(&model);
        let help = fault.help.as_deref().unwrap_or_default();
        let how = "declare `minimize peak;`, which does less in place so that the arena takes ";
        let (_, arena) = help.split_once(how).expect(help);
        assert_eq!(amount(arena), least, "seed {seed}");
        model.declared.minimize = Some(Minimize::Order(vec![(Metric::Peak, site)]));
        assert!(plan(&model).is_ok(), "seed {seed}");
        offered += 1;
    }
    assert!(offered > 4, "{offered}");
}

#[test]
fn a_budget_that_no_plan_meets_says_what_the_smallest_of_them_takes() {
    for minimize in [
        vec![Metric::Peak],
        vec![Metric::CriticalPath, Metric::AddedEdges],
    ] {
        let refused_at = |budget| {
            let mut g = branches();
            let site = g.budget(budget);
            let order = minimize.iter().map(|metric| (*metric, site));
            g.model.declared.minimize = Some(Minimize::Order(order.collect()));
            plan(&g.model).err().map(|mut faults| faults.remove(0))
        };
        let fault = refused_at(1).expect("nothing takes so little");
        assert_eq!(
            fault.message,
            "`G` needs at least 4.5 KiB (4608 bytes) in the smallest plan that was found, \
             more than its budget of 1 B"
        );
        let help = fault.help.as_deref().unwrap_or_default();
        let room = help.split_once("write `budget ").expect(help);
        let room = amount(room.1);
        assert_eq!(refused_at(room).map(|fault| fault.message), None);
        assert!(refused_at(room - 1).is_some(), "{room}");
    }
}

#[test]
fn an_update_that_an_order_would_admit_is_not_counted_twice() {
    // `k` could write `b` in the place of `a`, were `r` before it.
    let mut g = Graph::new("G");
    let x = g.input("x", 256);
    let [a, b] = ["a", "b"].map(|name| g.transient(name, 4096));
    let [p, q] = ["p", "q"].map(|name| g.output(name, 256));
    g.task("ka", &[read(x), write(a)]);
    let k = g.task("k", &[read(a), write(b)]);
    g.in_place(k, 0);
    let r = g.task("r", &[read(a), write(p)]);
    g.task("kq", &[read(b), write(q)]);
    g.budget(1);
    let before = least(&refused(&g.model));
    assert!(before < 8192, "{before}");
    g.model.budget = None;
    g.order(r, k);
    let (plan, _) = plan(&g.model).expect("accepted");
    assert!(before <= plan.arena && plan.arena < 8192, "{}", plan.arena);
}
