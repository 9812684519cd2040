//! Graphs of every shape that the language has, against plain Rust, on the host and on the simulated
//! device under many schedules.
#![forbid(unsafe_code)]

mod common;

use common::{noise, on_each_device};

/// A chain of elementwise kernels with a scalar, a literal and an extent as arguments.
mod chain {
    use super::{noise, on_each_device};

    gpu_graph::gpu_graph! {
        kernel scale(x: &[f32; n], by: f32) -> [f32; n] {
            over [n] block [256],
            host host::scale,
        }
        kernel shift(x: &[f32; n], by: i32, from: u64) -> [f32; n] { host host::shift }

        graph Chain {
            dim n in 1..=1000;
            scalar by: f32;
            input x: [f32; n];
            let a: [f32; n] = scale(&x, by);
            let b: [f32; n] = shift(&a, -3, 2 * n + 1);
            let c: [f32; n] = scale(&b, 0.5);
            output y: [f32; n] = shift(&c, 7i32, 4);
        }
    }

    mod host {
        pub fn scale(x: &[f32], by: f32, out: &mut [f32], dims: super::scale::Dims) {
            assert_eq!(dims.n, x.len());
            for (o, x) in out.iter_mut().zip(x) {
                *o = x * by;
            }
        }

        pub fn shift(x: &[f32], by: i32, from: u64, out: &mut [f32], _: super::shift::Dims) {
            for (o, x) in out.iter_mut().zip(x) {
                *o = x + by as f32 + from as f32;
            }
        }
    }

    #[test]
    fn a_chain_gives_what_its_functions_give() {
        on_each_device(|device| {
            for n in [1, 17, 1000] {
                let x = noise(n, 1);
                let mut graph = Chain::load(device, chain::Dims { n }).unwrap();
                let run = graph.run(chain::Inputs { x: &x, by: 3.0 }).unwrap();
                let last = (2 * n + 1) as f32;
                let expected = x.iter().map(|x| (x * 3.0 - 3.0 + last) * 0.5 + 7.0 + 4.0);
                assert!(run.y().unwrap().to_vec().unwrap().into_iter().eq(expected));
            }
        });
    }

    #[test]
    fn dims_at_their_bounds_load_and_beyond_them_do_not() {
        let device = gpu_graph::host();
        assert!(Chain::load(&device, chain::Dims { n: 1000 }).is_ok());
        assert!(Chain::load(&device, chain::Dims { n: 1001 }).is_err());
    }
}

/// Two branches of one input on two streams, joined; every reader of the input is waited for.
mod branches {
    use super::{noise, on_each_device};

    gpu_graph::gpu_graph! {
        kernel square(x: &[f32; n]) -> [f32; n] { host host::square }
        kernel negate(x: &[f32; n]) -> [f32; n] { host host::negate }
        kernel add(a: &[f32; n], b: &[f32; n]) -> [f32; n] { host host::add }

        graph Branches {
            dim n in 1..=512;
            streams 2;
            input x: [f32; n];
            let left: [f32; n] = square(&x);
            let right: [f32; n] = negate(&x);
            let left_again: [f32; n] = negate(&left);
            let right_again: [f32; n] = square(&right);
            output sum: [f32; n] = add(&left_again, &right_again);
            output left_out: [f32; n] = square(&left);
        }
    }

    mod host {
        pub fn square(x: &[f32], out: &mut [f32], _: super::square::Dims) {
            out.iter_mut().zip(x).for_each(|(o, x)| *o = x * x);
        }
        pub fn negate(x: &[f32], out: &mut [f32], _: super::negate::Dims) {
            out.iter_mut().zip(x).for_each(|(o, x)| *o = -x);
        }
        pub fn add(a: &[f32], b: &[f32], out: &mut [f32], _: super::add::Dims) {
            out.iter_mut()
                .zip(a.iter().zip(b))
                .for_each(|(o, (a, b))| *o = a + b);
        }
    }

    #[test]
    fn branches_join() {
        on_each_device(|device| {
            let x = noise(512, 2);
            let mut graph = Branches::load(device, branches::Dims { n: 512 }).unwrap();
            for _ in 0..3 {
                let run = graph.run(branches::Inputs { x: &x }).unwrap();
                assert_eq!(run.sum().unwrap().to_vec().unwrap(), vec![0.0; 512]);
                let fourth = x.iter().map(|x| x * x * (x * x));
                assert!(
                    run.left_out()
                        .unwrap()
                        .to_vec()
                        .unwrap()
                        .into_iter()
                        .eq(fourth)
                );
            }
        });
    }
}

/// Row bands with halos of one row, computed side by side into one output.
mod bands {
    use super::{noise, on_each_device};

