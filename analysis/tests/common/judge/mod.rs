//! One random graph, judged in every respect. Shared by the tests and the `brute_force` example.

pub mod policy;
mod program;
mod storage;

use gpu_graph_analysis::alias::{Direction, Eligibility, direction, eligibility};
use gpu_graph_analysis::frontier::Frontiers;
use gpu_graph_analysis::model::{Model, ResourceId, TaskId};
use gpu_graph_analysis::order::Precedence;

use super::oracle::{Oracle, dependencies};
use super::random;
use super::rng::Rng;
pub use policy::policies;
use program::program;
use storage::{demanded, storage};

/// What was seen, so that a test can say that it saw something.
#[derive(Debug, Default)]
pub struct Tally {
    pub graphs: usize,
    pub cyclic: usize,
    pub unconditional: usize,
    pub in_place: usize,
    pub conditioned: usize,
    pub refused: usize,
    pub shared: usize,
    pub optimal: usize,
    pub searched: usize,
    pub demands_held: usize,
    pub demands_refused: usize,
    pub waits: usize,
    pub traded: usize,
    pub added: usize,
    pub remade: usize,
    pub better_left: usize,
    pub left: usize,
}

fn id(r: usize) -> ResourceId {
    ResourceId(r as u32)
}

/// Judges the graph of `seed`, of at most `tasks` tasks.
pub fn judge(seed: u64, tasks: usize, tally: &mut Tally) {
    let mut rng = Rng(seed);
    let mut model = random::graph(&mut rng, tasks).model;
    tally.graphs += 1;
    let before = dependencies(&model);
    let oracle = Oracle::new(&model, &before);
    let order = match Precedence::new(&model) {
        Ok(order) => order,
        Err(faults) => {
            assert!(!oracle.complete, "seed {seed}: refused, yet it can run");
            assert!(!faults.is_empty());
            tally.cyclic += 1;
            return;
        }
    };
    assert!(oracle.complete, "seed {seed}: accepted, yet it cannot run");
    let live = Frontiers::new(&model, &order);
    for a in 0..model.resources.len() {
        for b in 0..model.resources.len() {
            if a != b {
                pair(seed, &model, &before, &oracle, &order, &live, (a, b), tally);
            }
        }
    }
    storage(seed, &model, &oracle, &order, &live, tally);
    program(seed, &model, &before, tally);
    policies(seed, &model, &before, &mut rng, tally);
    // The same with random demands.
    for _ in 0..1 + rng.below(2) {
        let (a, b) = (
            rng.below(model.resources.len()),
            rng.below(model.resources.len()),
        );
        if a != b {
            let pair = gpu_graph_analysis::model::Pair {
                a: id(a),
                b: id(b),
                site: model.site,
            };
            if rng.one_in(3) {
                model.separate.push(pair);
            } else {
                model.aliases.push(pair);
            }
        }
    }
    demanded(seed, &model, &oracle, &order, &live, tally);
}

#[allow(
    clippy::too_many_arguments,
    reason = "all of them are the case at hand"
)]
fn pair(
    seed: u64,
    model: &Model,
    before: &[Vec<usize>],
    oracle: &Oracle,
    order: &Precedence,
    live: &Frontiers,
    (a, b): (usize, usize),
    tally: &mut Tally,
) {
    let at = format!("seed {seed}, r{a} and r{b}");
    let together = oracle.together[a][b];
    assert_eq!(live.interfere(id(a), id(b)), together, "{at}: interference");
    if !oracle.near(a, b) {
        let refused = matches!(
            eligibility(model, order, live, id(a), id(b)),
            Eligibility::Refused { .. }
        );
        assert!(refused, "{at}: memory of different regions");
        tally.refused += 1;
        return;
    }
    let way = direction(order, live, id(a), id(b));
    match &way {
        Direction::Holds => assert!(!together && !oracle.passed[b][a], "{at}: unsound"),
        Direction::With(edges) => {
            assert!(oracle.passed[a][b], "{at}: never possible");
            assert!(
                suffices(model, before, edges, (a, b)),
                "{at}: edges do not suffice"
            );
            for skip in 0..edges.len() {
                let mut fewer = edges.clone();
                fewer.remove(skip);
                assert!(
                    !suffices(model, before, &fewer, (a, b)),
                    "{at}: edge not needed"
                );
            }
        }
        Direction::Never(_) => assert!(!oracle.passed[a][b], "{at}: needlessly refused"),
    }
    let merged = oracle
        .in_place(model, a, b)
        .or(oracle.in_place(model, b, a));
    match eligibility(model, order, live, id(a), id(b)) {
        Eligibility::Unconditional { first } => {
            assert!(!together, "{at}: unsound");
            let then = if first == id(a) { id(b) } else { id(a) };
            assert_eq!(direction(order, live, first, then), Direction::Holds);
            tally.unconditional += 1;
        }
        Eligibility::InPlace { task, .. } => {
            assert_eq!(merged, Some(task.0 as usize), "{at}: unsound in place");
            tally.in_place += 1;
        }
        Eligibility::Conditioned { first, edges } => {
            assert!(together && merged.is_none(), "{at}: needlessly conditioned");
            let then = if first == id(a) { id(b) } else { id(a) };
            assert_eq!(direction(order, live, first, then), Direction::With(edges));
            tally.conditioned += 1;
        }
        Eligibility::Refused { .. } => {
            assert!(together && merged.is_none(), "{at}: needlessly refused");
            assert!(
                !oracle.passed[a][b] && !oracle.passed[b][a],
                "{at}: an edge would do"
            );
            tally.refused += 1;
        }
    }
}

/// Whether with `edges` added everything still completes and `a` is always over before `b` begins.
fn suffices(
    model: &Model,
    before: &[Vec<usize>],
    edges: &[(TaskId, TaskId)],
    (a, b): (usize, usize),
) -> bool {
    let mut more = before.to_vec();
    for (from, to) in edges {
        more[to.0 as usize].push(from.0 as usize);
    }
    let oracle = Oracle::new(model, &more);
    oracle.complete && !oracle.together[a][b] && oracle.passed[a][b]
}
