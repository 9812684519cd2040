//! The plan and its placement at load leave the same room behind slots.

#[path = "../../analysis/tests/common/mod.rs"]
mod common;
mod explain_support;

use common::rng::Rng;
use common::{Graph, random, read, write};
use explain_support::image;
use gpu_graph_analysis::plan::plan;
use gpu_graph_runtime::exec::Placement;
use gpu_graph_runtime::table::Slot;
use gpu_graph_runtime::verify::verify;

/// Three buffers of `bytes`, none of which can lie where another does.
fn stack(bytes: i64) -> Graph {
    let mut g = Graph::new("Stack");
    let [a, b] = ["a", "b"].map(|name| g.transient(name, bytes));
    let y = g.output("y", bytes);
    g.task("fill", &[write(a), write(b)]);
    g.task("add", &[read(a), read(b), write(y)]);
    g
}

#[test]
fn at_the_maxima_slots_are_placed_where_the_plan_has_them() {
    const PAGE: i64 = 4096;
    let pages = [
        1,
        3,
        4,
        5,
        15,
        16,
        17,
        255,
        256,
        1_103,
        1_104,
        1_105,
        4096,
        1 << 17,
    ];
    let sizes = pages
        .into_iter()
        .flat_map(|n| [-256, -1, 0, 1, 256].map(|by| n * PAGE + by));
    let mut padded = 0;
    for bytes in sizes {
        let model = stack(bytes).model;
        let (plan, record) = plan(&model).unwrap_or_else(|f| panic!("refused: {f:?}"));
        let image = image(&model, &plan);
        let fitted = Placement::fitted(&[image], &[]).unwrap();
        let placed = fitted[0].of(image.program);
        let offsets = |slots: &[Slot]| slots.iter().map(|s| s.offset).collect::<Vec<_>>();
        assert_eq!(placed.arena, plan.arena, "{bytes} bytes");
        let planned = offsets(image.program.slots);
        assert_eq!(offsets(placed.slots), planned, "{bytes} bytes");
        padded += usize::from(record.padding > 0);
    }
    assert!(padded > 20, "{padded}");
}

#[test]
fn whatever_is_placed_anew_is_proved_and_never_larger() {
    let (mut placed, mut smaller) = (0, 0);
    for seed in 0..1_600 {
        let model = random::graph(&mut Rng(seed), 12).model;
        // The tables here have no products of dims.
        let flat = model.dims.iter().any(|dim| !dim.is_declared());
        let Ok((plan, _)) = plan(&model) else {
            continue;
        };
        if flat {
            continue;
        }
        let image = image(&model, &plan);
        for height in [4, 5, 8, 9] {
            let dims = [height, 1];
            let dims = &dims[..model.dims.len()];
            // Not every random graph is right.
            if verify(image.source, image.program, dims).is_err() {
                continue;
            }
            let fitted = Placement::fitted(&[image], dims).unwrap();
            let program = fitted[0].of(image.program);
            let verified = verify(image.source, &program, dims);
            assert_eq!(verified, Ok(()), "seed {seed} at {dims:?}");
            assert!(
                program.arena <= plan.arena
                    && program.store <= plan.store
                    && program.pinned <= plan.pinned
            );
            placed += 1;
            smaller += u32::from(program.arena < plan.arena);
        }
    }
    assert!(placed > 400 && smaller > 200, "{placed} {smaller}");
}