    gpu_graph::gpu_graph! {
        /// Mean of each row and its neighbours, where there are any.
        kernel top(x: &[f32; r + 1, w]) -> [f32; r, w] { host host::top }
        kernel bottom(x: &[f32; r + 1, w]) -> [f32; r, w] { host host::bottom }

        graph Bands {
            dim h in 2..=64;
            dim w in 1..=16;
            input x: [f32; h, w];
            output y: [f32; h, w];
            y[..h / 2] = top(&x[..h / 2 + 1]);
            y[h / 2..] = bottom(&x[h / 2 - 1..]);
        }
    }

    mod host {
        fn mean(x: &[f32], w: usize, at: usize, rows: usize, out: &mut [f32]) {
            for (i, o) in out.iter_mut().enumerate() {
                let (row, column) = (at + i / w, i % w);
                let near = row.saturating_sub(1)..(row + 2).min(rows);
                let count = near.len() as f32;
                *o = near.map(|r| x[r * w + column]).sum::<f32>() / count;
            }
        }
        pub fn top(x: &[f32], out: &mut [f32], dims: super::top::Dims) {
            mean(x, dims.w, 0, dims.r + 1, out);
        }
        pub fn bottom(x: &[f32], out: &mut [f32], dims: super::bottom::Dims) {
            mean(x, dims.w, 1, dims.r + 1, out);
        }
        pub fn whole(x: &[f32], w: usize, out: &mut [f32]) {
            mean(x, w, 0, x.len() / w, out);
        }
    }

    #[test]
    fn bands_meet_without_a_seam() {
        on_each_device(|device| {
            for (h, w) in [(2, 1), (3, 16), (64, 16), (37, 5)] {
                let x = noise(h * w, 3);
                let mut expected = vec![0.0; h * w];
                host::whole(&x, w, &mut expected);
                let mut graph = Bands::load(device, bands::Dims { h, w }).unwrap();
                let run = graph.run(bands::Inputs { x: &x }).unwrap();
                assert_eq!(run.y().unwrap().to_vec().unwrap(), expected);
            }
        });
    }
}

/// An in-place form that the planner takes where it may, and `&mut` arguments of whole and parts.
mod updates {
    use super::{noise, on_each_device};

    gpu_graph::gpu_graph! {
        kernel start(x: &[f32; n]) -> [f32; n] { host host::start }
        kernel double(x: &[f32; n]) -> [f32; n] {
            host host::double,
            in place x host host::double_in_place,
        }
        kernel add_to(x: &mut [f32; n], by: f32) { host host::add_to }

        graph Updates {
            dim n in 2..=300;
            input x: [f32; n];
            let a: [f32; n] = start(&x);
            let b: [f32; n] = double(&a);
            add_to(&mut b, 1.0);
            add_to(&mut b[..n / 2], 2.0);
            add_to(&mut b[n / 2..], 3.0);
            output y: [f32; n] = double(&b);
        }
        /// The same, but `a` is read again, so that nothing may update it in place.
        graph Kept {
            dim n in 2..=300;
            input x: [f32; n];
            let a: [f32; n] = start(&x);
            let b: [f32; n] = double(&a);
            output y: [f32; n] = double(&b);
            output z: [f32; n] = start(&a);
        }
        /// The same again, with storage kept apart by demand.
        graph Apart {
            dim n in 2..=300;
            input x: [f32; n];
            let a: [f32; n] = start(&x);
            output y: [f32; n] = double(&a);
            separate a, y;
        }
    }

    mod host {
        pub fn start(x: &[f32], out: &mut [f32], _: super::start::Dims) {
            out.iter_mut().zip(x).for_each(|(o, x)| *o = x + 0.5);
        }
        pub fn double(x: &[f32], out: &mut [f32], _: super::double::Dims) {
            out.iter_mut().zip(x).for_each(|(o, x)| *o = x * 2.0);
        }
        pub fn double_in_place(x: &mut [f32], _: super::double::Dims) {
            x.iter_mut().for_each(|x| *x *= 2.0);
        }
        pub fn add_to(x: &mut [f32], by: f32, dims: super::add_to::Dims) {
            assert_eq!(dims.n, x.len());
            x.iter_mut().for_each(|x| *x += by);
        }
    }

    #[test]
    fn updates_happen_in_statement_order() {
        on_each_device(|device| {
            for n in [2, 3, 300] {
                let x = noise(n, 4);
                let mut graph = Updates::load(device, updates::Dims { n }).unwrap();
                let run = graph.run(updates::Inputs { x: &x }).unwrap();
                let add = |i: usize| if i < n / 2 { 2.0 } else { 3.0 };
                let expected = x.iter().enumerate();
                let expected = expected.map(|(i, x)| ((x + 0.5) * 2.0 + 1.0 + add(i)) * 2.0);
                assert!(run.y().unwrap().to_vec().unwrap().into_iter().eq(expected));
            }
        });
    }

