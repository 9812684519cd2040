//! Values that are made again: what is left for readers, what may stand against it, what is chosen.

mod common;

use common::again::{self, mark, run};
use common::judge::{Tally, policies};
use common::oracle::dependencies;
use common::rng::Rng;
use common::{Graph, large, random, read, rows, update, write};
use gpu_graph_analysis::analyse;
use gpu_graph_analysis::declared::Cost;
use gpu_graph_analysis::fault::{
    INPUT_CHANGED, INPUT_GONE, NO_CONTRACT, NOT_READ_AGAIN, NOT_SAME, PEAK_RETURNS,
};
use gpu_graph_analysis::model::{
    Again, Class, Elem, Mode, Model, ResourceId, Rows, Site, TaskId, TaskKind,
};
use gpu_graph_analysis::order::Precedence;
use gpu_graph_analysis::plan::plan;
use gpu_graph_analysis::policy::{Ground, Metric, Minimize, Outcome, search};
use gpu_graph_analysis::recompute::{Obstacle, Rewritten, Users, obstacle};

fn minimize(model: &mut Model, metrics: &[Metric]) {
    let order = metrics.iter().map(|&metric| (metric, Site(0)));
    model.declared.minimize = Some(Minimize::Order(order.collect()));
}

fn constant(n: i64) -> gpu_graph_analysis::expr::Expr {
    gpu_graph_analysis::expr::Expr::constant(n)
}

/// `t` is made of a small input and is read before and behind two large values.
fn valley(t: Class) -> (Graph, ResourceId, TaskId) {
    let mut g = Graph::new("Valley");
    let x = g.input("x", 256);
    let t = g.resource("t", t, Elem::U8, &[constant(4096)]);
    let [a, d] = ["a", "d"].map(|name| g.transient(name, 256));
    let [b, c] = ["b", "c"].map(|name| g.transient(name, 8192));
    let y = g.output("y", 256);
    g.task("make", &[read(x), write(t)]);
    g.task("first", &[read(t), write(a)]);
    g.task("up", &[read(a), write(b)]);
    g.task("over", &[read(b), write(c)]);
    g.task("down", &[read(c), write(d)]);
    let last = g.task("last", &[read(t), read(d), write(y)]);
    (g, t, last)
}

fn cost(model: &mut Model, kernel: &str, nanos: Option<u64>) {
    let cost = nanos.map(|nanos| Cost {
        nanos,
        text: format!("{nanos} ns"),
    });
    model.declared.costs.push((kernel.to_owned(), cost));
}

fn demand(g: &mut Graph, value: ResourceId, before: TaskId) {
    g.model.again.push(Again {
        value,
        before,
        label: "'z".to_owned(),
        site: Site(900),
        at: Site(901),
    });
}

