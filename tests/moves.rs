//! Staging, copies and callbacks, on the host and on the simulated device.
#![forbid(unsafe_code)]

mod common;

use common::on_each_device;

/// Host memory that is filled, copied to the device, refilled, and copied back.
mod staging {
    use super::on_each_device;

    gpu_graph::gpu_graph! {
        kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }
        /// Fills with a number.
        callback fill(with: f32) -> [f32; n] { host host::fill }
        callback twice(x: &mut [f32; n]) { host host::twice }

        /// One buffer for two contents: each copy is over before the refill.
        graph Refilled {
            dim n in 1..=256;
            streams 3;
            scalar k: f32;
            scalar v: f32;
            staging pin: [f32; n] = fill(k);
            let a: [f32; n] = upload(&pin);
            pin = fill(v);
            let b: [f32; n] = upload(&pin);
            output sum: [f32; n] = add(&a, &b);
        }

        /// Two buffers in one storage, by demand.
        graph Aliased {
            dim n in 1..=256;
            streams 3;
            scalar k: f32;
            scalar v: f32;
            staging first: [f32; n] = fill(k);
            'copy: let a: [f32; n] = upload(&first);
            'refill: staging second: [f32; n] = fill(v);
            order 'copy -> 'refill;
            alias second with first;
            let b: [f32; n] = upload(&second);
            output sum: [f32; n] = add(&a, &b);
        }

        /// There and back, some rows at a time.
        graph Halves {
            dim n in 2..=256;
            input x: [f32; n];
            staging s: [f32; n];
            s[..n / 2] = download(&x[..n / 2]);
            s[n / 2..] = download(&x[n / 2..]);
            twice(&mut s[..n / 2]);
            output y: [f32; n];
            y[n / 2..] = upload(&s[n / 2..]);
            y[..n / 2] = upload(&s[..n / 2]);
        }

        /// Each lane has its own copy.
        graph Lanes {
            dim n in 1..=256;
            pipelined 2;
            scalar k: f32;
            staging s: [f32; n] ring 2 = fill(k);
            twice(&mut s);
            output y: [f32; n] = upload(&s);
        }
    }

    mod host {
        pub fn add(x: &[f32], y: &[f32], out: &mut [f32], _: super::add::Dims) {
            out.iter_mut()
                .zip(x.iter().zip(y))
                .for_each(|(o, (x, y))| *o = x + y);
        }
        pub fn fill(with: f32, out: &mut [f32], _: super::fill::Dims) {
            out.fill(with);
        }
        pub fn twice(x: &mut [f32], _: super::twice::Dims) {
            x.iter_mut().for_each(|x| *x *= 2.0);
        }
    }

    #[test]
    fn h25_a_refill_waits_for_the_copy_that_reads_the_storage() {
        on_each_device(|device| {
            let mut graph = Refilled::load(device, refilled::Dims { n: 9 }).unwrap();
            for k in [1.0, 5.0] {
                let run = graph.run(refilled::Inputs { k, v: 32.0 }).unwrap();
                assert_eq!(run.sum().unwrap().to_vec().unwrap(), vec![k + 32.0; 9]);
            }
            let mut graph = Aliased::load(device, aliased::Dims { n: 9 }).unwrap();
            for k in [1.0, 5.0] {
                let run = graph.run(aliased::Inputs { k, v: 32.0 }).unwrap();
                assert_eq!(run.sum().unwrap().to_vec().unwrap(), vec![k + 32.0; 9]);
            }
        });
        let shared = Aliased::RECORD.explain("first", "second").unwrap();
        assert!(shared.to_string().contains("share"), "{shared}");
        assert!(Refilled::RECORD.to_string().contains("pin: staging"));
    }

    #[test]
    fn rows_are_copied_both_ways() {
        on_each_device(|device| {
            let mut graph = Halves::load(device, halves::Dims { n: 5 }).unwrap();
            let x = &[1.0, 2.0, 3.0, 4.0, 5.0];
            let run = graph.run(halves::Inputs { x }).unwrap();
            let expected = [2.0, 4.0, 3.0, 4.0, 5.0];
            assert_eq!(run.y().unwrap().to_vec().unwrap(), expected);
        });
    }

    #[test]
    fn each_lane_fills_a_copy_of_its_own() {
        on_each_device(|device| {
            let mut graph = Lanes::load(device, lanes::Dims { n: 3 }).unwrap();
            let [mut a, mut b] = graph.lanes();
            for round in 0..3 {
                let k = round as f32;
                let x = a.run(lanes::Inputs { k }).unwrap();
                let y = b.run(lanes::Inputs { k: k + 10.0 }).unwrap();
                assert_eq!(x.y().unwrap().to_vec().unwrap(), vec![2.0 * k; 3]);
                assert_eq!(y.y().unwrap().to_vec().unwrap(), vec![2.0 * k + 20.0; 3]);
            }
        });
    }
}