    #[test]
    fn an_operand_that_is_read_again_stays() {
        on_each_device(|device| {
            let x = noise(300, 5);
            let mut graph = Kept::load(device, kept::Dims { n: 300 }).unwrap();
            let run = graph.run(kept::Inputs { x: &x }).unwrap();
            let y = x.iter().map(|x| (x + 0.5) * 4.0);
            assert!(run.y().unwrap().to_vec().unwrap().into_iter().eq(y));
            let z = x.iter().map(|x| x + 0.5 + 0.5);
            assert!(run.z().unwrap().to_vec().unwrap().into_iter().eq(z));

            let mut graph = Apart::load(device, apart::Dims { n: 300 }).unwrap();
            let run = graph.run(apart::Inputs { x: &x }).unwrap();
            let y = x.iter().map(|x| (x + 0.5) * 2.0);
            assert!(run.y().unwrap().to_vec().unwrap().into_iter().eq(y));
        });
    }

    #[test]
    fn the_record_says_which_storage_is_shared() {
        let (merged, apart) = (Updates::RECORD.to_string(), Apart::RECORD.to_string());
        assert!(merged.contains("in place"), "{merged}");
        assert_ne!(merged, apart);
        assert!(Updates::RECORD.dot().starts_with("digraph"));
    }
}

/// A demanded alias, a demanded order, a label, several outputs, each element type.
mod demands {
    use super::on_each_device;

    gpu_graph::gpu_graph! {
        kernel widen(x: &[u8; n]) -> [i64; n] { host host::widen }
        kernel invert(x: &[i64; n]) -> [i64; n] { host host::invert }
        kernel narrow(x: &[i64; n]) -> [i16; n] { host host::narrow }
        kernel count(x: &[i16; n], bins: &mut [u32; 4]) { host host::count }
        kernel zero() -> [u32; n] { host host::zero }

        graph Demands {
            dim n in 1..=99;
            budget 1 MiB;
            input x: [u8; n];
            let wide: [i64; n] = widen(&x);
            let inverse: [i64; n] = invert(&wide);
            let wide_again: [i64; n] = invert(&inverse);
            alias wide_again with wide;
            output bins: [u32; 4] = zero();
            output small: [i16; n];
            'narrow: small = narrow(&wide_again);
            'count: count(&small, &mut bins);
            order 'narrow -> 'count;
        }
    }

    mod host {
        pub fn widen(x: &[u8], out: &mut [i64], _: super::widen::Dims) {
            out.iter_mut().zip(x).for_each(|(o, x)| *o = i64::from(*x));
        }
        pub fn invert(x: &[i64], out: &mut [i64], _: super::invert::Dims) {
            out.iter_mut().zip(x).for_each(|(o, x)| *o = !x);
        }
        pub fn narrow(x: &[i64], out: &mut [i16], _: super::narrow::Dims) {
            out.iter_mut().zip(x).for_each(|(o, x)| *o = *x as i16);
        }
        pub fn count(x: &[i16], bins: &mut [u32], _: super::count::Dims) {
            x.iter().for_each(|x| bins[*x as usize % 4] += 1);
        }
        pub fn zero(out: &mut [u32], dims: super::zero::Dims) {
            assert_eq!((dims.n, out.len()), (4, 4));
            out.fill(0);
        }
    }

    #[test]
    fn demands_hold_and_results_are_right() {
        on_each_device(|device| {
            let x: Vec<u8> = (0..99).collect();
            let mut graph = Demands::load(device, demands::Dims { n: 99 }).unwrap();
            for _ in 0..2 {
                let run = graph.run(demands::Inputs { x: &x }).unwrap();
                assert_eq!(run.bins().unwrap().to_vec().unwrap(), [25, 25, 25, 24]);
                assert!(run.small().unwrap().to_vec().unwrap().into_iter().eq(0..99));
            }
        });
    }
}

/// Lanes of a pipelined graph, each with its own storage.
mod pipelined {
    use super::{noise, on_each_device};
    use gpu_graph::RunError;

    gpu_graph::gpu_graph! {
        kernel scale(x: &[f32; n], by: f32) -> [f32; n] { host host::scale }

        graph Lanes {
            pipelined 3;
            dim n in 1..=64;
            scalar by: f32;
            input x: [f32; n];
            let a: [f32; n] = scale(&x, by);
            output y: [f32; n] = scale(&a, by);
        }
    }

