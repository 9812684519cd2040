//! In-place updates that a plan leaves, against all sets of them.

mod common;

use common::judge::policy::shared_in_turn;
use common::replay::replay;
use common::rng::Rng;
use common::updates::{left, stages};
use gpu_graph_analysis::model::Site;
use gpu_graph_analysis::plan::plan;
use gpu_graph_analysis::policy::{Kind, Metric, Minimize};

#[test]
fn the_plan_is_as_small_as_with_any_set_of_updates_left() {
    let (mut better, mut chosen) = (0, 0);
    for seed in 0..30 {
        let mut model = stages(&mut Rng(seed));
        let [least, all] = left(&model);
        let order = [Metric::Peak, Metric::AddedEdges].map(|metric| (metric, Site(0)));
        model.declared.minimize = Some(Minimize::Order(order.to_vec()));
        let (plan, record) = plan(&model).unwrap_or_else(|f| panic!("seed {seed}: {f:?}"));
        assert!(plan.arena <= least, "seed {seed}: {} {least}", plan.arena);
        better += usize::from(least < all);
        let rival = &record.policy.rivals[record.policy.plan];
        if let Kind::Leaving(pairs, _) = &rival.kind {
            chosen += 1;
            assert!(plan.arena < all, "seed {seed}: left for nothing");
            assert_eq!(record.left.len(), pairs.len(), "seed {seed}");
            let before = replay(model.tasks.len(), &plan, None).before;
            assert!(shared_in_turn(&model, &before, &plan), "seed {seed}");
            let text = record.to_string();
            assert!(text.contains("a plan without it is better"), "{text}");
        }
    }
    assert!(better > 10 && chosen == better, "{better} {chosen}");
}
