//! What the CUDA driver calls is needed: a wait, a record or an edge that is lost between it and the
//! device is reported, whichever it is and whatever the seed.

#![cfg(target_os = "linux")]

use gpu_graph::__private::DeclaredGraph;
use gpu_graph::cuda;
use gpu_graph_runtime::table::Op;
use simcuda::client::Shim;

/// Three lanes of values that are mixed layer by layer, in storage that is used again and again.
macro_rules! lattice {
    ($module:ident, $($issue:tt)*) => {
        mod $module {
            gpu_graph::gpu_graph! {
                kernel mix(x: &[u32; n], y: &[u32; n]) -> [u32; n] = x * 3u32 + y;
                kernel turn(x: &[u32; n], by: u32) -> [u32; n] = x * by + 1u32;

                pub graph Lattice {
                    dim n in 1..=4096;
                    streams 3;
                    $($issue)*
                    input x: [u32; n];
                    scalar by: u32;
                    let a0: [u32; n] = turn(&x, by);
                    let b0: [u32; n] = turn(&x, 5);
                    let c0: [u32; n] = turn(&x, 7);
                    let a1: [u32; n] = mix(&a0, &b0);
                    let b1: [u32; n] = mix(&b0, &c0);
                    let c1: [u32; n] = mix(&c0, &a0);
                    let a2: [u32; n] = mix(&a1, &c1);
                    let b2: [u32; n] = mix(&b1, &a1);
                    let c2: [u32; n] = mix(&c1, &b1);
                    let a3: [u32; n] = mix(&a2, &b2);
                    let b3: [u32; n] = mix(&b2, &c2);
                    let c3: [u32; n] = turn(&c2, by);
                    let d: [u32; n] = mix(&a3, &b3);
                    output y: [u32; n] = mix(&d, &c3);
                }
            }
        }
    };
}

lattice!(streams,);
lattice!(graphs, issue graph;);

const N: usize = 40;

/// One run, of which the `nth` of these calls is lost after it was loaded, or while it is. Answers its
/// calls, what it reports, and the result.
macro_rules! run {
    ($module:ident, $shim:expr, $lost:expr, $loading:expr) => {{
        use $module::{Lattice, lattice};
        let lost: Option<(&str, u64)> = $lost;
        let lose = |now: bool| {
            if let (true, Some((name, nth))) = (now, lost) {
                $shim.fail(name, nth, 0);
            }
        };
        $shim.compile_nothing();
        $shim.register_graphs(&[(&Lattice::IMAGE, &[N as u64])]);
        let gpu = cuda(0).expect("the shim is a device");
        lose($loading);
        let mut graph = Lattice::load(&gpu, lattice::Dims { n: N }).expect("it loads");
        lose(!$loading);
        $shim.forget_calls();
        let x: Vec<u32> = (0..N as u32).collect();
        let run = graph
            .run(lattice::Inputs { x: &x, by: 11 })
            .expect("it starts");
        let calls = $shim.calls();
        let y = run.y().expect("a result").to_vec().expect("its content");
        drop(graph);
        (calls, $shim.reports(), y)
    }};
}

/// How many seeds a test tries: as many as it says, or as `GPU_GRAPH_CASES` does.
fn seeds(usual: u64) -> u64 {
    let told = std::env::var("GPU_GRAPH_CASES").ok();
    told.and_then(|n| n.parse().ok()).unwrap_or(usual)
}

fn found(reports: &[String]) -> bool {
    let kinds = ["race: ", "unwritten: "];
    reports
        .iter()
        .any(|r| kinds.iter().any(|kind| r.starts_with(kind)))
}

#[test]
fn each_wait_and_each_record_of_a_run_is_needed() {
    let shim = Shim::start(0);
    for call in ["cuStreamWaitEvent", "cuEventRecord"] {
        shim.restart(0);
        let (calls, reports, _) = run!(streams, &shim, None, false);
        assert_eq!(reports, [""; 0]);
        let count = calls.iter().filter(|line| line.starts_with(call)).count() as u64;
        let issued = streams::Lattice::IMAGE
            .program
            .issue
            .iter()
            .filter(|op| match op {
                Op::Wait { .. } => call == "cuStreamWaitEvent",
                Op::Record { .. } => call == "cuEventRecord",
                _ => false,
            });
        assert_eq!(count, issued.count() as u64, "{calls:?}");
        assert!(count >= 4, "{calls:?}");
        for seed in 0..seeds(200) {
            shim.restart(seed);
            let nth = 1 + seed % count;
            let (_, reports, _) = run!(streams, &shim, Some((call, nth)), false);
            assert!(
                found(&reports),
                "{call} {nth} of {count}, seed {seed}: {reports:?}"
            );
        }
    }
}

#[test]
fn an_edge_that_is_lost_is_reported_for_every_seed_or_does_not_matter() {
    let shim = Shim::start(0);
    shim.restart(0);
    let (_, reports, expected) = run!(graphs, &shim, None, true);
    assert_eq!(reports, [""; 0]);
    shim.restart(0);
    let (_, _, op_by_op) = run!(streams, &shim, None, true);
    assert_eq!(expected, op_by_op);
    let (kernels, each, mut needed) = (14, seeds(20), 0);
    for nth in 1..=kernels {
        let mut reported = 0;
        for seed in 0..each {
            shim.restart(seed);
            let (_, reports, y) = run!(graphs, &shim, Some(("edge", nth)), true);
            if found(&reports) {
                reported += 1;
            } else {
                // An edge that only keeps two tasks of one stream in their order.
                assert_eq!(
                    (y, reports),
                    (expected.clone(), Vec::new()),
                    "edge {nth}, seed {seed}"
                );
            }
        }
        assert!(
            [0, each].contains(&reported),
            "edge {nth}: {reported} of {each} seeds"
        );
        needed += reported / each;
    }
    println!("{needed} of {kernels} edges are needed");
    assert!(needed >= 10, "{needed} of {kernels}");
}

/// Two runs, of which the second is let through its gate before the first has ended.
macro_rules! early {
    ($module:ident, $asked:literal, $shim:expr, $early:expr) => {{
        use $module::{Lattice, lattice};
        $shim.compile_nothing();
        $shim.register_graphs(&[(&Lattice::IMAGE, &[N as u64])]);
        let gpu = cuda(0).expect("the shim is a device");
        let mut graph = Lattice::load(&gpu, lattice::Dims { n: N }).expect("it loads");
        for run in 0..2 {
            let x = vec![run; N];
            if $early {
                $shim.fail($asked, 1, 0);
            }
            graph
                .run(lattice::Inputs { x: &x, by: 11 })
                .expect("it starts");
        }
        $shim.reports()
    }};
}

#[test]
fn a_gate_that_lets_a_run_through_too_early_is_reported() {
    let shim = Shim::start(0);
    for seed in 0..seeds(100) {
        for gate in [true, false] {
            let changed = |reports: Vec<String>| reports.iter().any(|r| r.starts_with("changed: "));
            shim.restart(seed);
            assert_eq!(
                changed(early!(streams, "cuEventQuery", &shim, gate)),
                gate,
                "seed {seed}"
            );
            shim.restart(seed);
            assert_eq!(
                changed(early!(graphs, "cuStreamQuery", &shim, gate)),
                gate,
                "seed {seed}"
            );
        }
    }
}
