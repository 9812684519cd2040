//! Loading, step by step: what is refused, and that nothing is left behind.

mod facade_support;
#[path = "facade_support/failing.rs"]
mod failing;

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

use facade_support::*;
use failing::Failing;
use gpu_graph_runtime::driver::DriverError;
use gpu_graph_runtime::exec::{Code, Element, Executable, Image};
use gpu_graph_runtime::graph::{
    Begin, Detached, Device, Graph, IntoInput, LaneCore, LoadError, Output, Record, RunCore,
    RunError, Setup, host,
};
use gpu_graph_runtime::table::{Class, HostOp, Mode, Op, Program, Source};

#[test]
fn a_failing_step_leaves_nothing_behind() {
    let image = chain(2);
    // At the maxima the arena is that of the program.
    let n = MAX as usize;
    let mut staged = 0;
    for left in 0.. {
        let (failing, device) = Failing::device(left);
        match Graph::load(&device, image, &[MAX]) {
            Err(LoadError::OutOfMemory {
                graph: "Small",
                what: "arena",
                instances: 2,
                each,
                requested,
            }) => {
                assert_eq!(each * 2, requested);
                assert_eq!(each, image.program.arena);
            }
            Err(LoadError::OutOfMemory {
                what: "staging",
                each,
                requested,
                ..
            }) => {
                staged += 1;
                assert!(each == requested && each >= 4 * MAX);
            }
            Err(LoadError::Driver { source, .. }) => {
                assert_eq!(
                    source,
                    DriverError::OutOfMemory {
                        call: "instantiate",
                        requested: 0
                    }
                );
            }
            Err(other) => panic!("{other}"),
            Ok(mut graph) => {
                assert!(left > 5 && staged > 0, "{left} {staged}");
                failing.left.store(u64::MAX, SeqCst);
                let setup = graph
                    .begin()
                    .gate()
                    .unwrap()
                    .input::<u32, _>(vec![1u32; n])
                    .unwrap();
                let run = setup.scalar(3u32).start().unwrap();
                assert_eq!(run.output::<u32>(0).unwrap().to_vec(), Ok(vec![6; n]));
                drop(graph);
                assert_eq!(failing.given.load(SeqCst), 0);
                return;
            }
        }
        assert_eq!(failing.given.load(SeqCst), 0, "after {left} calls");
    }
}

#[test]
fn a_failing_step_of_detach_leaves_nothing_behind_and_the_graph_usable() {
    let (failing, device) = Failing::device(u64::MAX);
    let mut graph = Graph::load(&device, chain(1), &[4]).unwrap();
    let loaded = failing.given.load(SeqCst);
    for left in 0.. {
        let setup = graph
            .begin()
            .gate()
            .unwrap()
            .input::<u32, _>(&[1u32; 4])
            .unwrap();
        let run = setup.scalar(1u32).start().unwrap();
        let y = run.output::<u32>(0).unwrap();
        failing.left.store(left, SeqCst);
        let detached = y.detach();
        failing.left.store(u64::MAX, SeqCst);
        match detached {
            Err(RunError::Driver(DriverError::OutOfMemory { .. })) => {}
            Err(other) => panic!("{other}"),
            Ok(y) => {
                assert!(left > 4);
                drop(graph);
                assert_eq!(y.to_vec(), Ok(vec![2; 4]));
                assert_eq!((y.len(), y.is_empty()), (4, false));
                drop((y, device));
                assert_eq!(failing.given.load(SeqCst), 0);
                return;
            }
        }
        // The stream of copies stays with the device.
        assert!(failing.given.load(SeqCst) - loaded <= 1);
    }
}

/// H38: what one graph has mapped is no other's, however idle it is.
#[test]
fn h38_loaded_graphs_take_the_sum_of_their_arenas_and_not_the_largest() {
    let (failing, device) = Failing::device(u64::MAX);
    let load = || Graph::load(&device, chain(1), &[MAX]);
    let before = failing.room.load(SeqCst);
    let first = load().unwrap();
    let taken = before - failing.room.load(SeqCst);
    assert!(taken as u64 >= first.memory().total());
    // Room for one and a half.
    failing.room.store(taken / 2, SeqCst);
    let requested = first.memory().actual().arena;
    match load() {
        Err(LoadError::OutOfMemory {
            requested: asked, ..
        }) => assert_eq!(asked, requested),
        other => panic!("{other:?}"),
    }
    assert_eq!(
        failing.room.load(SeqCst),
        taken / 2,
        "nothing is left behind"
    );
    failing.room.store(taken, SeqCst);
    let second = load().unwrap();
    assert_eq!(failing.room.load(SeqCst), 0);
    drop((first, second));
    assert_eq!(failing.room.load(SeqCst), 2 * taken);
}

