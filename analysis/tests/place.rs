//! Placements of random small problems of every kind, against the best of all placements, and
//! however the buffers are listed.
//!
//! `GPU_GRAPH_CASES=N` makes N problems of each kind.

#[path = "common/place/mod.rs"]
mod place_common;
#[path = "common/rng.rs"]
mod rng;

use gpu_graph_analysis::place::{Limits, Live, Placement, Problem, place};
use place_common::{Judge, random};
use rng::Rng;

/// Problems of each kind.
fn cases() -> u64 {
    let count = std::env::var("GPU_GRAPH_CASES").ok();
    count.and_then(|c| c.parse().ok()).unwrap_or(150)
}

fn solve(problem: &Problem) -> Placement {
    let limits = Limits {
        steps: Some(20_000_000),
        capacity: None,
    };
    place(problem, &limits).unwrap_or_else(|wrong| panic!("{wrong:?} {problem:?}"))
}

#[test]
fn small_problems_of_every_kind_are_placed_as_low_as_can_be() {
    for kind in random::KINDS {
        for seed in 0..cases() {
            let mut rng = Rng(seed);
            let problem = random::small(kind, &mut rng);
            let judge = Judge::new(&problem);
            let Some(best) = judge.optimum() else {
                // Fixed offsets that nothing can meet are refused, or else nothing is placed wrong.
                if let Ok(found) = place(&problem, &Limits::default()) {
                    panic!("{kind} {seed}: placed what cannot be: {found:?} {problem:?}");
                }
                continue;
            };
            let found = solve(&problem);
            judge.assert_holds(&found);
            assert_eq!(
                (found.peak, found.lower_bound),
                (best, best),
                "{kind} {seed} {problem:?}"
            );
        }
    }
}

#[test]
fn a_search_that_is_cut_short_claims_no_more_than_it_knows() {
    for kind in random::KINDS {
        for seed in 0..cases() / 3 {
            let problem = random::small(kind, &mut Rng(seed));
            let judge = Judge::new(&problem);
            let Some(best) = judge.optimum() else {
                continue;
            };
            for steps in [0, 1, 10, 50, 100, 200, 500, 1_000, 3_000, 10_000] {
                let limits = Limits {
                    steps: Some(steps),
                    capacity: None,
                };
                let found = place(&problem, &limits).expect("it can be placed");
                judge.assert_holds(&found);
                let within = found.lower_bound <= best && best <= found.peak;
                assert!(
                    within,
                    "{kind} {seed} {steps}: {found:?} {best} {problem:?}"
                );
            }
        }
    }
}

#[test]
fn the_order_of_buffers_and_the_names_of_threads_change_no_figure() {
    for kind in random::KINDS {
        for seed in 0..cases() / 5 {
            let mut rng = Rng(1000 + seed);
            let problem = random::medium(kind, &mut rng);
            let limits = Limits {
                steps: Some(300_000),
                capacity: None,
            };
            let Ok(found) = place(&problem, &limits) else {
                continue;
            };
            Judge::new(&problem).assert_holds(&found);
            for _ in 0..3 {
                let other = random::shuffled(&problem, &mut rng);
                let again = place(&other, &limits).expect("the same problem");
                Judge::new(&other).assert_holds(&again);
                let figures = |p: &Placement| (p.peak, p.lower_bound, p.optimal());
                assert_eq!(
                    figures(&found),
                    figures(&again),
                    "{kind} {seed} {problem:?}"
                );
            }
        }
    }
}

#[test]
fn a_capacity_is_met_without_more_effort_than_it_takes() {
    for seed in 0..cases() {
        let mut rng = Rng(seed);
        let problem = random::small("times", &mut rng);
        let best = solve(&problem).peak;
        for capacity in [best, best + 3, best.saturating_sub(1)] {
            let limits = Limits {
                capacity: Some(capacity),
                ..Limits::default()
            };
            let found = place(&problem, &limits).expect("no demands");
            Judge::new(&problem).assert_holds(&found);
            assert_eq!(found.peak <= capacity, capacity >= best);
            assert!(found.lower_bound <= best);
        }
    }
}

#[test]
fn a_problem_without_buffers_has_a_peak_of_0() {
    let live = Live::Times(vec![]);
    let problem = Problem {
        buffers: vec![],
        live,
        same: vec![],
        apart: vec![],
    };
    let found = solve(&problem);
    assert_eq!(
        (found.peak, found.lower_bound, found.offsets.len()),
        (0, 0, 0)
    );
}
