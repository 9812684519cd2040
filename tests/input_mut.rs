//! Inputs that the graph has a copy of its own of: updated in place, and made anew for each run.
#![forbid(unsafe_code)]

mod common;

use std::sync::Arc;

use common::on_each_device;

gpu_graph::gpu_graph! {
    kernel scaled(x: &[u32; n], by: u32) -> [u32; n] {
        host crate::host::scaled,
        in place x host crate::host::scale,
    }
    kernel shift(x: &mut [u32; n], by: u32) { host crate::host::shift }
    kernel total(x: &[u32; n], by: u32) -> [u32; 1] { host crate::host::total }

    /// H35: what the caller gives ends in the output, with readers in a loop between.
    pub graph Donated {
        dim n in 1..=1024;
        minimize peak;
        input mut x: [u32; n];
        scalar by: u32;
        let y: [u32; n] = scaled(&x, by);
        output sums: [u32; 3];
        for l in 0..3 {
            sums[l..l + 1] = total(&y, 2);
        }
        output z: [u32; n] = scaled(&y, 5);
    }

    /// The same, where the caller keeps what it gave.
    pub graph Lent {
        dim n in 1..=1024;
        minimize peak;
        input x: [u32; n];
        scalar by: u32;
        let y: [u32; n] = scaled(&x, by);
        output sums: [u32; 3];
        for l in 0..3 {
            sums[l..l + 1] = total(&y, 2);
        }
        output z: [u32; n] = scaled(&y, 5);
    }

    /// A reader that nothing orders is in the way.
    pub graph Unordered {
        dim n in 1..=1024;
        input mut x: [u32; n];
        output sum: [u32; 1] = total(&x, 1);
        'last: output z: [u32; n] = scaled(&x, 5);
    }

    /// Tasks update it, all of it and some rows, and read it in between.
    pub graph Updated {
        dim n in 2..=1024;
        input mut x: [u32; n];
        input w: [u32; n];
        scalar by: u32;
        output before: [u32; 1] = total(&x, 1);
        shift(&mut x, by);
        shift(&mut x[..n / 2], 7);
        output after: [u32; 1] = total(&x, 1);
        x[n / 2..] = scaled(&w[n / 2..], 2);
        output z: [u32; n] = scaled(&x, 1);
    }

    /// Runs that overlap, each with a copy in an arena of its own.
    pub graph Lanes {
        dim n in 1..=1024;
        pipelined 2;
        streams 2;
        input mut x: [u32; n];
        scalar by: u32;
        shift(&mut x, by);
        output sum: [u32; 1] = total(&x, 1);
        output z: [u32; n] = scaled(&x, 3);
    }

    /// Combinations that take turns in one arena, of which only one changes it.
    pub graph Turns {
        dim n in 1..=1024;
        variant mode { keep, change }
        input mut x: [u32; n];
        match mode {
            keep => {}
            change => { shift(&mut x, 1); }
        }
        output z: [u32; n] = scaled(&x, 2);
    }
}

mod host {
    pub fn scaled(x: &[u32], by: u32, out: &mut [u32], _: super::scaled::Dims) {
        out.iter_mut().zip(x).for_each(|(o, x)| *o = x * by);
    }
    pub fn scale(x: &mut [u32], by: u32, _: super::scaled::Dims) {
        x.iter_mut().for_each(|x| *x *= by);
    }
    pub fn shift(x: &mut [u32], by: u32, _: super::shift::Dims) {
        x.iter_mut().for_each(|x| *x += by);
    }
    pub fn total(x: &[u32], by: u32, out: &mut [u32], _: super::total::Dims) {
        out[0] = by * x.iter().sum::<u32>();
    }
}

/// What is given to run number `run`.
fn given(run: u32) -> Vec<u32> {
    (0..6).map(|i| 10 * run + i).collect()
}

