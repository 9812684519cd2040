//! Plans do not depend on the order in which resources are declared.

mod common;

use common::random;
use common::rng::Rng;
use gpu_graph_analysis::model::{Model, ResourceId, Site};
use gpu_graph_analysis::plan::plan as planned;
use gpu_graph_analysis::policy::{Metric, Minimize};
use gpu_graph_analysis::record::Record;

/// The same graph with its resources declared in another order; `to[r]` is where r goes.
fn renumbered(model: &Model, to: &[u32]) -> Model {
    let id = |r: ResourceId| ResourceId(to[r.0 as usize]);
    let mut other = model.clone();
    for (r, resource) in model.resources.iter().enumerate() {
        other.resources[to[r] as usize] = resource.clone();
    }
    for access in other.tasks.iter_mut().flat_map(|t| &mut t.accesses) {
        access.resource = id(access.resource);
    }
    for pair in other.aliases.iter_mut().chain(&mut other.separate) {
        (pair.a, pair.b) = (id(pair.a), id(pair.b));
    }
    for stable in &mut other.stable {
        *stable = id(*stable);
    }
    other
}

fn minimized(kind: u64) -> Option<Minimize> {
    use Metric::{AddedEdges, CriticalPath, Launches, Peak};
    let order = |metrics: &[Metric]| {
        Some(Minimize::Order(
            metrics.iter().map(|m| (*m, Site(0))).collect(),
        ))
    };
    match kind % 6 {
        0 => None,
        1 => order(&[Peak]),
        2 => order(&[CriticalPath, AddedEdges, Peak]),
        3 => order(&[Peak, CriticalPath]),
        4 => order(&[Launches, AddedEdges, Peak]),
        _ => order(&[CriticalPath, Peak]),
    }
}

/// What a plan decides, but for where resources lie.
fn decided(record: &Record) -> impl PartialEq + use<> {
    let plans = record.policy.rivals.iter();
    let plans = plans.map(|rival| (rival.name.clone(), rival.figures.clone()));
    (
        (record.arena, record.added.clone(), record.streams),
        (record.stream_of.clone(), record.sequence.clone()),
        plans.collect::<Vec<_>>(),
    )
}

#[test]
fn the_order_of_declaration_decides_nothing_of_a_plan() {
    let mut judged = 0;
    for seed in 0..2400u64 {
        let mut rng = Rng(seed);
        let mut model = random::graph(&mut rng, 9).model;
        model.declared.minimize = minimized(seed);
        let Ok((plan, record)) = planned(&model) else {
            continue;
        };
        let mut to: Vec<u32> = (0..model.resources.len() as u32).collect();
        rng.shuffle(&mut to);
        let (other, others) = planned(&renumbered(&model, &to)).expect("the same is admitted");
        for (r, resource) in model.resources.iter().enumerate() {
            // The store has its slots in the order of declaration.
            let same = plan.slots[r] == other.slots[to[r] as usize];
            let name = &resource.name;
            assert!(same || resource.class.persists(), "seed {seed}, `{name}`");
        }
        assert!(decided(&record) == decided(&others), "seed {seed}");
        judged += 1;
    }
    assert!(judged > 2000, "{judged}");
}
