//! `match` over variants: what each run chooses, in one arena, on the host and on the simulated
//! device.
#![forbid(unsafe_code)]

mod common;

use std::sync::Arc;

use common::on_each_device;
use gpu_graph::{Device, RunError};

gpu_graph::gpu_graph! {
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }
    kernel step(sum: &mut [f32; n], by: &[f32; n]) { host host::step }
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }
    kernel total(x: &[f32; n]) -> [f32; 1] { host host::total }

    /// Fills a memory, or goes on from it.
    pub graph Model {
        dim n in 1..=512;
        streams 3;
        resident input weights: [f32; n];
        inout memory: [f32; n];
        scalar by: f32;
        input x: [f32; n];
        /// What is done.
        variant mode {
            /// All at once.
            prefill,
            decode,
        }
        let h: [f32; n] = scale(&x, by);
        output y: [f32; n];
        match mode {
            prefill => {
                let a: [f32; n] = add(&h, &weights);
                let b: [f32; n] = scale(&h, 2.0);
                let c: [f32; n] = add(&a, &b);
                step(&mut memory, &c);
                y = add(&c, &a);
            }
            decode => {
                let a: [f32; n] = scale(&h, 3.0);
                step(&mut memory, &a);
                y = add(&memory, &a);
            },
        }
    }

    /// A match as a value: of a declaration, of rows, and of a stage.
    graph Chosen {
        variant how { once, twice }
        variant finish { plain, doubled, tripled }
        input x: [f32; 4];
        let a: [f32; 4] = match how {
            once => scale(&x, 1.0),
            twice => {
                let t: [f32; 4] = scale(&x, 2.0);
                match finish {
                    plain => { scale(&t, 1.0) }
                    _ => add(&t, &x),
                }
            }
        };
        output y: [f32; 4];
        y[..2] = match how { once => scale(&a[..2], 1.0), twice => { scale(&a[..2], -1.0) } };
        y[2..] = ended(&a[2..]);
    }
    stage ended(x: &[f32; n]) -> [f32; n] {
        let t: [f32; n] = scale(&x, 10.0);
        match finish {
            plain => { add(&t, &x) }
            doubled => scale(&t, 2.0),
            tripled => { match how { once => scale(&t, 3.0), twice => { scale(&t, 30.0) } } }
        }
    }

    /// Chosen in a stage, in a loop, and inside one another.
    graph Nested {
        variant rounds { one, two }
        variant finish { plain, doubled, tripled }
        input x: [f32; 4];
        let t: [f32; 4] = scale(&x, 1.0);
        for l in 0..3 {
            match rounds {
                two => { let u: [f32; 4] = round(&t); step(&mut t, &u); }
                _ => {}
            }
            step(&mut t, &x);
        }
        output y: [f32; 4];
        match rounds {
            one => { y = scale(&t, 1.0); }
            two => {
                match finish {
                    plain => { y = scale(&t, -1.0); }
                    _ => { y = round(&t); }
                }
            }
        }
    }
    stage round(x: &[f32; n]) -> [f32; n] {
        let a: [f32; n];
        match finish {
            plain => { a = scale(&x, 1.0); }
            doubled => { a = scale(&x, 2.0); }
            tripled => { let b: [f32; n] = scale(&x, 2.0); a = add(&b, &x); }
        }
        scale(&a, 1.0)
    }

    /// In lanes.
    graph Lanes {
        dim n in 1..=256;
        pipelined 2;
        streams 2;
        resident input weights: [f32; n];
        input x: [f32; n];
        input z: [f32; 2 * n];
        scalar by: f32;
        variant what { sums, scales }
        output y: [f32; n];
        output s: [f32; 1];
        match what {
            sums => {
                y = add(&x, &weights);
                s = total(&z);
            }
            scales => {
                let t: [f32; n] = scale(&x, by);
                y = add(&t, &weights);
                s = total(&t);
            }
        }
    }

    /// Names that mean something elsewhere.
    graph Odd {
        variant r#type { some, none, ok, self_ }
        variant dims_of { r#fn }
        input x: [f32; 2];
        output y: [f32; 2];
        match r#type {
            some => { y = scale(&x, 1.0); }
            self_ => { y = scale(&x, 4.0); }
            ok => { y = scale(&x, 3.0); }
            none => { y = scale(&x, 2.0); }
        }
        match dims_of { _ => {} }
    }

    /// Arms that need room of different size.
    graph Sizes {
        variant size { small, large }
        input x: [f32; 4096];
        let after: [f32; 4096];
        output y: [f32; 4096];
        match size {
            small => { let a: [f32; 4096] = scale(&x, 1.0); after = scale(&a, 1.0); }
            large => {
                let a: [f32; 4096] = scale(&x, 1.0);
                let b: [f32; 4096] = scale(&a, 2.0);
                let c: [f32; 4096] = add(&a, &b);
                let d: [f32; 4096] = add(&a, &c);
                let e: [f32; 4096] = add(&b, &d);
                after = add(&c, &e);
            }
        }
        y = scale(&after, 1.0);
    }
}

