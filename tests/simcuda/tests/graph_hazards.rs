//! Known faults of other runtimes that graphs of this language do not have, over the CUDA driver and
//! the shim: shown by results, by reports, and by what the driver calls and what it does not. Numbers
//! are those of the collection of hazards.

#![cfg(target_os = "linux")]

use gpu_graph::__private::DeclaredGraph;
use gpu_graph::{Device, cuda};
use simcuda::client::Shim;

gpu_graph::gpu_graph! {
    kernel twice(x: &[f32; n]) -> [f32; n] = x * 2.0f32;
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] = x + y;
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] = x * by;

    /// A weighted diamond, as one graph of the device.
    graph Diamond {
        dim n in 1..=65536;
        streams 2;
        issue graph;
        resident input w: [f32; n];
        input x: [f32; n];
        scalar by: f32;
        let a: [f32; n] = scale(&x, by);
        let b: [f32; n] = add(&x, &w);
        let c: [f32; n] = twice(&a);
        output y: [f32; n] = add(&b, &c);
    }

    /// Three temporaries, one after another.
    graph Serial {
        dim n in 1..=65536;
        streams 1;
        issue graph;
        input x: [f32; n];
        let a: [f32; n] = twice(&x);
        let b: [f32; n] = twice(&a);
        let c: [f32; n] = twice(&b);
        output y: [f32; n] = twice(&c);
    }

    /// Two runs at once.
    graph Lanes {
        dim n in 1..=65536;
        streams 2;
        pipelined 2;
        issue graph;
        input x: [f32; n];
        let a: [f32; n] = twice(&x);
        let b: [f32; n] = add(&x, &x);
        output y: [f32; n] = add(&a, &b);
    }

    /// As many runs ahead as are declared, op by op.
    graph Ahead {
        dim n in 1..=65536;
        streams 2;
        pipelined 2;
        input x: [f32; n];
        let a: [f32; n] = twice(&x);
        let b: [f32; n] = add(&x, &x);
        output y: [f32; n] = add(&a, &b);
    }
}

const N: usize = 96;
const SEEDS: u64 = 50;

/// A device for a graph at `N`.
fn device<G: DeclaredGraph>(shim: &Shim) -> Device {
    shim.compile_nothing();
    shim.register_graphs(&[(&G::IMAGE, &[N as u64])]);
    cuda(0).expect("the shim is a device")
}

/// Does something for every seed, after which nothing is wrong and nothing is left.
fn every_seed<G: DeclaredGraph>(case: impl Fn(&Shim, &Device, u64)) {
    let shim = Shim::start(0);
    for seed in 0..SEEDS {
        shim.restart(seed);
        let device = device::<G>(&shim);
        case(&shim, &device, seed);
        assert_eq!(shim.reports(), [""; 0], "seed {seed}");
        drop(device);
        assert_eq!(shim.leaks(), [""; 0], "seed {seed}");
    }
}

fn numbers(from: u64) -> Vec<f32> {
    (0..N as u64).map(|i| (i * 7 + from) as f32).collect()
}

/// Lines of the log that hold this.
fn lines(shim: &Shim, part: &str) -> usize {
    shim.calls()
        .iter()
        .filter(|line| line.contains(part))
        .count()
}

fn diamond(w: &[f32], x: &[f32], by: f32) -> Vec<f32> {
    let each = |(w, x): (&f32, &f32)| x + w + 2.0 * (x * by);
    w.iter().zip(x).map(each).collect()
}

/// What a graph copies from is pinned, its own, and there as long as it is: what the caller passed may
/// go at once. No node copies from memory that is not pinned.
#[test]
fn h10_inputs_can_go_as_soon_as_a_run_has_been_started() {
    every_seed::<Diamond>(|shim, device, seed| {
        let mut graph = Diamond::load(device, diamond::Dims { n: N }).expect("it loads");
        graph.set_w(numbers(1)).expect("weights");
        for run in 0..3 {
            let x = numbers(seed + run);
            let done = graph
                .run(diamond::Inputs { x: &x, by: 0.5 })
                .expect("it runs");
            let expected = self::diamond(&numbers(1), &x, 0.5);
            drop(x);
            assert_eq!(
                done.y().expect("a result").to_vec().expect("content"),
                expected
            );
        }
        let pageable = lines(shim, "cuGraphAddMemcpyNode pageable");
        assert_eq!(pageable, 0, "{:?}", shim.calls());
    });
}