#[test]
fn a_value_across_a_peak_is_made_again_where_peak_is_minimised() {
    let (g, ..) = valley(Class::Transient);
    let (kept, record) = plan(&g.model).unwrap();
    assert_eq!((kept.arena, kept.graph), (4096 + 2 * 8192, None));
    assert!(
        record
            .actions
            .iter()
            .any(|a| a.kind == "recompute" && !a.done)
    );

    let (mut g, ..) = valley(Class::Reconstructable);
    for kernel in ["make", "first", "up", "over", "down", "last"] {
        cost(&mut g.model, kernel, Some(1000));
    }
    let (open, record) = plan(&g.model).unwrap();
    // Nothing is traded unasked, and what could be is told.
    assert_eq!((open.arena, &open.graph), (kept.arena, &None));
    let again: Vec<_> = record
        .policy
        .rivals
        .iter()
        .filter(|r| !r.remade.is_empty())
        .collect();
    assert!(
        again.iter().any(|r| r.outcome == Outcome::NotAsked),
        "{record}"
    );

    minimize(&mut g.model, &[Metric::Peak]);
    let (plan, record) = plan(&g.model).unwrap();
    let graph = plan.graph.as_ref().expect("made again");
    assert_eq!(plan.arena, 256 + 2 * 8192, "{record}");
    assert_eq!(graph.model.tasks.len(), g.model.tasks.len() + 1);
    assert_eq!(run(&graph.model), run(&g.model));
    let text = record.to_string();
    for said in [
        "saves     3.7 KiB (3840 bytes): 20 KiB as it stands, 16.2 KiB (16640 bytes) with it",
        "construct  1 us of `make`",
        "inputs     0 ns: what it is made of is kept; 256 B read again",
        "`x` lives longer: until then, and else until `make`",
        "sync       0 ns: no wait and no event more",
        "workspace  0 ns: none",
        "in all     1 us",
        "1 value made again in each run",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

/// `t` is made of small inputs, and read before and behind large values; what is made again of it takes
/// the place of one of these on an order alone.
#[test]
fn a_plan_that_makes_again_and_orders_says_both_of_both() {
    let mut g = Graph::new("Both");
    let a = g.input("a", 2048);
    let b = g.input("b", 4096);
    let t = g.resource("t", Class::Reconstructable, Elem::U8, &[constant(1 << 21)]);
    let [big, big2, last] = ["big", "big2", "last"].map(|name| g.transient(name, 1 << 21));
    let [r, q, z] = ["r", "q", "z"].map(|name| g.output(name, 2048));
    g.task("outer", &[read(a), read(b), write(t)]);
    g.task("r", &[read(t), write(r)]);
    for (from, to) in [(t, big), (big, big2), (t, last)] {
        let name = g.model.resources[to.0 as usize].name.clone();
        let task = g.task(&name, &[read(from), write(to)]);
        g.in_place(task, 0);
        let sum = match () {
            () if to == big2 => q,
            () if to == last => z,
            () => continue,
        };
        let name = g.model.resources[sum.0 as usize].name.clone();
        g.task(&name, &[read(to), write(sum)]);
    }
    g.model.streams = 2;
    minimize(&mut g.model, &[Metric::Peak]);
    let (_, record) = plan(&g.model).unwrap();
    let taken = &record.policy.rivals[record.policy.plan];
    let conditions = record.aliases.iter().filter(|a| !a.condition.is_empty());
    assert!(
        !taken.remade.is_empty() && conditions.count() > 0,
        "{record}"
    );
    let of = |kind| record.actions.iter().find(|a| a.kind == kind).unwrap();
    let (conditioned, again) = (of("conditioned_alias"), of("recompute"));
    assert!(conditioned.done && again.done, "{record}");
    assert_eq!(conditioned.gives, again.gives, "{record}");
    for (own, other) in [(conditioned, "recompute"), (again, "conditioned alias")] {
        let said = format!("it is taken, and so much is what it gives together with {other}");
        assert!(own.why.starts_with(&said), "{record}");
    }
}

/// What comes of a demand to make a value again is told from an `order`, and from what data orders.
#[test]
fn orders_that_a_demand_to_make_again_takes_are_called_that() {
    let (mut g, t, last) = valley(Class::Reconstructable);
    demand(&mut g, t, last);
    let (_, record) = plan(&g.model).unwrap();
    let again = record.orders.iter().filter(|o| o.again).count();
    assert!(again > 0 && again == record.orders.len(), "{record}");
    let text = record.to_string();
    let count = format!("orders         {again} demanded, {again} of them by `recompute`");
    assert!(text.contains(&count), "{text}");
    assert!(
        text.contains(", so that what is made again comes late"),
        "{text}"
    );
    assert!(
        text.contains(" by dependencies and demanded orders alone"),
        "{text}"
    );
    assert!(!text.contains(" by dependencies alone"), "{text}");
}

#[test]
fn a_cost_that_is_not_known_blocks_the_time_and_is_no_default() {
    let (mut g, ..) = valley(Class::Reconstructable);
    cost(&mut g.model, "make", None);
    minimize(&mut g.model, &[Metric::Peak]);
    let (_, record) = plan(&g.model).unwrap();
    let text = record.to_string();
    assert!(
        text.contains("construct  blocked on the cost of `make`"),
        "{text}"
    );
    assert!(
        text.contains("in all     at least 0 ns, blocked on the cost of `make`"),
        "{text}"
    );
}

#[test]
fn a_demand_is_met_or_refused_with_what_stands_against_it() {
    let (mut g, t, last) = valley(Class::Reconstructable);
    demand(&mut g, t, last);
    let found = analyse(&g.model).unwrap();
    assert_eq!(found.plan.arena, 256 + 2 * 8192);
    let graph = found.plan.graph.as_ref().expect("made again");
    assert_eq!(run(&graph.model), run(&g.model));
    let text = found.record.to_string();
    assert!(
        text.contains("demanded       recompute `t` before `last`"),
        "{text}"
    );

    let refused = |g: &Graph| {
        let faults = analyse(&g.model).unwrap_err();
        assert_eq!(faults.len(), 1, "{faults:?}");
        faults[0].clone()
    };
    // No contract.
    let (mut plain, t, last) = valley(Class::Transient);
    demand(&mut plain, t, last);
    assert_eq!(
        (refused(&plain).code, refused(&plain).site),
        (NO_CONTRACT, Site(900))
    );
    // The first reader.
    let (mut early, t, last) = valley(Class::Reconstructable);
    demand(&mut early, t, TaskId(last.0 - 4));
    assert_eq!(
        (refused(&early).code, refused(&early).site),
        (NOT_READ_AGAIN, Site(901))
    );
    let (mut other, t, last) = valley(Class::Reconstructable);
    demand(&mut other, t, TaskId(last.0 - 1));
    assert_eq!(refused(&other).code, NOT_READ_AGAIN);
    // The input is as large as the value, and lives on for it.
    let (mut large, t, last) = valley(Class::Reconstructable);
    large.model.resources[0].shape = vec![constant(4096)];
    demand(&mut large, t, last);
    let fault = refused(&large);
    assert_eq!((fault.code, fault.site), (PEAK_RETURNS, Site(900)));
    assert!(
        fault
            .notes
            .iter()
            .any(|n| n.contains("`x` must live until then")),
        "{fault:?}"
    );
}

/// As [`valley`], with `s` in the place of the input, which the task `by` touches behind `make`.
fn touched(by: Mode) -> (Graph, ResourceId, TaskId) {
    let mut g = Graph::new("Touched");
    let x = g.input("x", 256);
    let s = g.transient("s", 256);
    let t = g.resource("t", Class::Reconstructable, Elem::U8, &[constant(4096)]);
    let y = g.output("y", 256);
    g.task("begin", &[read(x), write(s)]);
    g.task("make", &[read(s), write(t)]);
    let a = g.transient("a", 8192);
    g.task("first", &[read(t), write(a)]);
    g.task("touch", &[read(a), (s, by, Rows::All)]);
    let last = g.task("last", &[read(t), read(s), write(y)]);
    (g, t, last)
}

#[test]
fn what_is_gone_or_changed_by_then_is_told_apart() {
    for (by, code) in [
        (Mode::Overwrite, INPUT_GONE),
        (Mode::ReadWrite, INPUT_CHANGED),
    ] {
        let (mut g, t, last) = touched(by);
        let users = Users::new(&g.model);
        let cut = users.cuts(&g.model)[0];
        assert!(obstacle(&g.model, &users, cut).is_some());
        minimize(&mut g.model, &[Metric::Peak]);
        let (plan, record) = plan(&g.model).unwrap();
        assert_eq!(plan.graph, None);
        assert_eq!(record.policy.refused.len(), 1, "{record}");
        demand(&mut g, t, last);
        let faults = analyse(&g.model).unwrap_err();
        assert_eq!(
            (faults.len(), faults[0].code, faults[0].site),
            (1, code, Site(901))
        );
    }
    let (mut g, t, last) = valley(Class::Reconstructable);
    // The storage of the input is demanded for what lives behind `make`.
    let (s, d) = (g.transient("s", 256), ResourceId(3));
    g.model.tasks[1].accesses[0].resource = s;
    g.model.tasks.insert(1, g.model.tasks[1].clone());
    g.model.tasks[1].name = "begin".to_owned();
    g.model.tasks[1].accesses[0].resource = ResourceId(0);
    g.model.tasks[1].accesses[1].resource = s;
    g.alias(d, s);
    let last = TaskId(last.0 + 1);
    analyse(&g.model).unwrap();
    demand(&mut g, t, last);
    let faults = analyse(&g.model).unwrap_err();
    assert_eq!(
        (faults.len(), faults[0].code),
        (1, INPUT_GONE),
        "{faults:?}"
    );
}

#[test]
fn what_may_be_made_again_is_made_by_one_call_and_left_as_it_is() {
    let code = |g: &Graph| analyse(&g.model).unwrap_err()[0].code;
    let base = || {
        let mut g = Graph::new("Contract");
        let x = g.input("x", 256);
        let t = g.resource("t", Class::Reconstructable, Elem::U8, &[constant(256)]);
        (g, x, t)
    };
    let (mut g, x, t) = base();
    let y = g.output("y", 256);
    g.task("half", &[read(x), (t, Mode::Overwrite, rows(0, 128))]);
    g.task("rest", &[read(x), (t, Mode::Overwrite, rows(128, 256))]);
    g.task("last", &[read(t), write(y)]);
    assert_eq!(code(&g), NO_CONTRACT);
    let (mut g, x, t) = base();
    let y = g.output("y", 256);
    g.task("make", &[read(x), write(t)]);
    g.task("change", &[update(t)]);
    g.task("last", &[read(t), write(y)]);
    assert_eq!(code(&g), NOT_SAME);
    let (mut g, x, t) = base();
    let (y, s) = (
        g.output("y", 256),
        g.resource("s", Class::Inout, Elem::U8, &[constant(256)]),
    );
    g.task("make", &[read(x), update(s), write(t)]);
    g.task("last", &[read(t), write(y)]);
    assert_eq!(code(&g), NOT_SAME);
    let (mut g, _, t) = base();
    let y = g.output("y", 256);
    let copy = g.task("copy", &[read(ResourceId(0)), write(t)]);
    g.model.tasks[copy.0 as usize].kind = TaskKind::Copy;
    g.task("last", &[read(t), write(y)]);
    assert!(
        analyse(&g.model)
            .unwrap_err()
            .iter()
            .any(|f| f.code == NO_CONTRACT)
    );
}

/// Cuts of random graphs, one after the other: outputs stay as they were where nothing stood against
/// the cut, and differ where a cut was refused for what it would read.
#[test]
fn cuts_that_nothing_stands_against_change_no_output() {
    let (mut made, mut refused, mut differ) = (0, 0, 0);
    for seed in 0..1_500 {
        let mut rng = Rng(seed);
        let mut model = match rng.one_in(2) {
            true => again::graph(&mut rng),
            false => random::graph(&mut rng, 9).model,
        };
        mark(&mut model, &mut rng);
        let expected = run(&model);
        let mut at = Rewritten::of(&model);
        for _ in 0..4 {
            let users = Users::new(&at.model);
            let cuts = users.cuts(&at.model);
            let Ok(order) = Precedence::new(&at.model) else {
                break;
            };
            if cuts.is_empty() {
                break;
            }
            let cut = cuts[rng.below(cuts.len())];
            let against = obstacle(&at.model, &users, cut);
            let Some(next) = at.again(cut, &order) else {
                panic!("seed {seed}: nothing to make again")
            };
            let found = run(&next.model);
            let origin = |t: usize| &model.tasks[next.origin[t].0 as usize].kind;
            for (t, task) in next.model.tasks.iter().enumerate() {
                assert_eq!(&task.kind, origin(t), "seed {seed}");
            }
            match against {
                None => {
                    assert_eq!(found, expected, "seed {seed}");
                    made += 1;
                    at = next;
                }
                Some(Obstacle::Placed { .. }) => {}
                Some(_) => {
                    refused += 1;
                    differ += usize::from(found != expected);
                }
            }
        }
    }
    assert!(
        made > 150 && refused > 50 && differ > 25,
        "{made} {refused} {differ}"
    );
}

/// All graphs that any sequence of cuts leads to, with the arena that each takes at least of what the
/// search looks at first: as late as can be on all streams.
fn every(model: &Model, at: &Rewritten, arenas: &mut Vec<u64>, left: usize) {
    let ground = Ground::new(at.model.clone()).expect("no demands");
    let laid = ground.conditioned(at.late(), model.streams);
    arenas.extend(laid.map(|laid| laid.figures.arena));
    if left == 0 {
        return;
    }
    let order = Precedence::new(&at.model).expect("no cycle");
    let users = Users::new(&at.model);
    for cut in users.cuts(&at.model) {
        if obstacle(&at.model, &users, cut).is_none() {
            let next = at.again(cut, &order).expect("it can be made again");
            every(model, &next, arenas, left - 1);
        }
    }
}

/// What is chosen is the best of what was weighed, its figures are those of its layout, and with one
/// value made again at most nothing that is tried by hand is better.
#[test]
fn the_chosen_plan_is_the_best_of_all_single_cuts() {
    let (mut chosen, mut weighed) = (0, 0);
    for seed in 0..250 {
        let mut rng = Rng(seed);
        let mut model = again::graph(&mut rng);
        minimize(&mut model, &[Metric::Peak, Metric::Launches]);
        let (plan, record) = plan(&model).unwrap_or_else(|f| panic!("seed {seed}: {f:?}"));
        let policy = &record.policy;
        let best = policy.rivals.iter().map(|r| r.figures.arena).min();
        assert_eq!(Some(plan.arena), best, "seed {seed}");
        assert_eq!(
            plan.arena, policy.rivals[policy.plan].figures.arena,
            "seed {seed}"
        );
        assert_eq!(plan.arena, record.arena, "seed {seed}");
        let ends = plan.slots.iter().zip(&record.resources);
        let ends = ends.filter(|(_, r)| !r.class.persists() && r.class != Class::Staging);
        let end = ends.map(|(s, _)| s.offset + s.bytes).max().unwrap_or(0);
        assert!(end <= plan.arena, "seed {seed}");
        let greatest = record.peak.greatest.bounds.at_most;
        assert!(
            greatest <= plan.arena,
            "seed {seed}: {greatest} {}",
            plan.arena
        );
        let mut arenas = Vec::new();
        every(&model, &Rewritten::of(&model), &mut arenas, 1);
        weighed += arenas.len();
        let least = arenas.into_iter().min();
        assert!(
            Some(plan.arena) <= least || policy.cut,
            "seed {seed}: {least:?} {}",
            plan.arena
        );
        if let Some(graph) = &plan.graph {
            chosen += 1;
            assert_eq!(run(&graph.model), run(&model), "seed {seed}");
            assert!(plan.arena < policy.rivals[0].figures.arena, "seed {seed}");
        }
    }
    assert!(chosen > 50 && weighed > 400, "{chosen} {weighed}");
}

/// All searches of a plan share its work, so that one for values that are made again is none as long as
/// the others beside them.
#[test]
fn what_may_be_made_again_does_not_multiply_the_search() {
    let searched = |shape| {
        let mut model = large::graph(shape, 300).model;
        minimize(&mut model, &[Metric::Peak, Metric::CriticalPath]);
        let found = search(&Ground::new(model).expect("no demands"));
        (found.candidates.len(), found.cut)
    };
    let [without, with] = ["random", "random again"].map(searched);
    assert!(
        with.1 && with.0 <= without.0 * 3 / 2,
        "{without:?} {with:?}"
    );
}

/// Where no value gains that is made again alone, several are that do so together.
#[test]
fn values_that_gain_only_together_are_made_again_together() {
    let mut together = 0;
    for seed in 0..40 {
        let mut model = again::peaks(&mut Rng(seed));
        minimize(&mut model, &[Metric::Peak, Metric::Launches]);
        let (plan, record) = plan(&model).unwrap_or_else(|f| panic!("seed {seed}: {f:?}"));
        let least = |most| {
            let mut arenas = Vec::new();
            every(&model, &Rewritten::of(&model), &mut arenas, most);
            arenas.into_iter().min().expect("the graph itself is one")
        };
        let [none, one, two] = [0, 1, 2].map(least);
        assert!(plan.arena <= two, "seed {seed}: {two} {}", plan.arena);
        together += usize::from(two < none && one == none);
        if two < none {
            let graph = plan.graph.as_ref().expect("something is made again");
            assert_eq!(run(&graph.model), run(&model), "seed {seed}");
            let rival = &record.policy.rivals[record.policy.plan];
            assert!(two == one || rival.remade.len() > 1, "seed {seed}");
        }
    }
    assert!(together > 8, "{together}");
}

/// Whatever is minimised, programs of such graphs are as sound as others.
#[test]
fn programs_in_which_values_are_made_again_hold_in_every_execution() {
    let mut tally = Tally::default();
    for seed in 0..60 {
        let mut rng = Rng(seed);
        let model = again::graph(&mut rng);
        let before = dependencies(&model);
        policies(seed, &model, &before, &mut rng, &mut tally);
    }
    assert!(tally.remade > 20, "{tally:?}");
}

/// What would be made again of an input as large as itself gains nothing: told of each plan in which it is,
/// with and without an objective, and none of them is taken.
#[test]
fn a_value_that_is_not_demanded_is_kept_where_the_peak_returns() {
    let (mut g, ..) = valley(Class::Reconstructable);
    g.model.resources[0].shape = vec![constant(4096)];
    for asked in [&[][..], &[Metric::Peak], &[Metric::CriticalPath]] {
        g.model.declared.minimize = None;
        if !asked.is_empty() {
            minimize(&mut g.model, asked);
        }
        let (plan, record) = plan(&g.model).unwrap();
        let rivals = &record.policy.rivals;
        let again = rivals.iter().filter(|rival| !rival.remade.is_empty());
        let again: Vec<_> = again.collect();
        assert!(!again.is_empty(), "{record}");
        for rival in again {
            assert!(rival.figures.arena >= rivals[0].figures.arena, "{record}");
            assert_eq!(rival.outcome, Outcome::PeakReturns, "{record}");
        }
        assert_eq!((plan.arena, &plan.graph), (rivals[0].figures.arena, &None));
        let kind = record.actions.iter().find(|a| a.kind == "recompute");
        let kind = kind.unwrap();
        assert_eq!((kind.done, kind.gives), (false, None));
        assert_eq!(kind.why, "the peak returns wherever it was weighed");
        let text = record.to_string();
        let said = "    rejected  the peak returns: the arena is no smaller than as it stands\n";
        assert!(text.contains(said), "{text}");
    }
}