mod host {
    pub fn add<D>(x: &[f32], y: &[f32], out: &mut [f32], _: D) {
        assert!(x.first() != Some(&-13.0), "thirteen");
        out.iter_mut()
            .zip(x.iter().zip(y))
            .for_each(|(o, (x, y))| *o = x + y);
    }
    pub fn step<D>(sum: &mut [f32], by: &[f32], _: D) {
        sum.iter_mut().zip(by).for_each(|(s, b)| *s += b);
    }
    pub fn scale<D>(x: &[f32], by: f32, out: &mut [f32], _: D) {
        out.iter_mut().zip(x).for_each(|(o, x)| *o = x * by);
    }
    pub fn total<D>(x: &[f32], out: &mut [f32], _: D) {
        out[0] = x.iter().sum();
    }
}

use model::Mode;

/// What the graph `Model` does, one element at a time.
#[derive(Default)]
struct Expected {
    memory: f32,
}

impl Expected {
    fn run(&mut self, x: f32, by: f32, weight: f32, mode: Mode) -> f32 {
        let h = x * by;
        match mode {
            Mode::Prefill => {
                let (a, b) = (h + weight, h * 2.0);
                self.memory += a + b;
                a + b + a
            }
            Mode::Decode => {
                let a = h * 3.0;
                self.memory += a;
                self.memory + a
            }
        }
    }
}

fn loaded(device: &Device) -> Model {
    let mut graph = Model::load(device, model::Dims { n: 3 }).unwrap();
    graph.set_weights(&[1.0, 2.0, 3.0]).unwrap();
    graph
}

/// The mode of each of many runs, in an order without a period.
fn modes(count: u32) -> impl Iterator<Item = (u32, Mode)> {
    (0..count).map(|i| match (i * i / 3 + i / 5) % 2 {
        0 => (i, Mode::Prefill),
        _ => (i, Mode::Decode),
    })
}

#[test]
fn variants_take_turns_in_one_arena_and_update_one_inout() {
    on_each_device(|device| {
        let mut graph = loaded(device);
        let mut expected = [(); 3].map(|()| Expected::default());
        for (i, mode) in modes(40) {
            let x = [i as f32, 1.0, -2.0];
            let by = (i % 4) as f32;
            let run = graph.run(model::Inputs { x: &x, by, mode }).unwrap();
            let mut weight = 0.0;
            let y = [0, 1, 2].map(|k| {
                weight += 1.0;
                expected[k].run(x[k], by, weight, mode)
            });
            match i % 5 {
                // Neither waited for nor read: the next run finds it in flight.
                0 => {}
                #[allow(
                    clippy::forget_non_drop,
                    reason = "that there is nothing to drop is the point"
                )]
                1 => std::mem::forget(run),
                2 => assert_eq!(*run.y().unwrap().detach().unwrap().to_vec().unwrap(), y),
                3 => {
                    run.wait().unwrap();
                    assert!(run.is_finished());
                }
                _ => assert_eq!(run.y().unwrap().to_vec().unwrap(), y, "run {i}"),
            }
        }
    });
}

#[test]
fn try_run_sees_the_run_of_another_variant() {
    on_each_device(|device| {
        let mut graph = loaded(device);
        let mut refused = 0;
        for (_, mode) in modes(30) {
            let inputs = model::Inputs {
                x: vec![1.0; 3],
                by: 1.0,
                mode,
            };
            match graph.try_run(inputs.clone()).map(drop) {
                Ok(()) => {}
                Err(error) => {
                    assert_eq!(
                        error,
                        RunError::InFlight {
                            graph: "Model",
                            lane: 0,
                            depth: 1
                        }
                    );
                    refused += 1;
                    graph.run(inputs).unwrap();
                }
            }
        }
        assert!(refused < 30);
    });
}

