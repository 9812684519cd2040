//! Random graphs with variants, planned by the analysis: whatever a run chooses, it gives what the
//! tasks of that choice give one after another, and goes on from what the run before left.
//!
//! `GPU_GRAPH_CASES=20000 cargo test -p gpu-graph-runtime --test variants_random --release` runs more.

#[path = "common/mod.rs"]
mod common;
mod explain_support;
mod variants_support;

use std::sync::Arc;

use common::Rng;
use gpu_graph_runtime::driver::sim::SimDriver;
use gpu_graph_runtime::exec::Image;
use gpu_graph_runtime::graph::{Device, Graph, LoadError, RunError, host};
use gpu_graph_runtime::table::{Program, SLOT_ALIGN, Slot};
use variants_support::Family;

fn cases() -> u64 {
    let default = if cfg!(miri) { 2 } else { 400 };
    std::env::var("GPU_GRAPH_CASES").map_or(default, |n| n.parse().expect("a number of cases"))
}

/// Runs of each loaded graph.
const RUNS: usize = 10;

/// Runs variants in random turns; some runs are dropped in flight, some are forgotten, some panic.
fn check(family: &Family, images: &[Image], device: &Device, rng: &mut Rng) {
    let seed = family.seed;
    let mut graph = Graph::load_variants(device, images, &[]).expect("a graph");
    let mut state = family.zeros();
    let data: Vec<u8> = family.bytes(rng, family.resident);
    graph.set::<u8, _>(0, &data).expect("resident data");
    for run in 0..RUNS {
        let chosen = rng.below(family.variants.len());
        let inputs: Vec<Vec<u8>> = (family.inputs.iter())
            .map(|&len| family.bytes(rng, len))
            .collect();
        let fails = rng.one_in(12);
        let mut begin = graph.begin().variant(chosen);
        for input in &inputs {
            begin = begin.check::<u8, _>(input).expect("lengths fit");
        }
        let mut setup = begin.gate().expect("a gate");
        for input in &inputs {
            setup = match rng.below(3) {
                0 => setup.input::<u8, _>(input),
                1 => setup.input::<u8, _>(input.clone()),
                _ => setup.input::<u8, _>(Arc::<[u8]>::from(input.as_slice())),
            }
            .expect("lengths fit");
        }
        let run_of = setup.scalar(u8::from(fails)).start().expect("a start");
        if fails {
            let failed = run_of.wait().expect_err("told to panic");
            assert!(matches!(failed, RunError::Panicked { .. }), "seed {seed}");
            let next = rng.below(family.variants.len());
            let refused = graph.begin().variant(next).gate().map(drop);
            assert_eq!(refused, Err(RunError::Poisoned { graph: "Random" }));
            graph.reset().expect("a reset");
            state = family.zeros();
            continue;
        }
        let expected = family.sequential(chosen, &inputs, &data, &mut state);
        match rng.below(4) {
            0 => {}
            #[allow(
                clippy::forget_non_drop,
                reason = "that there is nothing to drop is the point"
            )]
            1 => std::mem::forget(run_of),
            _ => {
                for (nth, expected) in expected.iter().enumerate() {
                    let output = run_of.output::<u8>(nth).expect("an output");
                    let found = match rng.below(2) {
                        0 => output.to_vec(),
                        _ => output.detach().and_then(|kept| kept.to_vec()),
                    };
                    assert_eq!(found.as_ref(), Ok(expected), "seed {seed}, run {run}");
                }
            }
        }
    }
}

#[test]
fn random_variants_in_turns_give_the_sequential_results() {
    let mut variants = 0;
    for seed in 0..cases() {
        let family = Family::random(seed, false);
        variants += family.variants.len();
        let (images, mut rng) = (family.images(), Rng(seed));
        let sim = Arc::new(SimDriver::new(seed));
        check(&family, &images, &Device::with(sim.clone()), &mut rng);
        sim.drain();
        assert_eq!(sim.reports(), [], "seed {seed}");
        if seed % 4 == 0 {
            check(&family, &images, &host(), &mut rng);
        }
    }
    assert!(variants as u64 > 2 * cases());
}

/// Why images cannot be loaded as variants of one graph.
fn refused(images: &[Image]) -> Option<&'static str> {
    why(Graph::load_variants(&host(), images, &[]))
}

/// The same with the slots as they stand: those placed anew at load agree.
fn refused_as_planned(images: &[Image]) -> Option<&'static str> {
    // SAFETY: nothing is run.
    why(unsafe { Graph::load_unproved(&host(), images, &[]) })
}

fn why(loaded: Result<Graph, LoadError>) -> Option<&'static str> {
    match loaded {
        Ok(_) => None,
        Err(LoadError::Unsupported { what, .. }) => Some(what),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn variants_that_the_host_could_not_tell_apart_are_loaded_alone() {
    let (mut together, mut apart) = (0, 0);
    for seed in 0..cases() / 8 {
        let (a, b) = (Family::random(seed, false), Family::random(seed + 1, false));
        let one = a.images()[0];
        let same = (&a.inputs, &a.outputs, a.resident) == (&b.inputs, &b.outputs, b.resident);
        let found = refused(&[one, b.images()[0]]);
        let what = "its variants differ in what a run is given and gives";
        assert_eq!(found, (!same).then_some(what), "seed {seed}");
        apart += usize::from(!same);
        together += usize::from(refused(&[one, a.images()[1]]).is_none());
        // The resident input and the inout in another order.
        let reversed = Family::random(seed, true).images()[0];
        assert_eq!(refused(&[one, reversed]), Some(what));
        let what = "its variants differ in where they keep what outlives runs";
        let images = [one, kept_elsewhere(one)];
        assert_eq!(refused_as_planned(&images), Some(what));
        assert_eq!(refused(&images), None);
    }
    assert!(together > 0 && apart > 0);
    assert_eq!(refused(&[]), Some("it has no program"));
}

/// The same with all that outlives runs one slot further on.
fn kept_elsewhere(image: Image) -> Image {
    let resources = image.source.resources.iter().zip(image.program.slots);
    let slots = resources.map(|(r, slot)| Slot {
        offset: slot.offset + u64::from(r.class.persists()) * SLOT_ALIGN,
        ..*slot
    });
    let program = Program {
        store: image.program.store + SLOT_ALIGN,
        slots: slots.collect::<Vec<_>>().leak(),
        ..*image.program
    };
    Image {
        program: Box::leak(Box::new(program)),
        ..image
    }
}
