//! Executables of the host driver: failures, waits inside kernels, dropping and forgetting.

mod common;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use common::graph::Graph;
use common::kernels::PANIC;
use common::load::{Loaded, inputs};
use common::random;
use gpu_graph_runtime::driver::host::HostDriver;
use gpu_graph_runtime::driver::sim::SimDriver;
use gpu_graph_runtime::driver::{Driver, DriverError, Exec};
use gpu_graph_runtime::exec::{Args, Code, Executable, Image, Storage, Tables};
use gpu_graph_runtime::table::{Class, Form, Mode, Op, Slot, TaskKind};

fn host() -> Arc<dyn Driver> {
    Arc::new(HostDriver::new())
}

fn both() -> [Arc<dyn Driver>; 2] {
    [host(), Arc::new(SimDriver::new(1))]
}

/// Two streams. Stream 1 panics in a run whose parameter is 0; stream 0 then waits for it and
/// reads its result.
fn panicking() -> Graph {
    let mut graph = Graph {
        ring: 1,
        streams: 2,
        events: 2,
        last: vec![1],
        arena: 768,
        ..Graph::default()
    };
    let a = graph.resource(Class::Transient, 4);
    let b = graph.resource(Class::Output, 4);
    let t = graph.all(a, Mode::Overwrite);
    graph.task(PANIC, 1, vec![t]);
    let touches = vec![graph.all(a, Mode::Read), graph.all(b, Mode::Overwrite)];
    graph.task(1, 2, touches);
    graph.slots = vec![
        Slot {
            offset: 0,
            bytes: 256,
        },
        Slot {
            offset: 256,
            bytes: 256,
        },
    ];
    let form = Form::Apart;
    graph.issue = vec![
        Op::Launch {
            task: 0,
            stream: 1,
            form,
        },
        Op::Record {
            event: 0,
            stream: 1,
        },
        Op::Wait {
            stream: 0,
            event: 0,
        },
        Op::Launch {
            task: 1,
            stream: 0,
            form,
        },
        Op::Record {
            event: 1,
            stream: 0,
        },
    ];
    graph
}

#[test]
fn a_panic_fails_its_run_and_no_other() {
    let graph = panicking();
    for driver in both() {
        let loaded = Loaded::new(&driver, &graph);
        let neighbour = Loaded::new(&driver, &graph);
        for generation in 1..=6 {
            let param = generation % 2;
            loaded.start(0, generation, &[], param).expect("a start");
            let error = loaded.finish(0, generation).err();
            if param == 0 {
                let message = "told to panic".to_owned();
                assert_eq!(error, Some(DriverError::Panicked { task: 0, message }));
            } else {
                assert_eq!(error, None);
                assert!(loaded.check(0, &[], param));
            }
            neighbour.start(0, generation, &[], 1).expect("a start");
            assert_eq!(neighbour.finish(0, generation), Ok(()));
        }
    }
}

#[test]
fn starts_and_waits_that_make_no_sense_are_refused() {
    let graph = panicking();
    for driver in both() {
        let loaded = Loaded::new(&driver, &graph);
        let refused = |r: Result<(), DriverError>| {
            assert!(matches!(r, Err(DriverError::Invalid { .. })), "{r:?}");
        };
        refused(loaded.start(0, 0, &[], 1));
        refused(loaded.start(0, 2, &[], 1));
        // SAFETY: refused before anything is issued.
        refused(unsafe { loaded.exec.start(1, 1) });
        refused(loaded.exec.wait(0, 1, 1));
        refused(loaded.exec.wait(1, 1, 1));
        loaded.start(0, 1, &[], 1).expect("a start");
        refused(loaded.start(0, 1, &[], 1));
        refused(loaded.exec.wait(0, 1, 9));
        refused(loaded.exec.wait(0, 2, 1));
        assert!(!loaded.exec.query(0, 2, 1));
        assert_eq!(loaded.finish(0, 1), Ok(()));
    }
}

#[test]
fn tables_that_do_not_fit_each_other_are_refused() {
    let driver = host();
    let good = panicking();
    let loaded = Loaded::new(&driver, &good);
    let refused = |change: &dyn Fn(&mut Graph)| {
        let mut graph = good.clone();
        change(&mut graph);
        let Ok(tables) = Tables::resolve(graph.image(), &[]) else {
            return;
        };
        let arena = loaded.instances[0].base(0);
        let keep = Arc::clone(&loaded.instances[0]);
        // SAFETY: never started.
        let answer = unsafe {
            let one = Executable::new(Arc::new(tables), 0, Storage::arena(arena), true, keep);
            driver.instantiate(vec![Arc::new(one)])
        };
        assert!(
            matches!(answer, Err(DriverError::Invalid { .. })),
            "{answer:?}"
        );
    };
    refused(&|g| g.ring = 2);
    refused(&|g| g.streams = 0);
    refused(&|g| g.streams = 17);
    refused(&|g| g.streams = 1);
    refused(&|g| g.events = 1);
    // SAFETY: never started.
    let none = unsafe { driver.instantiate(Vec::new()) };
    assert!(matches!(none, Err(DriverError::Invalid { .. })));
}

