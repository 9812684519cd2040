//! Bounds of the logical peak against every execution.
//!
//! `cargo run --release -p gpu-graph-analysis --example peak -- brute 100000` judges more.

mod common;

use common::executions::extremes;
use common::peaks::{Seen, judge, judge_wide};
use common::rng::Rng;
use common::{large, random};
use gpu_graph_analysis::layout::sizes;
use gpu_graph_analysis::model::{Class, Model, Site, TaskId};
use gpu_graph_analysis::order::Precedence;
use gpu_graph_analysis::peak::{Effort, Item, peak, sequence};
use gpu_graph_analysis::plan::plan;
use gpu_graph_analysis::policy::{Ground, Metric, Minimize, search};

/// Orders judged here.
const ORDERS: u64 = 2_000;

#[test]
fn bounds_of_random_orders_agree_with_every_execution() {
    let mut seen = Seen::default();
    for seed in 0..ORDERS {
        judge(seed, 6, &mut seen);
    }
    println!("{seen:?}");
    let kinds = [
        seen.apart,
        seen.searched,
        seen.several,
        seen.between,
        seen.brackets,
    ];
    assert!(
        kinds.iter().all(|&n| n >= 20),
        "too few of a kind: {seen:?}"
    );
}

#[test]
fn bounds_of_series_parallel_and_layered_orders_agree_with_all_their_cuts() {
    for seed in 0..100 {
        judge_wide(seed, 11);
    }
}

#[test]
fn a_sequence_has_no_higher_peak_than_the_order_it_is_made_from_however_many_tasks_there_are() {
    let mut better = 0;
    for (seed, tasks) in (0..).zip([3, 20, 70, 300, 1_100]) {
        let mut rng = Rng(seed);
        // Values of which each task reads some of the last.
        let before = (0..tasks).map(|t: u32| {
            let near = (t.saturating_sub(9)..t).filter(|_| rng.below(3) == 0);
            near.collect::<Vec<u32>>()
        });
        let before: Vec<Vec<u32>> = before.collect();
        let items: Vec<Item> = (0..tasks)
            .map(|t| {
                let readers = (0..tasks).filter(|&r| before[r as usize].contains(&t));
                Item {
                    bytes: 1 + rng.below(99) as u64,
                    users: [t].into_iter().chain(readers).map(TaskId).collect(),
                    ..Item::default()
                }
            })
            .collect();
        let order = Precedence::of(before).expect("edges lead up");
        let given = order.sequence().iter().map(|&t| TaskId(t)).collect();
        let found = sequence(&order, &items, &Effort::SEQUENCE).tasks;
        let mut done = vec![false; tasks as usize];
        for &t in &found {
            let before = order.before(t).iter();
            assert!(before.clone().all(|&b| done[b as usize]), "{tasks} tasks");
            done[t.0 as usize] = true;
        }
        assert!(done.iter().all(|done| *done), "{tasks} tasks");
        let [given, found] = [given, found].map(|tasks: Vec<TaskId>| in_turn(&tasks, &items));
        assert!(found <= given, "{tasks} tasks: {found} of {given} bytes");
        better += usize::from(found < given);
    }
    assert!(better >= 3, "{better}");
}

#[test]
fn items_of_more_bytes_than_can_be_added_up_have_true_bounds() {
    let before = vec![vec![], vec![0], vec![1]];
    let order = Precedence::of(before).expect("edges lead up");
    let item = |bytes, task: u32, from_start| Item {
        bytes,
        users: vec![TaskId(task)],
        from_start,
        ..Item::default()
    };
    // At each of two tasks half of it is live.
    let halves: Vec<Item> = [0, 0, 2, 2].map(|t| item(1 << 61, t, false)).into();
    let found = peak(&order, &halves, &Effort::BUILD);
    assert!(found.greatest.at_least <= 1 << 62 && found.greatest.at_most >= 1 << 62);
    assert!(found.least.at_least <= 1 << 62 && found.least.at_most >= 1 << 62);
    // The sum of all is beyond what numbers can be.
    let three = vec![item(1 << 63, 0, true); 3];
    assert_eq!(sequence(&order, &three, &Effort::SEQUENCE).tasks.len(), 3);
    let found = peak(&order, &three, &Effort::BUILD);
    assert_eq!(found.greatest.at_most, u64::MAX);
}

/// The most that is live while the tasks run one after the other.
fn in_turn(tasks: &[TaskId], items: &[Item]) -> u64 {
    let mut at = vec![0; tasks.len()];
    for (place, task) in tasks.iter().enumerate() {
        at[task.0 as usize] = place;
    }
    let mut live = vec![0; tasks.len()];
    for item in items {
        let places = item.users.iter().map(|u| at[u.0 as usize]);
        let ends = (places.clone().min(), places.max());
        if let (Some(first), Some(last)) = ends {
            live[first..=last].iter_mut().for_each(|l| *l += item.bytes);
        }
    }
    live.into_iter().max().unwrap_or(0)
}