/// Callbacks that do what only the host outside of a run can.
mod inside {
    use std::sync::Mutex;

    use super::on_each_device;
    use gpu_graph::{Device, LoadError, RunError};

    gpu_graph::gpu_graph! {
        kernel copy(x: &[f32; n]) -> [f32; n] { host host::copy }
        callback meddle(x: &[f32; n]) -> [u32; 4] { host host::meddle }

        graph Inner {
            dim n in 1..=8;
            input x: [f32; n];
            output y: [f32; n] = copy(&x);
        }

        graph Outer {
            dim n in 1..=8;
            input x: [f32; n];
            staging s: [f32; n] = download(&x);
            staging found: [u32; 4] = meddle(&s);
            output seen: [u32; 4] = upload(&found);
        }
    }

    /// What a callback may try.
    struct Within {
        device: Device,
        idle: Inner,
        run: inner::Run<'static>,
        dropped: Option<Inner>,
    }

    static WITHIN: Mutex<Option<Within>> = Mutex::new(None);

    mod host {
        use super::*;

        pub fn copy(x: &[f32], out: &mut [f32], _: super::copy::Dims) {
            out.copy_from_slice(x);
        }

        pub fn meddle(_: &[f32], out: &mut [u32], _: super::meddle::Dims) {
            let mut within = WITHIN.lock().unwrap();
            let Within {
                device,
                idle,
                run,
                dropped,
            } = within.as_mut().unwrap();
            let refused = idle.run(inner::Inputs { x: &[1.0] }).err();
            out[0] = matches!(refused, Some(RunError::InsideKernel { .. })).into();
            let load = Inner::load(device, inner::Dims { n: 1 }).err();
            out[1] = matches!(load, Some(LoadError::InsideKernel { .. })).into();
            let waited = run.wait().err();
            out[2] = matches!(waited, Some(RunError::InsideKernel { .. })).into();
            drop(dropped.take());
            out[3] = 1;
        }
    }

    #[test]
    fn h31_a_callback_that_runs_loads_or_waits_gets_an_error_and_may_drop_a_graph() {
        on_each_device(|device| {
            let load = || Inner::load(device, inner::Dims { n: 1 }).unwrap();
            let mut dropped = load();
            // In flight perhaps when it is dropped.
            dropped.run(inner::Inputs { x: &[2.0] }).unwrap();
            *WITHIN.lock().unwrap() = Some(Within {
                device: device.clone(),
                idle: load(),
                run: Box::leak(Box::new(load()))
                    .run(inner::Inputs { x: &[3.0] })
                    .unwrap(),
                dropped: Some(dropped),
            });
            let mut graph = Outer::load(device, outer::Dims { n: 3 }).unwrap();
            let run = graph.run(outer::Inputs { x: &[0.0; 3] }).unwrap();
            assert_eq!(run.seen().unwrap().to_vec().unwrap(), [1; 4]);
            let mut within = WITHIN.lock().unwrap().take().unwrap();
            // What was refused has left the graph as it was.
            let run = within.idle.run(inner::Inputs { x: &[4.0] }).unwrap();
            assert_eq!(run.y().unwrap().to_vec().unwrap(), [4.0]);
        });
    }
}