/// A pool that is flushed between two launches takes nothing that the graph has.
#[test]
fn h14_and_m08_a_flushed_pool_leaves_what_a_graph_holds() {
    every_seed::<Diamond>(|_, device, _| {
        let mut graph = Diamond::load(device, diamond::Dims { n: N }).expect("it loads");
        graph.set_w(numbers(1)).expect("weights");
        let mut kept = Vec::new();
        for run in 0..3 {
            device.driver().trim().expect("a trim");
            let x = numbers(run);
            let done = graph
                .run(diamond::Inputs { x: &x, by: 2.0 })
                .expect("it runs");
            let output = done.y().expect("a result").detach().expect("a copy of it");
            kept.push((output, self::diamond(&numbers(1), &x, 2.0)));
            device.driver().trim().expect("a trim");
        }
        for (output, expected) in &kept {
            assert_eq!(output.to_vec().expect("content"), *expected);
        }
    });
}

/// What is bound anew between two launches is what the next one reads.
#[test]
fn h15_a_resident_input_that_is_set_again_is_what_the_next_launch_reads() {
    every_seed::<Diamond>(|_, device, seed| {
        let mut graph = Diamond::load(device, diamond::Dims { n: N }).expect("it loads");
        let x = numbers(3);
        for run in 0..4 {
            // Now one, now the other, as a state that is swapped.
            let w = numbers(1000 * (1 + (seed + run) % 2));
            graph.set_w(&w).expect("weights");
            let done = graph
                .run(diamond::Inputs { x: &x, by: 1.0 })
                .expect("it runs");
            let found = done.y().expect("a result").to_vec().expect("content");
            assert_eq!(found, self::diamond(&w, &x, 1.0));
        }
    });
}

/// Memory is allocated outside of graphs and before they run: launches neither leak nor allocate, and
/// temporaries that follow one another share storage.
#[test]
fn h16_graphs_allocate_nothing_and_temporaries_share_storage() {
    every_seed::<Serial>(|shim, device, _| {
        let mut graph = Serial::load(device, serial::Dims { n: N }).expect("it loads");
        // Of five values never more than two are there at once.
        let one = (4 * N as u64).next_multiple_of(256);
        assert_eq!(Serial::RECORD.arena_bytes() % 256, 0);
        assert!(
            graph.memory().actual().arena <= 2 * one,
            "{:?}",
            graph.memory()
        );
        shim.forget_calls();
        for run in 0..3 {
            let x = numbers(run);
            let done = graph.run(serial::Inputs { x: &x }).expect("it runs");
            let expected: Vec<f32> = x.iter().map(|x| 16.0 * x).collect();
            assert_eq!(
                done.y().expect("a result").to_vec().expect("content"),
                expected
            );
        }
        for allocating in ["cuMemCreate", "cuMemHostAlloc", "cuGraphAddMem", "cuMemMap"] {
            assert_eq!(lines(shim, allocating), 0, "{:?}", shim.calls());
        }
    });
}

/// A run is one launch and has no events: nothing is tracked beside it, and what a graph
/// leaves when it goes troubles no later call.
#[test]
fn h17_a_run_of_a_graph_records_no_event() {
    every_seed::<Diamond>(|shim, device, _| {
        let mut other = Diamond::load(device, diamond::Dims { n: N }).expect("it loads");
        let mut graph = Diamond::load(device, diamond::Dims { n: N }).expect("it loads");
        let x = numbers(5);
        for loaded in [&mut other, &mut graph] {
            loaded.set_w(&x).expect("weights");
        }
        shim.forget_calls();
        let _done = graph
            .run(diamond::Inputs { x: &x, by: 1.0 })
            .expect("it runs");
        let calls = shim.calls();
        let known = |line: &&String| !line.starts_with("cuGraphLaunch");
        assert_eq!(lines(shim, "cuGraphLaunch"), 1, "{calls:?}");
        let beside: Vec<&String> = calls.iter().filter(known).collect();
        assert!(beside.len() <= 1, "{calls:?}");
        assert!(
            beside.iter().all(|line| line.starts_with("cuStreamQuery")),
            "{calls:?}"
        );
        drop(graph);
        let done = other
            .run(diamond::Inputs { x: &x, by: 1.0 })
            .expect("it runs");
        let found = done.y().expect("a result").to_vec().expect("content");
        assert_eq!(found, self::diamond(&x, &x, 1.0));
    });
}

/// Runs that are in flight at once have an executable each: none waits for another's.
#[test]
fn h18_runs_that_are_in_flight_at_once_share_no_executable() {
    every_seed::<Lanes>(|shim, device, _| {
        let mut graph = Lanes::load(device, lanes::Dims { n: N }).expect("it loads");
        let [mut left, mut right] = graph.lanes();
        for run in 0..3 {
            let (x, y) = (numbers(run), numbers(run + 50));
            let first = left.run(lanes::Inputs { x: &x }).expect("it runs");
            let second = right.run(lanes::Inputs { x: &y }).expect("it runs");
            let four = |x: &[f32]| x.iter().map(|x| 4.0 * x).collect::<Vec<f32>>();
            let of = |done: lanes::Run<'_>| done.y().expect("a result").to_vec().expect("content");
            assert_eq!((of(first), of(second)), (four(&x), four(&y)));
        }
        assert!(lines(shim, "cuGraphLaunch") >= 6);
        assert_eq!(lines(shim, "serialized"), 0, "{:?}", shim.calls());
    });
}