#[test]
fn a_panic_in_one_variant_poisons_the_inout_for_the_other() {
    on_each_device(|device| {
        let mut graph = loaded(device);
        let run = |graph: &mut Model, x: f32, mode| {
            let inputs = model::Inputs {
                x: &[x; 3],
                by: 1.0,
                mode,
            };
            graph.run(inputs)?.y()?.to_vec()
        };
        for (first, then) in [(Mode::Prefill, Mode::Decode), (Mode::Decode, Mode::Prefill)] {
            graph.reset().unwrap();
            assert_eq!(run(&mut graph, 1.0, Mode::Decode), Ok(vec![6.0; 3]));
            // `add` in prefill is given `h`; in decode the memory.
            let fatal = match first {
                Mode::Prefill => -13.0,
                Mode::Decode => -16.0 / 3.0,
            };
            let failed = run(&mut graph, fatal, first);
            if !matches!(failed, Err(RunError::Panicked { .. })) {
                assert_eq!(first, Mode::Decode, "{failed:?}");
                continue;
            }
            for mode in [then, first] {
                let refused = run(&mut graph, 1.0, mode);
                assert_eq!(refused, Err(RunError::Poisoned { graph: "Model" }));
            }
            graph.reset().unwrap();
            assert_eq!(run(&mut graph, 1.0, then), run_alone(then));
        }
    });
}

/// The first run of a graph with an input of ones.
fn run_alone(mode: Mode) -> Result<Vec<f32>, RunError> {
    let y = [1.0, 2.0, 3.0].map(|weight| Expected::default().run(1.0, 1.0, weight, mode));
    Ok(y.to_vec())
}

#[test]
fn matches_stand_in_stages_loops_and_one_another() {
    use nested::{Finish, Rounds};
    on_each_device(|device| {
        let mut graph = Nested::load(device, nested::Dims {}).unwrap();
        let x = [1.0, -2.0, 0.5, 3.0];
        for rounds in [Rounds::One, Rounds::Two] {
            for finish in [Finish::Plain, Finish::Doubled, Finish::Tripled] {
                let round = |x: f32| match finish {
                    Finish::Plain => x,
                    Finish::Doubled => 2.0 * x,
                    Finish::Tripled => 3.0 * x,
                };
                let expected = x.map(|x| {
                    let mut t = x;
                    for _ in 0..3 {
                        if rounds == Rounds::Two {
                            t += round(t);
                        }
                        t += x;
                    }
                    match (rounds, finish) {
                        (Rounds::One, _) => t,
                        (_, Finish::Plain) => -t,
                        _ => round(t),
                    }
                });
                let inputs = nested::Inputs {
                    x: &x,
                    rounds,
                    finish,
                };
                let run = graph.run(inputs).unwrap();
                assert_eq!(run.y().unwrap().to_vec().unwrap(), expected);
            }
        }
    });
    assert_eq!(Nested::RECORD.variants().len(), 6);
    let names: Vec<_> = Nested::RECORD
        .variants()
        .iter()
        .map(|(name, _)| *name)
        .collect();
    assert_eq!(names[4], "rounds=two, finish=doubled");
}

#[test]
fn lanes_run_different_variants_side_by_side() {
    use lanes::What;
    on_each_device(|device| {
        let mut graph = Lanes::load(device, lanes::Dims { n: 2 }).unwrap();
        graph.set_weights(&[10.0, 20.0]).unwrap();
        let [mut a, mut b] = graph.lanes();
        for i in 0..20u8 {
            let x = [f32::from(i), 1.0];
            let z = [1.0, 2.0, 3.0, f32::from(i)];
            let inputs = |what| lanes::Inputs {
                x: &x,
                z: &z,
                by: 2.0,
                what,
            };
            let what = |n: u8| {
                if n.is_multiple_of(3) {
                    What::Sums
                } else {
                    What::Scales
                }
            };
            let (first, second) = (
                a.run(inputs(what(i))).unwrap(),
                b.run(inputs(what(i / 2))).unwrap(),
            );
            for (run, what) in [(&second, what(i / 2)), (&first, what(i))] {
                let (y, s) = match what {
                    What::Sums => ([x[0] + 10.0, 21.0], 6.0 + f32::from(i)),
                    What::Scales => ([2.0 * x[0] + 10.0, 22.0], 2.0 * x[0] + 2.0),
                };
                if i % 2 == 0 {
                    assert_eq!(run.s().unwrap().to_vec().unwrap(), [s]);
                }
                assert_eq!(run.y().unwrap().to_vec().unwrap(), y);
            }
        }
    });
}