/// What a library keeps behind its call, on three streams.
mod retained {
    use super::on_each_device;

    gpu_graph::gpu_graph! {
        kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }
        kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }
        kernel wait(x: &[f32; n]) -> [f32; n] { host host::copy }
        /// Goes on behind its call.
        opaque reduce(x: &[f32; n]) -> [f32; n] { host host::copy_all, retains x }

        /// `late` takes the storage of `a` once the reduction was waited for.
        graph Waited {
            dim n in 2..=256;
            streams 3;
            input x: [f32; n];
            let a: [f32; n] = scale(&x, 2.0);
            view front = &a[..n];
            'reduce: let b: [f32; n] = reduce(&front) retains front until 'wait;
            'wait: let c: [f32; n] = wait(&b);
            let late: [f32; n] = add(&c, &x);
            alias late with a;
            output y: [f32; n] = scale(&late, 0.5);
        }

        /// Writes on behind its call.
        opaque read(x: &[f32; n]) -> [f32; n] { host host::read, retains result }
        /// The same, over what is there.
        opaque add_to(x: &mut [f32; n], by: f32) { host host::add_to, retains x }

        stage read_twice(x: &[f32; n], second: &mut [f32; n]) -> [f32; n] {
            add_to(&mut second, 1.0);
            read(&x)
        }

        /// Nobody touches `a` and `b` before the wait, `beside` is made meanwhile, and `late` takes
        /// the storage of `a` behind.
        graph Unfinished {
            dim n in 2..=256;
            streams 3;
            input x: [f32; n];
            let b: [f32; n] = scale(&x, 3.0);
            let a: [f32; n] = read_twice(&x, &mut b) retains a until 'wait, b until 'wait;
            let beside: [f32; n] = scale(&x, 5.0);
            'wait: let c: [f32; n] = wait(&x);
            let sum: [f32; n] = add(&a, &b);
            let late: [f32; n] = add(&sum, &beside);
            alias late with a;
            output y: [f32; n] = add(&late, &c);
        }

        /// What is written on is an output: the host reads it behind the wait.
        graph ReadInto {
            dim n in 2..=256;
            input x: [f32; n];
            output y: [f32; n] = read(&x) retains y until 'wait;
            'wait: output z: [f32; n] = wait(&x);
        }

        /// Nothing orders `early` behind the wait, so it has storage of its own.
        graph Early {
            dim n in 2..=256;
            streams 3;
            input x: [f32; n];
            let a: [f32; n] = scale(&x, 2.0);
            'reduce: let b: [f32; n] = reduce(&a) retains a until 'wait;
            let early: [f32; n] = scale(&b, 3.0);
            'wait: let c: [f32; n] = wait(&b);
            output y: [f32; n] = add(&c, &early);
        }
    }

    mod host {
        pub fn scale(x: &[f32], by: f32, out: &mut [f32], _: super::scale::Dims) {
            out.iter_mut().zip(x).for_each(|(o, x)| *o = x * by);
        }
        pub fn add(x: &[f32], y: &[f32], out: &mut [f32], _: super::add::Dims) {
            out.iter_mut()
                .zip(x.iter().zip(y))
                .for_each(|(o, (x, y))| *o = x + y);
        }
        pub fn copy(x: &[f32], out: &mut [f32], _: super::wait::Dims) {
            out.copy_from_slice(x);
        }
        pub fn copy_all(x: &[f32], out: &mut [f32], _: super::reduce::Dims) {
            out.copy_from_slice(x);
        }
        pub fn read(x: &[f32], out: &mut [f32], _: super::read::Dims) {
            out.copy_from_slice(x);
        }
        pub fn add_to(x: &mut [f32], by: f32, _: super::add_to::Dims) {
            x.iter_mut().for_each(|x| *x += by);
        }
    }

    #[test]
    fn what_is_written_behind_its_call_is_used_behind_the_wait() {
        on_each_device(|device| {
            let x = &[1.0, 2.0, 3.0];
            let mut graph = Unfinished::load(device, unfinished::Dims { n: 3 }).unwrap();
            let run = graph.run(unfinished::Inputs { x }).unwrap();
            assert_eq!(run.y().unwrap().to_vec().unwrap(), [11.0, 21.0, 31.0]);
            let mut graph = ReadInto::load(device, read_into::Dims { n: 3 }).unwrap();
            let run = graph.run(read_into::Inputs { x }).unwrap();
            assert_eq!(run.y().unwrap().to_vec().unwrap(), x);
        });
        let record = Unfinished::RECORD.to_string();
        for held in ["read_twice.read retains a", "retains b"] {
            assert!(record.contains(held), "{record}");
        }
    }

    #[test]
    fn h01_storage_is_reused_behind_the_wait_and_not_before() {
        on_each_device(|device| {
            let x = &[1.0, 2.0, 3.0];
            let mut graph = Waited::load(device, waited::Dims { n: 3 }).unwrap();
            let run = graph.run(waited::Inputs { x }).unwrap();
            assert_eq!(run.y().unwrap().to_vec().unwrap(), [1.5, 3.0, 4.5]);
            let mut graph = Early::load(device, early::Dims { n: 3 }).unwrap();
            let run = graph.run(early::Inputs { x }).unwrap();
            assert_eq!(run.y().unwrap().to_vec().unwrap(), [8.0, 16.0, 24.0]);
        });
        let record = Waited::RECORD.to_string();
        assert!(record.contains("`'reduce retains front`"), "{record}");
        let apart = Early::RECORD.explain("early", "a").unwrap().to_string();
        assert!(apart.contains("retains a"), "{apart}");
    }
}

