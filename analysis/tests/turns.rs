//! The plans of combinations of variants, which take turns in one memory.

mod common;

use common::rng::Rng;
use common::{Graph, random, read, write};
use gpu_graph_analysis::fault::{BUDGET, Fault};
use gpu_graph_analysis::model::{Class, Model, Region};
use gpu_graph_analysis::plan::plan;
use gpu_graph_analysis::variants::{Combination, analyse};
use gpu_graph_analysis::{Analysis, model::Site};

const NAMES: [&str; 3] = ["of=a", "of=b", "of=c"];

fn together(models: &[Model]) -> Result<Vec<Analysis>, Vec<Fault>> {
    let all = models.iter().zip(NAMES).map(|(model, name)| Combination {
        name,
        model: Some(model),
        faults: Vec::new(),
    });
    analyse(all.collect(), |site: Site| site)
}

/// Random graphs that are accepted alone, their resources in so many domains.
fn accepted(seeds: u64, domains: usize) -> Vec<Model> {
    let of_seed = |seed| {
        let mut rng = Rng(seed ^ 0xd0);
        let mut model = random::graph(&mut Rng(seed), 8).model;
        model.aliases.clear();
        model.domains = ["none", "red", "blue"].map(str::to_owned).into();
        for of in &mut model.resources {
            of.domain = rng.below(domains) as u8;
        }
        gpu_graph_analysis::analyse(&model).is_ok().then_some(model)
    };
    (0..seeds).filter_map(of_seed).collect()
}

/// What each region takes of its memory in one plan: the lowest byte, and one past the highest.
fn hull(of: &Analysis, model: &Model, region: Region) -> Option<(u64, u64)> {
    let plan = &of.plan;
    let base = if region.staging {
        plan.arena + plan.store
    } else {
        0
    };
    let slots = plan.slots.iter().zip(&model.resources);
    let inside =
        slots.filter(|(slot, of)| slot.bytes > 0 && !of.class.persists() && of.region() == region);
    let each = inside.map(|(slot, _)| (slot.offset - base, slot.offset - base + slot.bytes));
    each.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

#[test]
fn a_domain_has_one_place_in_all_combinations_and_no_more_than_the_largest_needs() {
    let (mut judged, mut reserved) = (0, 0);
    for (seed, models) in accepted(6000, 3).chunks_exact(3).enumerate() {
        let all = together(models).unwrap_or_else(|f| panic!("seed {seed}: {f:?}"));
        let alone = models
            .iter()
            .map(|model| plan(model).expect("it is planned with others"));
        let alone: Vec<_> = alone
            .map(|(plan, record)| Analysis { plan, record })
            .collect();
        for staging in [false, true] {
            let (mut end, mut sum) = (0, 0);
            for domain in 0..3 {
                let region = Region { staging, domain };
                let hulls = |of: &[Analysis]| -> Vec<_> {
                    let each = of.iter().zip(models);
                    each.filter_map(|(of, model)| hull(of, model, region))
                        .collect()
                };
                let (places, own) = (hulls(&all), hulls(&alone));
                let length = own.iter().map(|(from, to)| to - from).max().unwrap_or(0);
                let start = places.iter().map(|(from, _)| *from).min().unwrap_or(end);
                assert_eq!(start, end, "seed {seed} {region:?}: {places:?}");
                end = places.iter().map(|(_, to)| *to).max().unwrap_or(end);
                assert_eq!(end, start + length, "seed {seed} {region:?}");
                sum += length;
            }
            let of = |plan: &gpu_graph_analysis::plan::Plan| match staging {
                true => plan.pinned,
                false => plan.arena,
            };
            assert_eq!(
                all.iter().map(|of_| of(&of_.plan)).max(),
                Some(sum),
                "seed {seed}"
            );
        }
        for (found, alone) in all.iter().zip(&alone) {
            let more = found.plan.arena - alone.plan.arena;
            assert_eq!(found.record.reserved, more, "seed {seed}");
            assert_eq!(
                found.record.is_optimal(),
                alone.record.is_optimal(),
                "seed {seed}"
            );
            reserved += usize::from(more > 0);
        }
        judged += 1;
    }
    assert!(judged > 20 && reserved > 20, "{judged} {reserved}");
}

#[test]
fn without_domains_each_combination_is_planned_as_if_it_were_alone() {
    for (seed, models) in accepted(3000, 1).chunks_exact(2).enumerate() {
        let all = together(models).unwrap_or_else(|f| panic!("seed {seed}: {f:?}"));
        for (found, model) in all.iter().zip(models) {
            let (plan, record) = plan(model).expect("it is planned with others");
            assert_eq!(
                (&found.plan, found.record.to_string()),
                (&plan, record.to_string())
            );
        }
    }
}

/// Three values of whole pages at once, with lines between them where there is room.
fn padded() -> Graph {
    let mut g = Graph::new("G");
    let [a, b] = ["a", "b"].map(|name| g.transient(name, 1 << 20));
    let y = g.output("y", 1 << 20);
    g.task("fill", &[write(a), write(b)]);
    g.task("add", &[read(a), read(b), write(y)]);
    g
}

/// So many bytes on the host, and little in the arena.
fn staged(bytes: i64) -> Graph {
    let mut g = Graph::new("G");
    let x = g.input("x", 256);
    let s = g.transient("s", bytes);
    g.model.resources[s.0 as usize].class = Class::Staging;
    let y = g.output("y", 256);
    let [down, up] = [(x, s), (s, y)].map(|(from, to)| g.task("copy", &[read(from), write(to)]));
    for copy in [down, up] {
        g.model.tasks[copy.0 as usize].kind = gpu_graph_analysis::model::TaskKind::Copy;
    }
    g
}

#[test]
fn a_budget_has_room_for_the_most_of_each_that_any_combination_takes() {
    let bytes = 1 << 20;
    let at = |budget: u64| {
        let models = [padded(), staged(bytes)].map(|mut g| {
            g.budget(budget);
            g.model
        });
        together(&models)
    };
    let tight = 3 * bytes as u64 + bytes as u64;
    // Alone the first has room for lines between its slots, beside the second it has not.
    let all = at(tight).unwrap_or_else(|f| panic!("refused: {f:?}"));
    assert_eq!((all[0].plan.arena, all[0].record.padding), (3 << 20, 0));
    assert!(at(2 * tight).is_ok_and(|all| all[0].record.padding > 0));
    let faults = at(tight - 1).expect_err("nothing takes so little");
    // One for each combination, at the place of its own: the macro makes one of them.
    assert_eq!(faults.len(), 2);
    for fault in faults {
        assert_eq!(fault.code, BUDGET);
        assert_eq!(
            fault.message,
            "`G` needs 4 MiB of storage, more than its budget of 3.9 MiB (4194303 bytes)"
        );
        let note = fault.notes.last().expect("a note");
        assert_eq!(
            note,
            "a loaded graph takes the largest of each, whatever a run chooses: `of=a` needs an arena of 3 \
             MiB, `of=b` needs staging of 1 MiB"
        );
        let help = fault.help.expect("a help");
        assert!(help.contains("`budget 4 MiB;`"), "{help}");
    }
}