#[test]
fn what_a_run_of_one_variant_owned_goes_when_another_begins() {
    let mut graph = loaded(&gpu_graph::host());
    let x: Arc<[f32]> = Arc::from([1.0f32; 3]);
    let by = 1.0;
    graph
        .run(model::Inputs {
            x: &x,
            by,
            mode: Mode::Prefill,
        })
        .unwrap()
        .wait()
        .unwrap();
    assert_eq!(Arc::strong_count(&x), 2);
    graph
        .run(model::Inputs {
            x: &[1.0; 3],
            by,
            mode: Mode::Decode,
        })
        .unwrap()
        .wait()
        .unwrap();
    assert_eq!(Arc::strong_count(&x), 1);
}

#[test]
fn a_graph_dropped_in_flight_ends_its_run() {
    on_each_device(|device| {
        let x: Arc<[f32]> = Arc::from([1.0f32; 3]);
        for (_, mode) in modes(6) {
            let mut graph = loaded(device);
            graph
                .run(model::Inputs {
                    x: &x,
                    by: 1.0,
                    mode,
                })
                .unwrap();
            let other = if mode == Mode::Decode {
                Mode::Prefill
            } else {
                Mode::Decode
            };
            graph
                .run(model::Inputs {
                    x: &x,
                    by: 1.0,
                    mode: other,
                })
                .unwrap();
            drop(graph);
        }
    });
}

#[test]
fn names_of_variants_may_be_those_of_other_things() {
    use odd::Type;
    let mut graph = Odd::load(&gpu_graph::host(), odd::Dims {}).unwrap();
    let values = [Type::Some, Type::None, Type::Ok, Type::Self0];
    for (value, by) in values.into_iter().zip([1.0, 2.0, 3.0, 4.0]) {
        let inputs = odd::Inputs {
            x: &[1.0, 2.0],
            r#type: value,
            dims_of: odd::DimsOf::Fn,
        };
        let run = graph.run(inputs).unwrap();
        assert_eq!(run.y().unwrap().to_vec().unwrap(), [by, 2.0 * by]);
    }
}

#[test]
fn the_arena_is_that_of_the_largest_variant() {
    let record = Sizes::RECORD;
    let [small, large] = ["size=small", "size=large"].map(|name| record.variant(name).unwrap());
    assert!(small.arena_bytes() < large.arena_bytes());
    assert_eq!(record.arena_bytes(), large.arena_bytes());
    assert_eq!(record.tasks(), large.tasks());
    assert_eq!(record.variant("size=huge"), None);
    // Both arms have an `a` of their own.
    let [in_small, in_large] = ["size=small.a", "size=large.a"];
    assert!(small.explain(in_small, "y").is_ok() && small.explain(in_large, "y").is_err());
    assert!(record.explain(in_large, "y").is_ok());
    assert!(record.explain(in_small, in_large).is_err());
    insta::assert_snapshot!(record.text().split("\n\nvariant").next().unwrap());
}

#[test]
fn a_match_is_the_value_that_its_arm_ends_with() {
    use chosen::{Finish, How};
    on_each_device(|device| {
        let mut graph = Chosen::load(device, chosen::Dims {}).unwrap();
        for (how, finish, expected) in [
            (How::Once, Finish::Plain, [1.0, 2.0, 33.0, 44.0]),
            (How::Once, Finish::Tripled, [1.0, 2.0, 90.0, 120.0]),
            (How::Twice, Finish::Plain, [-2.0, -4.0, 66.0, 88.0]),
            (How::Twice, Finish::Doubled, [-3.0, -6.0, 180.0, 240.0]),
            (How::Twice, Finish::Tripled, [-3.0, -6.0, 2700.0, 3600.0]),
        ] {
            let x = &[1.0, 2.0, 3.0, 4.0];
            let run = graph.run(chosen::Inputs { x, how, finish }).unwrap();
            assert_eq!(run.y().unwrap().to_vec().unwrap(), expected);
        }
    });
}