/// Addresses for code outside of the language.
mod escaped {
    use super::on_each_device;

    gpu_graph::gpu_graph! {
        kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }
        kernel add_to(x: &mut [f32; n], y: &[f32; n]) { host host::add_to }

        graph Handed {
            dim n in 1..=256;
            input x: [f32; n];
            inout sum: [f32; n];
            let a: [f32; n] = scale(&x, 2.0);
            /// Where `a` is.
            escape a as a_at owned by run;
            escape sum as sum_at owned by graph;
            stable address sum;
            stable address a;
            output first: [f32; n] = scale(&a, 3.0);
            let b: [f32; n] = scale(&first, 2.0);
            add_to(&mut sum, &b);
            output y: [f32; n] = scale(&sum, 1.0);
            escape y as y_at owned by run;
        }
    }

    mod host {
        pub fn scale(x: &[f32], by: f32, out: &mut [f32], _: super::scale::Dims) {
            out.iter_mut().zip(x).for_each(|(o, x)| *o = x * by);
        }
        pub fn add_to(x: &mut [f32], y: &[f32], _: super::add_to::Dims) {
            x.iter_mut().zip(y).for_each(|(x, y)| *x += y);
        }
    }

    #[test]
    fn an_address_is_the_same_in_every_run_and_points_to_what_no_other_shares() {
        on_each_device(|device| {
            let mut graph = Handed::load(device, handed::Dims { n: 2 }).unwrap();
            let (sum, len) = {
                let escaped = graph.sum_at().unwrap();
                (escaped.address(), escaped.len())
            };
            assert_eq!(len, 2);
            let mut seen = Vec::new();
            for round in 1..3 {
                let x = &[1.0, 10.0];
                let run = graph.run(handed::Inputs { x }).unwrap();
                assert_eq!(run.first().unwrap().to_vec().unwrap(), [6.0, 60.0]);
                let expected = [12.0, 120.0].map(|y: f32| y * round as f32);
                assert_eq!(run.y().unwrap().to_vec().unwrap(), expected);
                let (a, y) = (run.a_at().unwrap(), run.y_at().unwrap());
                assert_ne!(a.address(), y.address());
                if let Some(y_seen) = run.y().unwrap().as_slice() {
                    assert_eq!(y_seen.as_ptr(), y.address());
                }
                assert_eq!(a.len(), 2);
                seen.push((a.address(), y.address()));
            }
            assert_eq!(seen[0], seen[1]);
            assert_eq!(graph.sum_at().unwrap().address(), sum);
        });
        let record = Handed::RECORD.to_string();
        assert!(record.contains("a: escape"), "{record}");
        assert!(record.contains("the same in every run"), "{record}");
    }
}