    mod host {
        pub fn scale(x: &[f32], by: f32, out: &mut [f32], _: super::scale::Dims) {
            out.iter_mut().zip(x).for_each(|(o, x)| *o = x * by);
        }
    }

    #[test]
    fn lanes_run_side_by_side() {
        on_each_device(|device| {
            let mut graph = Lanes::load(device, lanes::Dims { n: 64 }).unwrap();
            let inputs: Vec<_> = (0..9).map(|i| noise(64, i)).collect();
            let mut lanes = graph.lanes();
            for three in inputs.chunks(3) {
                let runs: Vec<_> = lanes
                    .iter_mut()
                    .zip(three)
                    .map(|(lane, x)| lane.run(lanes::Inputs { x, by: 0.5 }).unwrap())
                    .collect();
                for (run, x) in runs.iter().zip(three).rev() {
                    let expected = x.iter().map(|x| x * 0.25);
                    assert!(run.y().unwrap().to_vec().unwrap().into_iter().eq(expected));
                }
            }
        });
    }

    #[test]
    fn a_lane_is_busy_until_its_run_has_ended() {
        // Nothing runs on the simulated device before somebody waits.
        let device = gpu_graph::Device::with(std::sync::Arc::new(
            gpu_graph::driver::sim::SimDriver::new(0),
        ));
        let mut graph = Lanes::load(&device, lanes::Dims { n: 2 }).unwrap();
        let [mut first, mut second, _] = graph.lanes();
        let inputs = || lanes::Inputs {
            x: &[1.0, 2.0],
            by: 1.0,
        };
        let _ = first.try_run(inputs()).unwrap();
        assert!(second.try_run(inputs()).is_ok());
        let error = first.try_run(inputs()).unwrap_err();
        assert!(
            matches!(
                error,
                RunError::InFlight {
                    lane: 0,
                    depth: 3,
                    ..
                }
            ),
            "{error}"
        );
        assert_eq!(
            first.run(inputs()).unwrap().y().unwrap().to_vec().unwrap(),
            [1.0, 2.0]
        );
    }

    #[test]
    fn lanes_go_to_threads() {
        let device = gpu_graph::host();
        let mut graph = Lanes::load(&device, lanes::Dims { n: 8 }).unwrap();
        std::thread::scope(|scope| {
            for (i, mut lane) in graph.lanes().into_iter().enumerate() {
                scope.spawn(move || {
                    for round in 0..20 {
                        let x = vec![(i * 100 + round) as f32; 8];
                        let expected = x.clone();
                        let run = lane.run(lanes::Inputs { x, by: 1.0 }).unwrap();
                        assert_eq!(run.y().unwrap().to_vec().unwrap(), expected);
                    }
                });
            }
        });
    }
}

/// Graphs without inputs, without dims, without scalars, with one task or one output.
mod small {
    use super::on_each_device;

    gpu_graph::gpu_graph! {
        kernel iota() -> [u64; n] { host host::iota }
        kernel sum(x: &[u64; n]) -> [u64; 1] { host host::sum }

        graph Alone { output y: [u64; 5] = iota(); }
        graph Constant {
            let x: [u64; 6] = iota();
            output y: [u64; 1] = sum(&x);
        }
        graph Sized {
            dim n in 0..=9;
            let x: [u64; n] = iota();
            output y: [u64; 1] = sum(&x);
        }
    }

    mod host {
        pub fn iota(out: &mut [u64], _: super::iota::Dims) {
            (0..).zip(out).for_each(|(i, o)| *o = i);
        }
        pub fn sum(x: &[u64], out: &mut [u64], _: super::sum::Dims) {
            out[0] = x.iter().sum();
        }
    }

    #[test]
    fn nothing_is_needed_but_an_output() {
        on_each_device(|device| {
            let mut graph = Alone::load(device, alone::Dims {}).unwrap();
            let run = graph.run(alone::Inputs {}).unwrap();
            assert_eq!(run.y().unwrap().to_vec().unwrap(), [0, 1, 2, 3, 4]);
            let mut graph = Constant::load(device, constant::Dims {}).unwrap();
            assert_eq!(
                graph
                    .run(constant::Inputs {})
                    .unwrap()
                    .y()
                    .unwrap()
                    .to_vec()
                    .unwrap(),
                [15]
            );
            let mut graph = Sized::load(device, sized::Dims { n: 3 }).unwrap();
            assert_eq!(
                graph
                    .run(sized::Inputs {})
                    .unwrap()
                    .y()
                    .unwrap()
                    .to_vec()
                    .unwrap(),
                [3]
            );
        });
    }
}