/// Graphs are built from nodes, so that what other threads do meanwhile breaks none.
#[test]
fn h19_a_graph_is_built_and_run_while_others_wait_for_the_whole_device() {
    every_seed::<Diamond>(|shim, device, seed| {
        use cudarc::driver::{result, sys};
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // SAFETY: the device is there; the context is retained until the end of this.
                unsafe {
                    let context = result::primary_ctx::retain(0).expect("a context");
                    result::ctx::set_current(context).expect("a context");
                }
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    result::ctx::synchronize().expect("the device comes to rest");
                    std::thread::yield_now();
                }
                // SAFETY: as above; a status is all that comes back.
                let released = unsafe { sys::cuDevicePrimaryCtxRelease_v2(0) };
                assert_eq!(released, sys::CUresult::CUDA_SUCCESS);
            });
            let x = numbers(seed);
            let found = || -> Result<Vec<f32>, Box<dyn std::error::Error>> {
                let mut graph = Diamond::load(device, diamond::Dims { n: N })?;
                graph.set_w(&x)?;
                let run = graph.run(diamond::Inputs { x: &x, by: 1.0 })?;
                Ok(run.y()?.to_vec()?)
            };
            let found = found();
            done.store(true, std::sync::atomic::Ordering::Relaxed);
            assert_eq!(found.expect("it runs"), self::diamond(&x, &x, 1.0));
        });
        assert_eq!(lines(shim, "Capture"), 0);
    });
}

/// Nothing goes to the legacy stream, from load to the last result.
#[test]
fn h27_nothing_is_issued_to_the_legacy_stream() {
    every_seed::<Ahead>(|shim, device, _| {
        let mut graph = Ahead::load(device, ahead::Dims { n: N }).expect("it loads");
        let [mut lane, _] = graph.lanes();
        let run = lane.run(ahead::Inputs { x: &numbers(1) }).expect("it runs");
        let output = run.y().expect("a result").detach().expect("a copy of it");
        assert_eq!(output.to_vec().expect("content")[1], 32.0);
        assert_eq!(lines(shim, "legacy"), 0, "{:?}", shim.calls());
        assert_eq!(lines(shim, "cuCtxSynchronize"), 0);
    });
}

/// How far the host runs ahead is declared, and so is what that takes.
#[test]
fn h39_running_ahead_takes_no_more_memory_than_the_declared_depth() {
    every_seed::<Ahead>(|shim, device, _| {
        let mut graph = Ahead::load(device, ahead::Dims { n: N }).expect("it loads");
        let mut lanes = graph.lanes();
        shim.forget_calls();
        for run in 0..30 {
            let lane = &mut lanes[run % 2];
            // Nobody looks at the result: only the gate holds the host back.
            lane.run(ahead::Inputs {
                x: &numbers(run as u64),
            })
            .expect("it runs");
        }
        for taking in ["cuMemCreate", "cuMemAlloc", "cuMemHostAlloc", "cuMemMap"] {
            assert_eq!(lines(shim, taking), 0, "{:?}", shim.calls());
        }
        assert_eq!(lines(shim, "cuLaunchKernel"), 90);
    });
}

/// Each device has its own context, which is current where its calls are made, on whatever thread.
#[test]
fn two_devices_run_side_by_side_and_from_other_threads() {
    every_seed::<Diamond>(|shim, near, seed| {
        let far = cuda(1).expect("another device");
        let dims = || diamond::Dims { n: N };
        let mut graphs = [
            Diamond::load(near, dims()).expect("it loads"),
            Diamond::load(&far, dims()).expect("it loads"),
        ];
        for round in 0..2 {
            for (i, graph) in (0..).zip(&mut graphs) {
                let (w, x) = (numbers(seed + i), numbers(10 * round + i));
                let expected = self::diamond(&w, &x, 3.0);
                let mut found = || {
                    graph.set_w(&w).expect("weights");
                    let run = graph.run(diamond::Inputs { x: &x, by: 3.0 });
                    let y = run.expect("it runs").y().expect("a result").to_vec();
                    y.expect("content")
                };
                let found = match round {
                    0 => found(),
                    _ => std::thread::scope(|scope| scope.spawn(found).join().expect("a thread")),
                };
                assert_eq!(found, expected);
            }
        }
        drop(graphs);
        // Both come to rest before either goes.
        assert_eq!(shim.reports(), [""; 0], "seed {seed}");
    });
}