/// Storage that updates and loops share.
mod shared {
    use super::on_each_device;
    use gpu_graph::explain::Storage;

    gpu_graph::gpu_graph! {
        kernel scale(x: &[f32; n], by: f32) -> [f32; n] {
            host host::scale,
            in place x host host::scale_in_place,
        }
        kernel bump(x: &mut [f32; n], by: f32) { host host::bump }

        /// Two updates of parts of one resource, whose last result nothing inside uses.
        graph Tied {
            dim n in 2..=256;
            input x: [f32; n];
            let t: [f32; n] = scale(&x, 1.0);
            output u: [f32; n] = scale(&t, 2.0);
            bump(&mut u[..n / 2], 10.0);
            bump(&mut u[n / 2..], 20.0);
        }

        /// `inv` is read in each iteration, between which `scratch` comes and goes.
        graph Loop {
            dim n in 2..=256;
            input x: [f32; n];
            let t: [f32; n] = scale(&x, 1.0);
            let inv: [f32; n] = scale(&t, 2.0);
            output y: [f32; 3 * n];
            for i in 0..3 {
                let scratch: [f32; n] = scale(&inv, 0.5);
                bump(&mut scratch, 1.0);
                y[i * n..(i + 1) * n] = scale(&scratch, 3.0);
            }
        }
    }

    mod host {
        pub fn scale(x: &[f32], by: f32, out: &mut [f32], _: super::scale::Dims) {
            out.iter_mut().zip(x).for_each(|(o, x)| *o = x * by);
        }
        pub fn scale_in_place(x: &mut [f32], by: f32, _: super::scale::Dims) {
            x.iter_mut().for_each(|x| *x *= by);
        }
        pub fn bump(x: &mut [f32], by: f32, _: super::bump::Dims) {
            x.iter_mut().for_each(|x| *x += by);
        }
    }

    #[test]
    fn h32_operand_and_result_of_an_update_share_storage_that_is_used_outside() {
        on_each_device(|device| {
            let mut graph = Tied::load(device, tied::Dims { n: 3 }).unwrap();
            let run = graph
                .run(tied::Inputs {
                    x: &[1.0, 2.0, 3.0],
                })
                .unwrap();
            assert_eq!(run.u().unwrap().to_vec().unwrap(), [12.0, 24.0, 26.0]);
        });
        let shared = Tied::RECORD.explain("t", "u").unwrap().to_string();
        assert!(shared.contains("in place"), "{shared}");
    }

    #[test]
    fn h34_what_a_loop_reads_lives_through_all_of_it() {
        on_each_device(|device| {
            let mut graph = Loop::load(device, r#loop::Dims { n: 2 }).unwrap();
            let run = graph.run(r#loop::Inputs { x: &[1.0, 2.0] }).unwrap();
            let expected = [6.0, 9.0, 6.0, 9.0, 6.0, 9.0];
            assert_eq!(run.y().unwrap().to_vec().unwrap(), expected);
        });
        for i in 0..2 {
            let scratch = format!("i={i}.scratch");
            let found = Loop::RECORD.explain(&scratch, "inv").unwrap();
            assert_eq!(found.storage, Storage::NotEligible, "{found}");
        }
    }
}