/// What the arena holds at a cut, from accesses and classes; `one` are pairs that lie in one slot.
fn live(model: &Model, one: &[(usize, usize)], (started, completed): (u32, u32)) -> u64 {
    let users = |r: usize| {
        let tasks = model.tasks.iter().enumerate();
        let uses =
            tasks.filter(move |(_, t)| t.accesses.iter().any(|a| a.resource.0 as usize == r));
        uses.map(|(t, _)| 1u32 << t)
    };
    let is_live = |r: usize| {
        let class = model.resources[r].class;
        let apart = matches!(class, Class::Resident | Class::Inout | Class::Staging);
        let over = class != Class::Output && users(r).all(|t| completed & t != 0);
        !apart && users(r).any(|t| started & t != 0) && !over
    };
    let bytes = sizes::all(model);
    let all: u64 = (0..bytes.len())
        .filter(|&r| is_live(r))
        .map(|r| bytes[r])
        .sum();
    let twice = one.iter().filter(|(x, y)| is_live(*x) && is_live(*y));
    all - twice.map(|(x, _)| bytes[*x]).sum::<u64>()
}

#[test]
fn records_of_random_graphs_have_the_peaks_of_every_execution() {
    let (mut merged, mut below) = (0, 0);
    for seed in 0..1_600 {
        let model = random::graph(&mut Rng(seed), 6).model;
        let Ok((plan, record)) = plan(&model) else {
            continue;
        };
        let order = Precedence::new(&model).unwrap_or_else(|_| panic!("seed {seed}"));
        let taken = record.aliases.iter().filter(|a| a.in_place.is_some());
        let taken = taken.map(|a| (a.earlier.0 as usize, a.later.0 as usize));
        let one: Vec<(usize, usize)> = taken.collect();
        let all = extremes(&order, |cut| live(&model, &one, cut));
        let (least, greatest) = (&record.peak.least, &record.peak.greatest);
        assert_eq!(least.bounds.exact(), Some(all.least), "seed {seed}");
        assert_eq!(greatest.bounds.exact(), Some(all.greatest), "seed {seed}");
        assert!(all.greatest <= plan.arena - record.padding, "seed {seed}");
        // The live sets have what is counted.
        let bytes = sizes::all(&model);
        for (figure, value) in [(least, all.least), (greatest, all.greatest)] {
            let slots = figure.live.iter().map(|parts| bytes[parts[0].0 as usize]);
            assert_eq!(slots.sum::<u64>(), value, "seed {seed}");
        }
        merged += usize::from(!one.is_empty());
        below += usize::from(all.greatest < plan.arena);
    }
    assert!(merged >= 10 && below >= 5, "{merged} {below}");
}

#[test]
fn every_plan_that_is_weighed_has_its_peaks_between_the_ends_that_are_said() {
    let (mut plans, mut exact, mut apart) = (0, 0, 0);
    for seed in 0..600 {
        let mut model = random::graph(&mut Rng(seed), 6).model;
        let minimize = Minimize::Order(vec![(Metric::Peak, Site(0))]);
        model.declared.minimize = (seed % 2 == 0).then_some(minimize);
        let Ok(ground) = Ground::new(model) else {
            continue;
        };
        for candidate in search(&ground).candidates {
            let of = candidate.remade.as_ref().map_or(&ground, |own| &own.ground);
            let plan = &candidate.realised;
            let taken = plan.ranges.groups.taken.iter();
            let one = taken.map(|m| (m.operand.0 as usize, m.result.0 as usize));
            let one: Vec<(usize, usize)> = one.collect();
            let all = extremes(&plan.order, |cut| live(&of.model, &one, cut));
            let [least, greatest] = plan.figures.peaks();
            let at = format!("seed {seed}, {:?}", candidate.kind);
            let between = |[low, high]: [u64; 2], value| low <= value && value <= high;
            assert!(between(least, all.least), "{at}: {least:?} {}", all.least);
            let said = format!("{at}: {greatest:?} {}", all.greatest);
            assert!(between(greatest, all.greatest), "{said}");
            plans += 1;
            exact += usize::from(least[0] == least[1] && greatest[0] == greatest[1]);
            apart += usize::from(all.greatest < greatest[1]);
        }
    }
    assert!(plans > 1_000 && exact > 100, "{plans} {exact} {apart}");
}

#[test]
fn the_peaks_of_the_plan_that_is_taken_lie_between_those_that_it_was_weighed_with() {
    for (at, shape) in large::SHAPES.into_iter().enumerate() {
        for tasks in [40, 300] {
            let mut model = large::graph(shape, tasks).model;
            let minimize = Minimize::Order(vec![(Metric::Peak, Site(0))]);
            model.declared.minimize = (at % 2 == 0).then_some(minimize);
            let Ok((_, record)) = plan(&model) else {
                panic!("{shape}: nothing is demanded");
            };
            let taken = &record.policy.rivals[record.policy.plan];
            let weighed = taken.figures.peaks();
            for ([low, high], [from, to]) in taken.peaks.into_iter().zip(weighed) {
                assert!(from <= low && high <= to, "{shape}: {taken:?}");
            }
            let [least, greatest, _] = record.peak.ends();
            assert_eq!(taken.peaks, [least, greatest], "{shape}");
        }
    }
}
