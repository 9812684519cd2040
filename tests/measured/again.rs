//! One graph with a value that is made again where that is asked: what its launches took is known by
//! what they do, whatever the program that ran made again.

use std::path::Path;

use gpu_graph::report::{Disposition, JudgeError, Measured, MeasuredProgram, ProfileLog, Spread};
use gpu_graph::{Record, host as device};

pub mod host {
    pub fn spread<D>(x: &[u32], out: &mut [u32], _: D) {
        let each = out.len() / x.len();
        out.iter_mut()
            .enumerate()
            .for_each(|(i, o)| *o = x[i / each]);
    }
    pub fn fold<D>(x: &[u32], out: &mut [u32], _: D) {
        out.copy_from_slice(x);
    }
    pub fn widen<D>(x: &[u32], out: &mut [u32], _: D) {
        out.iter_mut()
            .enumerate()
            .for_each(|(i, o)| *o = x[i % x.len()]);
    }
    pub fn total<D>(x: &[u32], out: &mut [u32], _: D) {
        out[0] = x.iter().sum();
    }
    pub fn mix<D>(x: &[u32], s: &[u32], out: &mut [u32], _: D) {
        out[0] = s[0] + x.iter().sum::<u32>();
    }
}

macro_rules! again {
    ($module:ident, $($choice:tt)*) => {
        pub mod $module {
            gpu_graph::gpu_graph! {
                kernel spread(x: &[u32; n]) -> [u32; 16 * n] { host crate::again::host::spread }
                kernel fold(x: &[u32; n]) -> [u32; n] { host crate::again::host::fold }
                kernel widen(x: &[u32; n]) -> [u32; 2 * n] { host crate::again::host::widen }
                kernel total(x: &[u32; n]) -> [u32; 1] { host crate::again::host::total }
                kernel mix(x: &[u32; n], s: &[u32; 1]) -> [u32; 1] { host crate::again::host::mix }

                pub graph Again {
                    dim n in 1..=256;
                    streams 1;
                    $($choice)*
                    input x: [u32; n];
                    recompute let t: [u32; 16 * n] = spread(&x);
                    let a: [u32; 16 * n] = fold(&t);
                    let b: [u32; 32 * n] = widen(&a);
                    let c: [u32; 32 * n] = fold(&b);
                    let s: [u32; 1] = total(&c);
                    output y: [u32; 1] = mix(&t, &s);
                    output w: [u32; 1] = total(&t);
                }
            }
        }
    };
}

again!(kept,);
again!(remade, minimize peak;);
again!(kept_then, profile "tests/measured/again.profile.json";);
again!(remade_then, minimize peak; profile "tests/measured/again.profile.json";);

macro_rules! measured {
    ($module:ident, $runs:expr) => {{
        let (n, mut log) = (256, ProfileLog::new());
        let mut graph = $module::Again::load(&device(), $module::again::Dims { n }).unwrap();
        graph.profile(true).unwrap();
        for _ in 0..$runs {
            let run = graph
                .run($module::again::Inputs { x: &[3u32; 256] })
                .unwrap();
            log.add(&run.profile().unwrap().unwrap()).unwrap();
        }
        log.measured().unwrap()
    }};
}

/// Of each task its origin, and the kernel and dims that it launches.
type Did = (u32, Option<(String, Vec<u64>)>);

fn did(program: &MeasuredProgram) -> Vec<Did> {
    let tasks = program.tasks.iter();
    let tasks = tasks.map(|task| {
        let launch = task.launch.map(|l| &program.kernels[l as usize]);
        (
            task.origin,
            launch.map(|k| (k.kernel.clone(), k.dims.clone())),
        )
    });
    tasks.collect()
}

#[test]
fn what_a_program_makes_again_is_known_by_what_it_does() {
    let (kept, remade) = (measured!(kept, 1), measured!(remade, 1));
    let (kept, remade) = (&kept.programs[0], &remade.programs[0]);
    assert_eq!(kept.source, remade.source);
    assert_ne!(kept.program, remade.program);
    let (plain, more) = (did(kept), did(remade));
    let origins = |did: &[Did]| did.iter().map(|d| d.0).collect::<Vec<_>>();
    assert_eq!(origins(&plain), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(origins(&more), [0, 1, 2, 3, 4, 5, 1, 6, 7]);
    assert_eq!(remade.tasks[6].task, "t = spread again");
    for did in more {
        assert_eq!(plain[did.0 as usize], did);
    }
}

/// The file here is of the program that makes `t` again, with times that are all different.
fn file() -> Measured {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/measured/again.profile.json");
    let mut measured = measured!(remade, 9);
    let program = &mut measured.programs[0];
    let of = |time: u64| Spread::of((time - 4..=time + 4).collect()).unwrap();
    program.run_nanoseconds = of(10_000);
    program.period_nanoseconds = Some(of(11_000));
    for (kernel, i) in program.kernels.iter_mut().zip(1..) {
        kernel.nanoseconds = of(100 * i);
    }
    for task in &mut program.tasks {
        let launch = task.launch.map(|l| program.kernels[l as usize].nanoseconds);
        task.nanoseconds = launch.unwrap_or(of(10));
    }
    if std::env::var_os("UPDATE_PROFILES").is_some() {
        measured.write(&path).unwrap();
    }
    assert_eq!(Measured::read(&path).unwrap(), measured);
    measured
}

#[test]
fn costs_of_a_program_that_makes_values_again_go_to_the_tasks_that_were_measured() {
    let file = file();
    let program = &file.programs[0];
    let median = |origin: u32| {
        let mut tasks = program.tasks.iter().filter(|task| task.origin == origin);
        tasks
            .next()
            .and_then(|task| task.launch)
            .map(|l| program.kernels[l as usize].nanoseconds.median)
    };
    let times = |record: &Record| {
        let report = record.report();
        let tasks = report.plans[0].tasks.iter();
        let times = tasks.map(|task| task.time.as_ref().map(|t| (t.nanoseconds, t.measured)));
        times.collect::<Vec<_>>()
    };
    let expected = |origins: &[u32]| {
        let each = origins.iter().map(|&o| median(o).map(|time| (time, true)));
        each.collect::<Vec<_>>()
    };
    let kept = times(&kept_then::Again::RECORD);
    assert_eq!(kept, expected(&[0, 1, 2, 3, 4, 5, 6, 7]));
    let remade = times(&remade_then::Again::RECORD);
    assert_eq!(remade, expected(&[0, 1, 2, 3, 4, 5, 1, 6, 7]));
    // Every launch has a time of its own kernel and dims, so a time that went astray would show.
    let mut all: Vec<_> = kept.into_iter().flatten().collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 7);
    // What is made again takes what it took then.
    let text = remade_then::Again::RECORD.text();
    let spread = median(1).unwrap();
    assert!(
        text.contains(&format!("construct  {spread} ns of `spread`")),
        "{text}"
    );
}

#[test]
fn a_program_that_makes_values_again_is_judged_beside_the_one_that_does_not() {
    let (kept, remade) = (measured!(kept, 9), measured!(remade, 9));
    let record = remade::Again::RECORD;
    let report = record.judge(&kept, &remade).unwrap();
    let found = report.plans[0].claims.verdict.disposition;
    assert_eq!(found, Disposition::MeasuredFinding);
    // The same text, and another plan.
    let refused = record.judge(&remade, &kept).unwrap_err();
    assert!(
        matches!(
            refused,
            JudgeError::Program {
                side: "baseline",
                ..
            }
        ),
        "{refused}"
    );
}