#[test]
fn h35_an_input_that_the_graph_copies_is_updated_in_place_over_several_runs() {
    // One place for the chain beside the sums; two where the caller keeps `x`, with the sums in its place.
    assert_eq!(Donated::RECORD.arena_bytes(), 4096 + 256);
    assert_eq!(Lent::RECORD.arena_bytes(), 2 * 4096);
    for (a, b) in [("x", "y"), ("y", "z"), ("x", "z")] {
        let why = Donated::RECORD.explain(a, b).unwrap().to_string();
        assert!(why.contains("share bytes"), "{why}");
    }
    on_each_device(|device| {
        let mut graph = Donated::load(device, donated::Dims { n: 6 }).unwrap();
        for by in 1..5 {
            let (x, shared) = (given(by), Arc::<[u32]>::from(given(by)));
            let check = |run: donated::Run<'_>| {
                let sums = run.sums().unwrap().to_vec().unwrap();
                let sum: u32 = x.iter().map(|x| x * by).sum();
                assert_eq!(sums, [2 * sum; 3]);
                let z: Vec<u32> = x.iter().map(|x| 5 * by * x).collect();
                assert_eq!(run.z().unwrap().to_vec().unwrap(), z);
            };
            // Borrowed, shared and given away: what the caller has stays as it is.
            check(graph.run(donated::Inputs { x: &x, by }).unwrap());
            check(graph.run(donated::Inputs { x: &shared, by }).unwrap());
            check(graph.run(donated::Inputs { x: x.clone(), by }).unwrap());
            assert_eq!((&x[..], &shared[..]), (&given(by)[..], &given(by)[..]));
        }
    });
}

#[test]
fn h35_the_record_says_why_an_input_is_not_updated_in_place() {
    let text = Lent::RECORD.text();
    let why = "`x` is the caller's: as an `input mut`, `y = scaled` could update it into `y`";
    assert!(
        text.contains(&format!("  `x` and `y`: refused, {why}\n")),
        "{text}"
    );
    let explained = Lent::RECORD.explain("x", "y").unwrap().to_string();
    assert!(explained.contains(why), "{explained}");

    let text = Unordered::RECORD.text();
    let why = "refused, unless in place at `'last`, which takes `sum = total` before `'last`";
    assert!(text.contains(why), "{text}");
}

#[test]
fn an_input_that_tasks_update_is_there_anew_in_each_run() {
    on_each_device(|device| {
        let mut graph = Updated::load(device, updated::Dims { n: 6 }).unwrap();
        for by in 1..5 {
            let (x, w) = (given(by), given(9));
            let run = graph.run(updated::Inputs { x: &x, w: &w, by }).unwrap();
            let mut then = x.clone();
            assert_eq!(
                run.before().unwrap().to_vec().unwrap(),
                [x.iter().sum::<u32>()]
            );
            then.iter_mut().for_each(|x| *x += by);
            then[..3].iter_mut().for_each(|x| *x += 7);
            let after: u32 = then.iter().sum();
            assert_eq!(run.after().unwrap().to_vec().unwrap(), [after]);
            then[3..]
                .iter_mut()
                .zip(&w[3..])
                .for_each(|(x, w)| *x = 2 * w);
            assert_eq!(run.z().unwrap().to_vec().unwrap(), then);
        }
    });
}

#[test]
fn runs_that_overlap_have_each_its_own_copy() {
    on_each_device(|device| {
        let mut graph = Lanes::load(device, lanes::Dims { n: 6 }).unwrap();
        let [mut a, mut b] = graph.lanes();
        for by in 1..6 {
            // Both are in flight before the first is looked at, and of one shared slice.
            let shared = Arc::<[u32]>::from(given(by));
            let first = a.run(lanes::Inputs { x: &shared, by }).unwrap();
            let second = b
                .run(lanes::Inputs {
                    x: &shared,
                    by: 100,
                })
                .unwrap();
            for (run, by) in [(first, by), (second, 100)] {
                let then: Vec<u32> = shared.iter().map(|x| x + by).collect();
                let sum: u32 = then.iter().sum();
                assert_eq!(run.sum().unwrap().to_vec().unwrap(), [sum]);
                let z: Vec<u32> = then.iter().map(|x| 3 * x).collect();
                assert_eq!(run.z().unwrap().to_vec().unwrap(), z);
            }
        }
    });
}

#[test]
fn combinations_that_take_turns_find_what_each_is_given() {
    on_each_device(|device| {
        let mut graph = Turns::load(device, turns::Dims { n: 6 }).unwrap();
        for (run, mode) in [turns::Mode::Change, turns::Mode::Keep, turns::Mode::Change]
            .into_iter()
            .enumerate()
        {
            let x = given(run as u32);
            let more = u32::from(run != 1);
            let run = graph.run(turns::Inputs { x: &x, mode }).unwrap();
            let z: Vec<u32> = x.iter().map(|x| 2 * (x + more)).collect();
            assert_eq!(run.z().unwrap().to_vec().unwrap(), z);
        }
    });
}