#[test]
fn instances_take_turns_where_a_program_waits_for_the_previous_run() {
    let mut graph = panicking();
    graph.ring = 2;
    graph.issue.insert(
        0,
        Op::WaitPrev {
            stream: 1,
            event: 1,
        },
    );
    for driver in both() {
        let loaded = Loaded::new(&driver, &graph);
        assert!(matches!(
            loaded.start(1, 1, &[], 1),
            Err(DriverError::Invalid { .. })
        ));
        for run in 0..10 {
            let (instance, generation) = (run % 2, u64::from(run / 2) + 1);
            loaded
                .start(instance, generation, &[], 1)
                .expect("its turn");
            if run > 0 {
                let (before, of) = ((run - 1) % 2, u64::from((run - 1) / 2) + 1);
                assert_eq!(loaded.finish(before, of), Ok(()));
            }
        }
    }
}

/// What a kernel tried from inside, and what it was told.
static TOLD: Mutex<Vec<DriverError>> = Mutex::new(Vec::new());
/// The device that a kernel asks, and the program it is part of.
type Asked = Option<(Arc<dyn Driver>, Arc<dyn Exec>)>;

static INSIDE: Mutex<Asked> = Mutex::new(None);

fn meddling(args: &mut Args<'_>) {
    args.write::<u64>().fill(1);
    let (driver, exec) = INSIDE.lock().unwrap().clone().expect("set before the run");
    let event = driver.create_event().expect("no wait");
    let mut told = TOLD.lock().unwrap();
    told.extend(exec.wait(0, 1, 0).err());
    told.extend(driver.synchronize(event).err());
    // SAFETY: refused.
    told.extend(unsafe { exec.start(0, 2) }.err());
    assert!(!exec.query(0, 1, 0));
}

static MEDDLING: [Code; 8] = [Code {
    host: meddling,
    in_place: None,
    cuda: None,
}; 8];

#[test]
fn waiting_or_starting_inside_a_kernel_is_a_typed_error() {
    for streams in [1, 2] {
        let mut graph = Graph {
            ring: 1,
            streams,
            events: 1,
            arena: 256,
            ..Graph::default()
        };
        let a = graph.resource(Class::Output, 4);
        let touches = vec![graph.all(a, Mode::Overwrite)];
        graph.task(0, 1, touches);
        graph.slots = vec![Slot {
            offset: 0,
            bytes: 256,
        }];
        let stream = streams - 1;
        let form = Form::Apart;
        graph.issue = vec![
            Op::Launch {
                task: 0,
                stream,
                form,
            },
            Op::Record { event: 0, stream },
        ];
        for driver in both() {
            let image = Image {
                code: &MEDDLING,
                ..graph.image()
            };
            let tables = Arc::new(Tables::resolve(image, &[]).expect("tables"));
            let arena = Arc::new(common::load::Arena::new(&driver, 256));
            let (start, unified) = (arena.start(), driver.info().unified);
            // SAFETY: the arena is large enough and kept; one task touches it.
            let exec: Arc<dyn Exec> = unsafe {
                let one = Executable::new(tables, 0, Storage::arena(start), unified, arena);
                Arc::from(
                    driver
                        .instantiate(vec![Arc::new(one)])
                        .expect("an executable"),
                )
            };
            *INSIDE.lock().unwrap() = Some((Arc::clone(&driver), Arc::clone(&exec)));
            // SAFETY: the first run, without inputs.
            unsafe { exec.start(0, 1) }.expect("a start");
            exec.wait(0, 1, 0).expect("the end");
            assert_eq!(exec.failure(0), None);
            *INSIDE.lock().unwrap() = None;
            let told = std::mem::take(&mut *TOLD.lock().unwrap());
            let all = |e: &DriverError| matches!(e, DriverError::InsideKernel { .. });
            assert_eq!(told.len(), 3);
            assert!(told.iter().all(all), "{told:?}");
        }
    }
}

/// Notes its drop.
struct Keep(Arc<AtomicU64>);