#[test]
fn dims_are_held_against_their_bounds() {
    let device = host();
    let load = |dims: &[u64]| Graph::load(&device, chain(1), dims).map(drop);
    let error = load(&[MAX + 1]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "dim `n` of `Small` is 65537, outside its declared bounds 0..=65536"
    );
    assert_eq!(
        load(&[]),
        Err(LoadError::DimCount {
            graph: "Small",
            given: 0,
            expected: 1
        })
    );
    assert_eq!(
        load(&[1, 2]).unwrap_err().to_string(),
        "`Small` has 1 dims, 2 were given"
    );
    assert_eq!(load(&[MAX]), Ok(()));
}

#[test]
fn at_smaller_dims_slots_are_placed_anew_and_a_claim_beyond_them_is_not_paid_for() {
    let image = chain(1);
    let program = Program {
        arena: 1 << 50,
        ..*image.program
    };
    let image = Image {
        program: Box::leak(Box::new(program)),
        ..image
    };
    let graph = Graph::load(&host(), image, &[1]).unwrap();
    let memory = graph.memory();
    assert_eq!((memory.planned().arena, memory.kept()), (1 << 50, None));
    assert!(memory.actual().arena <= 256 * image.source.resources.len() as u64);
}

#[test]
fn an_arena_without_room_is_refused_with_its_numbers() {
    let image = chain(1);
    let program = Program {
        arena: 1 << 50,
        ring: 2,
        ..*image.program
    };
    let source = Source {
        depth: 2,
        ..*image.source
    };
    let image = Image {
        source: Box::leak(Box::new(source)),
        program: Box::leak(Box::new(program)),
        ..image
    };
    // SAFETY: nothing is run.
    let error = unsafe { Graph::load_unproved(&host(), &[image], &[1]) }.unwrap_err();
    assert_eq!(
        error,
        LoadError::OutOfMemory {
            graph: "Small",
            what: "arena",
            requested: 1 << 51,
            instances: 2,
            each: 1 << 50,
        }
    );
}

/// The memory of an input may be shared with the caller, so no kernel may write it.
#[test]
fn a_task_that_writes_an_input_is_refused() {
    let mut b = Build::default();
    let x = b.input("x");
    let y = b.output("y");
    b.call(
        increment,
        &[(x, Mode::ReadWrite), (y, Mode::Overwrite)],
        &[],
    );
    let issue = [
        Op::Gate { event: 0 },
        launch(0, 0),
        launch(1, 0),
        Op::Record {
            event: 0,
            stream: 0,
        },
    ];
    let collect = [HostOp::Wait { event: 0 }, HostOp::Read { resource: y }];
    let image = b.finish(1, 1, &issue, &collect);
    assert_eq!(image.source.resources[x as usize].class, Class::Input);
    assert!(Graph::load(&host(), image, &[1]).is_err());
}

#[test]
fn code_must_be_there() {
    let image = chain(1);
    let short = Image {
        code: &image.code[..1],
        ..image
    };
    assert!(matches!(
        Graph::load(&host(), short, &[1]),
        Err(LoadError::Tables { .. })
    ));
    let image = in_place(Code {
        host: increment,
        in_place: None,
        cuda: None,
    });
    assert!(matches!(
        Graph::load(&host(), image, &[1]),
        Err(LoadError::Tables { .. })
    ));
}

#[test]
fn every_kind_of_input_is_taken() {
    fn sum<I: IntoInput<u32>>(graph: &mut Graph, x: I) -> u32 {
        let setup = graph.begin().check::<u32, _>(&x).unwrap().gate().unwrap();
        let run = setup
            .input::<u32, _>(x)
            .unwrap()
            .scalar(1u32)
            .start()
            .unwrap();
        run.output::<u32>(0)
            .unwrap()
            .as_slice()
            .unwrap()
            .iter()
            .sum()
    }
    let mut graph = Graph::load(&host(), chain(1), &[3]).unwrap();
    let array = [1u32, 2, 3];
    let shared: Arc<[u32]> = Arc::from(array);
    assert_eq!(sum(&mut graph, &array), 9);
    assert_eq!(sum(&mut graph, &array[..]), 9);
    let vector = array.to_vec();
    assert_eq!(sum(&mut graph, &vector), 9);
    assert_eq!(sum(&mut graph, vector), 9);
    assert_eq!(sum(&mut graph, Box::<[u32]>::from(array)), 9);
    assert_eq!(sum(&mut graph, &shared), 9);
    assert_eq!(sum(&mut graph, Arc::clone(&shared)), 9);
    assert_eq!(Arc::strong_count(&shared), 2);
    drop(graph);
    assert_eq!(Arc::strong_count(&shared), 1);
}

#[test]
fn handles_cross_threads() {
    fn both<T: Send + Sync>() {}
    fn each<T: Element>() {
        both::<Output<'static, T>>();
        both::<Detached<T>>();
    }
    each::<f32>();
    each::<u64>();
    both::<Device>();
    both::<Graph>();
    both::<LaneCore<'static>>();
    both::<Begin<'static>>();
    both::<Setup<'static>>();
    both::<RunCore<'static>>();
    both::<Record>();
    both::<LoadError>();
    both::<RunError>();
    static_assertions::assert_impl_all!(Executable: Send, Sync);
}
