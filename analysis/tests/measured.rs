//! Measured costs in plans and records.

mod common;

use common::again::graph;
use common::rng::Rng;
use common::{Graph, read, write};
use gpu_graph_analysis::declared::Cost;
use gpu_graph_analysis::digest::Digest;
use gpu_graph_analysis::fault::BLOCKED;
use gpu_graph_analysis::measured::{LaunchTime, Measured, Profile};
use gpu_graph_analysis::model::{Model, Site, TaskKind};
use gpu_graph_analysis::order::Precedence;
use gpu_graph_analysis::plan::plan;
use gpu_graph_analysis::policy::{Metric, Minimize, Weight, costs};
use gpu_graph_analysis::recompute::{Cut, Rewritten, Users, obstacle};

fn digest() -> Digest {
    Digest::parse("00000000000000aa").expect("16 digits")
}

/// A load and what is computed with it, one after the other; nothing is known of what the second
/// takes.
fn tile(profile: Option<Measured>) -> Graph {
    let mut g = Graph::new("Tile");
    let (buffer, out) = (g.transient("buf", 1024), g.output("out", 256));
    g.task("L", &[write(buffer)]);
    g.task("C", &[read(buffer), write(out)]);
    let (nanos, text) = (10_000, "10 us".to_owned());
    let declared = &mut g.model.declared;
    declared
        .costs
        .push(("L".to_owned(), Some(Cost { nanos, text })));
    declared.costs.push(("C".to_owned(), None));
    declared.minimize = Some(Minimize::Weights(vec![Weight {
        metric: Metric::CriticalPath,
        each: 1.0,
        per: 1,
        text: "1 / ns * critical_path".to_owned(),
        site: Site(7),
    }]));
    declared.profile = Some(Profile {
        file: "t.json".to_owned(),
        measured: profile,
        sources: vec![digest()],
    });
    g
}

fn launch(kernel: &str, [low, median, high]: [u64; 3]) -> LaunchTime {
    LaunchTime {
        kernel: kernel.to_owned(),
        dims: vec![4],
        count: 9,
        low,
        median,
        high,
    }
}

#[test]
fn what_is_measured_stands_before_what_is_declared() {
    let measured = Measured {
        device: "host".to_owned(),
        dims: vec![("n".to_owned(), 4)],
        runs: 9,
        program: digest(),
        launches: vec![launch("C", [1, 2, 3]), launch("L", [10, 20, 30])],
        of_task: vec![Some(1), Some(0)],
    };
    let (_, record) = plan(&tile(Some(measured)).model).unwrap_or_else(|f| panic!("{f:?}"));
    let figures = &record.policy.rivals[record.policy.plan].figures;
    assert_eq!((figures.critical_path, figures.at_least), (22, false));
    assert_eq!(record.identity.chosen.predicted.path, Some([11, 33]));
    let text = record.to_string();
    assert!(text.contains("`t.json`: 9 runs on host at n = 4; a cost is one at these dims"));
    assert!(text.contains("cost           `L` at [4]: 20 ns measured, 10 ns to 30 ns"));
    assert!(
        !text.contains("10 us") && !text.contains("cost unknown"),
        "{text}"
    );
}

#[test]
fn a_stale_profile_is_named_where_a_plan_is_blocked_on_costs() {
    let faults = plan(&tile(None).model).expect_err("nothing is known of `C`");
    let [fault] = &faults[..] else {
        panic!("{faults:?}")
    };
    assert_eq!((fault.code, fault.site), (BLOCKED, Site(7)));
    assert_eq!(fault.message, "the plan is blocked on the cost of `C`");
    let note = "the profile `t.json` is of another source, and not used";
    assert!(fault.notes.iter().any(|n| n == note), "{:?}", fault.notes);
}

/// Each task of `model` that launches something took a time of its own, which no other did.
fn timed(model: &Model) -> Profile {
    let launched = |t: usize| matches!(model.tasks[t].kind, TaskKind::Kernel(_));
    let all = 0..model.tasks.len();
    let launches = all.clone().map(|t| {
        let time = 100 + t as u64;
        launch(&model.tasks[t].name, [time - 1, time, time + 1])
    });
    let measured = Measured {
        device: "host".to_owned(),
        dims: Vec::new(),
        runs: 9,
        program: digest(),
        launches: launches.collect(),
        of_task: all.map(|t| launched(t).then_some(t as u32)).collect(),
    };
    Profile {
        file: "t.json".to_owned(),
        measured: Some(measured),
        sources: vec![digest()],
    }
}

#[test]
fn in_a_graph_that_makes_values_again_each_launch_costs_what_it_repeats() {
    let (mut again, mut weighed, mut taken) = (0, 0, 0);
    for seed in 0..200 {
        let mut rng = Rng(seed);
        let mut model = graph(&mut rng);
        model.declared.profile = Some(timed(&model));
        let known = costs(&model);
        // Whatever is made again, and that again.
        let mut at = Rewritten::of(&model);
        for _ in 0..4 {
            let order = Precedence::new(&at.model).expect("no cycle");
            let users = Users::new(&at.model);
            let open = users.cuts(&at.model).into_iter();
            let free = |cut: &Cut| obstacle(&at.model, &users, *cut).is_none();
            let open: Vec<_> = open.filter(free).collect();
            if open.is_empty() {
                break;
            }
            at = at
                .again(open[rng.below(open.len())], &order)
                .expect("it can be made again");
            let origins = at.origin.iter().map(|t| known[t.0 as usize]);
            assert_eq!(costs(&at.model), origins.collect::<Vec<_>>(), "seed {seed}");
            again += 1;
        }
        // And whatever the plan takes.
        model.declared.minimize = Some(Minimize::Order(vec![(Metric::Peak, Site(0))]));
        let (plan, record) = plan(&model).unwrap_or_else(|f| panic!("seed {seed}: {f:?}"));
        let sum = |costs: &mut dyn Iterator<Item = Option<u64>>| costs.flatten().sum::<u64>();
        let written = sum(&mut known.iter().copied());
        for rival in &record.policy.rivals {
            let makes = rival.remade.iter().map(|remade| {
                let at = model.tasks.iter().position(|t| t.name == remade.kernel);
                let took = at.and_then(|t| known[t]);
                assert_eq!(remade.construct, took, "seed {seed}");
                took
            });
            let more = sum(&mut makes.into_iter());
            assert_eq!(
                rival.figures.compute,
                written + more,
                "seed {seed}: {record}"
            );
            weighed += usize::from(more > 0);
        }
        if let Some(of) = &plan.graph {
            let origins = of.origin.iter().map(|t| known[t.0 as usize]);
            assert_eq!(costs(&of.model), origins.collect::<Vec<_>>(), "seed {seed}");
            taken += 1;
        }
    }
    assert!(
        again > 200 && weighed > 100 && taken > 40,
        "{again} {weighed} {taken}"
    );
}
