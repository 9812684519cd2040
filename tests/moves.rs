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
