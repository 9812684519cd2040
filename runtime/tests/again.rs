//! What the planner makes again is proved to be what it was, and is not where a pair is another.

#[path = "../../analysis/tests/common/mod.rs"]
mod common;
#[path = "explain_support/mod.rs"]
mod support;

use common::again::graph;
use common::rng::Rng;
use gpu_graph_analysis::model::Site;
use gpu_graph_analysis::plan::plan;
use gpu_graph_analysis::policy::{Metric, Minimize};
use gpu_graph_runtime::table::Source;
use gpu_graph_runtime::verify::{Violation, verify};

#[test]
fn what_random_plans_make_again_is_proved_to_be_what_it_was() {
    let (mut proved, mut swapped) = (0, 0);
    for seed in 0..300 {
        let mut model = graph(&mut Rng(seed));
        model.declared.minimize = Some(Minimize::Order(vec![(Metric::Peak, Site(0))]));
        let (plan, _) = plan(&model).unwrap_or_else(|f| panic!("seed {seed}: {f:?}"));
        let Some(again) = &plan.graph else {
            continue;
        };
        let image = support::image(&again.model, &plan);
        let (source, program) = (image.source, image.program);
        assert_eq!(
            source.again.len(),
            again.model.tasks.len() - model.tasks.len()
        );
        assert_eq!(verify(source, program, &[]), Ok(()), "seed {seed}");
        proved += source.again.len();
        for (at, &(task, of)) in source.again.iter().enumerate() {
            // The task takes what another one does to be what it does again.
            let others = (0..source.tasks.len() as u32).filter(|t| *t != of && *t < task);
            for other in others {
                let mut pairs = source.again.to_vec();
                pairs[at].1 = other;
                let wrong = Source {
                    again: &pairs,
                    ..*source
                };
                let found = verify(&wrong, program, &[]);
                let entry = at as u32;
                let refused = [
                    Violation::NotAgain { task, of: other },
                    Violation::Original { entry },
                ];
                let chained = pairs
                    .iter()
                    .any(|(_, of)| pairs.iter().any(|(t, _)| t == of));
                let found = found.expect_err("another task");
                assert!(refused.contains(&found) || chained, "seed {seed}: {found}");
                swapped += 1;
            }
        }
    }
    assert!(proved > 50 && swapped > 200, "{proved} {swapped}");
}
