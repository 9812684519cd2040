//! A graph whose slots hold as they are planned, and not as a load places them anew: the verifier finds
//! that before anything runs, and the plan serves.

mod facade_support;
#[path = "facade_support/margin.rs"]
mod margin;

use std::sync::Arc;

use facade_support::*;
use gpu_graph_runtime::exec::{Executable, Image, Placement, Storage, Tables};
use gpu_graph_runtime::graph::{Graph, Kept, host};
use gpu_graph_runtime::report::{Decision, LoadReport};
use gpu_graph_runtime::table::*;
use gpu_graph_runtime::verify::{Violation, verify};
use margin::{ADDED, LAST, MARGINED, behind_a_margin};

/// What the verifier finds: another took the margin before it is read.
const FOUND: Violation = Violation::Absent {
    task: LAST,
    resource: MARGINED,
};

/// What a run of the graph gives.
fn run(graph: &mut Graph, x: &[u32]) -> Vec<u32> {
    let setup = graph.begin().gate().unwrap();
    let setup = setup.input::<u32, _>(x.to_vec()).unwrap();
    let run = setup.start().unwrap();
    run.output::<u32>(1).unwrap().to_vec().unwrap()
}

#[test]
fn slots_that_do_not_verify_are_refused_and_the_plan_runs() {
    let image = behind_a_margin();
    for n in [1, 5, 1000, MAX - 64] {
        let mut graph = Graph::load(&host(), image, &[n]).unwrap();
        let memory = graph.memory();
        assert_eq!(memory.kept(), Some(Kept::Refused(FOUND)), "{memory}");
        assert_eq!(memory.actual(), memory.planned());
        let [one] = memory.variants() else {
            panic!("{memory}")
        };
        assert_eq!(one.guard, Some(Err(FOUND)));
        assert!(one.fitted < one.planned && one.planned == image.program.arena);
        let text = memory.to_string();
        assert!(
            text.contains("the verifier refused smaller slots"),
            "{text}"
        );
        assert!(text.contains("used, and verified at these dims"), "{text}");
        let load = memory.report();
        assert_eq!(LoadReport::from_json(&load.to_json()).as_ref(), Ok(&load));
        let found = FOUND.to_string();
        let [told] = &load.programs[..] else {
            panic!("{load:?}")
        };
        assert_eq!(
            told.guard.as_ref().and_then(|g| g.fired.as_ref()),
            Some(&found)
        );
        assert!(told.fallback && told.needed_arena_bytes == one.fitted);
        let refused = |of: &Decision| matches!(of, Decision::Refused { program: 0, violation } if *violation == found);
        assert!(refused(&load.decision), "{load:?}");
        // Skip the check, and this is what goes wrong.
        let x: Vec<u32> = (0..n as u32).collect();
        let expected: Vec<u32> = x.iter().map(|x| x + ADDED).collect();
        assert_eq!(run(&mut graph, &x), expected);
    }
    let mut largest = Graph::load(&host(), image, &[MAX]).unwrap();
    assert_eq!(largest.memory().kept(), Some(Kept::NothingGained));
    assert_eq!(
        run(&mut largest, &vec![7; MAX as usize]),
        vec![7 + ADDED; MAX as usize]
    );
}

/// Runs task after task on this thread with those slots, proved or not.
fn unchecked(image: Image, n: u64, placement: Placement, x: &[u32]) -> Vec<u32> {
    let bytes = placement.of(image.program).arena as usize;
    let tables = Tables::placed(image, &[n], placement).unwrap();
    let mut arena = vec![0u8; bytes + SLOT_ALIGN as usize];
    let start = arena.as_mut_ptr();
    let start = start.wrapping_add(start.align_offset(SLOT_ALIGN as usize));
    let storage = Storage::arena(start);
    // SAFETY: the arena is as long as the placement asks, aligned and initialised, and lives until the
    // end. One task runs at a time, each access is inside of its slot, as `Tables` has seen, and no task
    // has two that overlap.
    let z = unsafe {
        let one = Executable::new(Arc::new(tables), 0, storage, true, Arc::new(()));
        one.set_input(0, x.as_ptr().cast(), None);
        for op in image.program.issue {
            if let Op::Launch { task, form, .. } = *op {
                one.call(task, form);
            }
        }
        std::slice::from_raw_parts(one.base(4).cast::<u32>(), one.bytes(4) / 4)
    };
    z.to_vec()
}

#[test]
fn without_the_check_the_slots_placed_anew_would_give_something_else() {
    let image = behind_a_margin();
    let x: Vec<u32> = (10..110).collect();
    let n = x.len() as u64;
    let expected: Vec<u32> = x.iter().map(|x| x + ADDED).collect();
    let planned = Placement::planned(image.program);
    assert_eq!(unchecked(image, n, planned, &x), expected);
    let fitted = Placement::fitted(&[image], &[n]).unwrap().remove(0);
    let refused = verify(image.source, &fitted.of(image.program), &[n]);
    assert_eq!(refused, Err(FOUND));
    assert_ne!(unchecked(image, n, fitted, &x), expected);
}