impl Drop for Keep {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn slow(args: &mut Args<'_>) {
    std::thread::sleep(Duration::from_millis(if cfg!(miri) { 1 } else { 30 }));
    args.write::<u64>().fill(3);
}

static SLOW: [Code; 8] = [Code {
    host: slow,
    in_place: None,
    cuda: None,
}; 8];

/// An executable whose one task is slow and runs on a worker, and the count of dropped arenas.
fn in_flight(driver: &Arc<dyn Driver>) -> (Box<dyn Exec>, Arc<AtomicU64>) {
    let mut graph = Graph {
        ring: 1,
        streams: 2,
        events: 1,
        arena: 256,
        ..Graph::default()
    };
    let a = graph.resource(Class::Output, 32);
    let touches = vec![graph.all(a, Mode::Overwrite)];
    graph.task(0, 1, touches);
    assert_eq!(graph.tasks[0].kind, TaskKind::Kernel(0));
    graph.slots = vec![Slot {
        offset: 0,
        bytes: 256,
    }];
    let form = Form::Apart;
    graph.issue = vec![
        Op::Launch {
            task: 0,
            stream: 1,
            form,
        },
        Op::Record {
            event: 0,
            stream: 1,
        },
    ];
    let image = Image {
        code: &SLOW,
        ..graph.image()
    };
    let tables = Arc::new(Tables::resolve(image, &[]).expect("tables"));
    let gone = Arc::new(AtomicU64::new(0));
    let arena = common::load::Arena::new(driver, 256);
    let start = arena.start();
    let keep = Arc::new((arena, Keep(Arc::clone(&gone))));
    // SAFETY: the arena is large enough and kept; one task touches it.
    let exec = unsafe {
        let one = Executable::new(tables, 0, Storage::arena(start), true, keep);
        driver
            .instantiate(vec![Arc::new(one)])
            .expect("an executable")
    };
    // SAFETY: the first run, without inputs.
    unsafe { exec.start(0, 1) }.expect("a start");
    (exec, gone)
}

fn wait_for(count: &AtomicU64) {
    let until = Instant::now() + Duration::from_secs(60);
    while count.load(Ordering::SeqCst) == 0 {
        assert!(Instant::now() < until, "the arena never went");
        std::thread::yield_now();
    }
}

#[test]
fn h07_a_drop_in_flight_does_not_wait_and_the_arena_goes_last() {
    let driver = host();
    let (exec, gone) = in_flight(&driver);
    // The run is in the middle of its kernel, and the arena is there until that ends.
    assert!(!exec.query(0, 1, 0) || cfg!(miri));
    drop(exec);
    drop(driver);
    wait_for(&gone);
    assert_eq!(gone.load(Ordering::SeqCst), 1);
}

#[test]
#[cfg_attr(
    miri,
    ignore = "forgets threads, which the interpreter counts as leaked"
)]
fn h08_forgetting_everything_in_flight_is_sound() {
    let driver = host();
    let (exec, gone) = in_flight(&driver);
    std::mem::forget(exec);
    std::mem::forget(driver);
    std::thread::sleep(Duration::from_millis(60));
    assert_eq!(gone.load(Ordering::SeqCst), 0);
}

#[test]
fn graphs_dropped_at_any_moment_leave_their_neighbours_alone() {
    let driver = host();
    let rounds = if cfg!(miri) { 2 } else { 100 };
    let graph = random::graph(5, 4, 12, 2);
    let steady = Loaded::new(&driver, &graph);
    for round in 0..rounds {
        let other = random::graph(round, 4, 12, 2);
        let dropped = Loaded::new(&driver, &other);
        let data = inputs(&other, round);
        dropped.start(0, 1, &data, 1).expect("a start");
        dropped.start(1, 1, &data, 2).expect("a start");
        drop(dropped);
        let data = inputs(&graph, round);
        steady.start(0, round + 1, &data, 7).expect("a start");
        steady.finish(0, round + 1).expect("a result");
        assert!(steady.check(0, &data, 7));
    }
}

#[test]
fn many_executables_on_one_device_from_many_threads() {
    let driver = host();
    let (threads, rounds) = if cfg!(miri) { (2, 1) } else { (8, 20) };
    std::thread::scope(|scope| {
        for seed in 0..threads {
            let driver = &driver;
            scope.spawn(move || {
                let graph = random::graph(seed, 1 + (seed % 4) as u8, 20, 1);
                let loaded = Loaded::new(driver, &graph);
                for generation in 1..=rounds {
                    let data = inputs(&graph, generation);
                    loaded.start(0, generation, &data, seed).expect("a start");
                    loaded.finish(0, generation).expect("a result");
                    assert!(loaded.check(0, &data, seed));
                }
            });
        }
    });
}
