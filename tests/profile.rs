//! What a profiled run shows.

use std::time::Duration;

use gpu_graph::gpu_graph;

gpu_graph! {
    kernel nap(x: &[u8; n]) -> [u8; n] { host host::nap }
    kernel add(x: &[u8; n], y: &[u8; n]) -> [u8; n] {
        host host::add,
        in place x host host::add_in_place,
    }

    graph Naps {
        dim n in 1..=4096;
        streams 2;
        input x: [u8; n];
        'left: let a: [u8; n] = nap(&x);
        'right: let b: [u8; n] = nap(&x);
        'join: let c: [u8; n] = add(&a, &b);
        output y: [u8; n] = nap(&c);
    }

    graph Lanes {
        dim n in 1..=64;
        pipelined 2;
        variant how { short, long }
        input x: [u8; n];
        output y: [u8; n];
        match how {
            short => { y = nap(&x); }
            long => { 'first: let t: [u8; n] = nap(&x); y = nap(&t); }
        }
    }
}

mod host {
    pub fn nap<D>(x: &[u8], out: &mut [u8], _: D) {
        std::thread::sleep(std::time::Duration::from_millis(2));
        out.copy_from_slice(x);
    }
    pub fn add<D>(x: &[u8], y: &[u8], out: &mut [u8], _: D) {
        out.iter_mut()
            .zip(x.iter().zip(y))
            .for_each(|(o, (x, y))| *o = x.wrapping_add(*y));
    }
    pub fn add_in_place<D>(x: &mut [u8], y: &[u8], _: D) {
        x.iter_mut()
            .zip(y)
            .for_each(|(x, y)| *x = x.wrapping_add(*y));
    }
}

#[test]
fn a_profile_has_every_task_in_an_order_that_the_dependencies_admit() {
    let mut graph = Naps::load(&gpu_graph::host(), naps::Dims { n: 300 }).unwrap();
    let run = graph.run(naps::Inputs { x: &[3u8; 300] }).unwrap();
    assert_eq!(run.profile().unwrap(), None, "nobody asked");
    graph.profile(true).unwrap();
    let run = graph.run(naps::Inputs { x: &[4u8; 300] }).unwrap();
    let profile = run.profile().unwrap().unwrap();
    assert_eq!(run.y().unwrap().to_vec().unwrap(), [8u8; 300]);

    let names: Vec<&str> = profile.tasks().iter().map(|t| t.name).collect();
    assert_eq!(names, ["upload x", "'left", "'right", "'join", "y = nap"]);
    let [upload, left, right, join, last] = profile.tasks() else {
        panic!("{profile}");
    };
    assert_eq!((upload.kernel, left.kernel), (None, Some("nap")));
    for (before, after) in [
        (upload, left),
        (upload, right),
        (left, join),
        (right, join),
        (join, last),
    ] {
        assert!(
            before.begin <= before.end && before.end <= after.begin,
            "{profile}"
        );
    }
    // A sleep is never shorter than it says.
    let nap = profile.kernels()["nap"];
    assert_eq!(nap.launches, 3);
    assert!(nap.least >= Duration::from_millis(2) && nap.total >= 3 * nap.least);
    assert!(nap.most >= nap.least && profile.span() >= 2 * nap.least);
    assert!(profile.to_string().contains("'join"), "{profile}");
}

#[test]
fn what_was_live_is_no_more_than_was_taken_and_no_less_than_one_task_needs() {
    let mut graph = Naps::load(&gpu_graph::host(), naps::Dims { n: 256 }).unwrap();
    graph.profile(true).unwrap();
    let run = graph.run(naps::Inputs { x: &[1u8; 256] }).unwrap();
    let profile = run.profile().unwrap().unwrap();
    // `add` holds `a`, which becomes `c`, and `b`; `nap` holds `x` and `a`, and `y` comes on top of `c`.
    assert!(profile.live_peak() >= 2 * 256, "{profile}");
    assert!(profile.live_peak() <= 3 * 256, "{profile}");
    assert!(profile.live_peak() <= graph.memory().actual().arena);

    graph.profile(false).unwrap();
    let run = graph.run(naps::Inputs { x: &[1u8; 256] }).unwrap();
    assert_eq!(run.profile().unwrap(), None);
}

#[test]
fn lanes_and_variants_have_profiles_of_their_own() {
    let mut graph = Lanes::load(&gpu_graph::host(), lanes::Dims { n: 4 }).unwrap();
    graph.profile(true).unwrap();
    let [mut a, mut b] = graph.lanes();
    let long = a
        .run(lanes::Inputs {
            x: &[1u8; 4],
            how: lanes::How::Long,
        })
        .unwrap();
    let short = b
        .run(lanes::Inputs {
            x: &[2u8; 4],
            how: lanes::How::Short,
        })
        .unwrap();
    let (long, short) = (
        long.profile().unwrap().unwrap(),
        short.profile().unwrap().unwrap(),
    );
    assert_eq!(
        (
            long.kernels()["nap"].launches,
            short.kernels()["nap"].launches
        ),
        (2, 1)
    );
    assert!(
        long.tasks()
            .iter()
            .any(|t| t.name == "how=long.'first" || t.name == "'first")
    );
}
