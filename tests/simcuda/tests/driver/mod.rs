//! Graphs of the language on the CUDA driver, which the shim serves.

#![allow(dead_code, reason = "each test uses what it needs")]

use std::cell::Cell;
use std::sync::Once;

use gpu_graph::{Device, cuda};
use simcuda::abi::Effect;
use simcuda::client::{Args, Kernel, Param, Shim, open};

pub mod kernels {
    use super::{add, bump, scale};

    pub fn scale(x: &[u32], by: u32, out: &mut [u32], _: scale::Dims) {
        out.iter_mut()
            .zip(x)
            .for_each(|(o, x)| *o = x.wrapping_mul(by));
    }
    pub fn scale_in_place(x: &mut [u32], by: u32, _: scale::Dims) {
        x.iter_mut().for_each(|x| *x = x.wrapping_mul(by));
    }
    pub fn add(x: &[u32], y: &[u32], out: &mut [u32], _: add::Dims) {
        let sums = x.iter().zip(y).map(|(x, y)| x.wrapping_add(*y));
        out.iter_mut().zip(sums).for_each(|(o, sum)| *o = sum);
    }
    pub fn bump(sum: &mut [u32], x: &[u32], _: bump::Dims) {
        sum.iter_mut()
            .zip(x)
            .for_each(|(s, x)| *s = s.wrapping_add(*x));
    }
    pub fn all_reduce(x: &[&[u32]], out: &mut [u32], _: super::all_reduce::Dims) {
        out.copy_from_slice(x[0]);
    }
    pub fn host_only(x: &[u32], out: &mut [u32], _: super::host_only::Dims) {
        out.copy_from_slice(x);
    }
    pub fn twice(x: &mut [u32], _: super::twice::Dims) {
        x.iter_mut().for_each(|x| *x = x.wrapping_mul(2));
        assert!(x.first() != Some(&1_000_000), "a million");
    }
}

gpu_graph::gpu_graph! {
    kernel scale(x: &[u32; n], by: u32) -> [u32; n] {
        over [n] block [32],
        cuda "tests/driver/kernels.cu",
        host kernels::scale,
        in place x host kernels::scale_in_place,
    }
    kernel add(x: &[u32; n], y: &[u32; n]) -> [u32; n] {
        over [n] block [32],
        cuda "tests/driver/kernels.cu",
        host kernels::add,
    }
    kernel bump(sum: &mut [u32; n], x: &[u32; n]) {
        over [n] block [32],
        cuda "tests/driver/kernels.cu",
        host kernels::bump,
    }
    collective all_reduce(x: &[u32; n]) -> [u32; n] { host kernels::all_reduce }
    kernel host_only(x: &[u32; n]) -> [u32; n] { host kernels::host_only }
    callback twice(x: &mut [u32; n]) { host kernels::twice }

    /// Ranks that meet.
    pub graph Meets {
        dim n in 1..=64;
        input x: [u32; n];
        output y: [u32; n] = all_reduce(&x);
    }
    /// A kernel for the host alone.
    pub graph OnHost {
        dim n in 1..=64;
        input x: [u32; n];
        output y: [u32; n] = host_only(&x);
    }

    /// A diamond on two streams.
    pub graph Streams {
        dim n in 1..=4096;
        streams 2;
        input x: [u32; n];
        scalar by: u32;
        let a: [u32; n] = scale(&x, by);
        let b: [u32; n] = scale(&x, 3);
        let c: [u32; n] = scale(&a, by);
        output y: [u32; n] = add(&b, &c);
    }
    /// The same as a graph of the device's own.
    pub graph Graphs {
        dim n in 1..=4096;
        streams 2;
        issue graph;
        input x: [u32; n];
        scalar by: u32;
        let a: [u32; n] = scale(&x, by);
        let b: [u32; n] = scale(&x, 3);
        let c: [u32; n] = scale(&a, by);
        output y: [u32; n] = add(&b, &c);
    }

    /// What runs leave, what is set between them, a callback on staging, and fills and copies.
    pub graph KeptStreams {
        dim n in 1..=4096;
        streams 3;
        resident input w: [u32; n];
        inout sum: [u32; n];
        input x: [u32; n];
        let wx: [u32; n] = add(&w, &x);
        staging s: [u32; n] = download(&wx);
        twice(&mut s);
        let d: [u32; n] = upload(&s);
        bump(&mut sum, &d);
        output y: [u32; n] = add(&sum, &x);
    }
    /// The same as a graph of the device's own.
    pub graph KeptGraphs {
        dim n in 1..=4096;
        streams 3;
        issue graph;
        resident input w: [u32; n];
        inout sum: [u32; n];
        input x: [u32; n];
        let wx: [u32; n] = add(&w, &x);
        staging s: [u32; n] = download(&wx);
        twice(&mut s);
        let d: [u32; n] = upload(&s);
        bump(&mut sum, &d);
        output y: [u32; n] = add(&sum, &x);
    }

    /// Two runs at once.
    pub graph LanesStreams {
        dim n in 1..=4096;
        streams 2;
        pipelined 2;
        input x: [u32; n];
        scalar by: u32;
        let a: [u32; n] = scale(&x, by);
        let b: [u32; n] = scale(&x, 3);
        output y: [u32; n] = add(&a, &b);
    }
    /// The same as graphs of the device's own.
    pub graph LanesGraphs {
        dim n in 1..=4096;
        streams 2;
        pipelined 2;
        issue graph;
        input x: [u32; n];
        scalar by: u32;
        let a: [u32; n] = scale(&x, by);
        let b: [u32; n] = scale(&x, 3);
        output y: [u32; n] = add(&a, &b);
    }
}

/// The devices of the shim, on which nothing has happened but that they know the kernels.
pub fn shim(seed: u64) -> Shim {
    static COMPILER: Once = Once::new();
    COMPILER.call_once(|| {
        open("libsimnvrtc.so");
        // SAFETY: no other thread reads the environment yet: whoever compiles comes behind this.
        unsafe { std::env::set_var("GPU_GRAPH_CACHE", "") };
    });
    let shim = Shim::start(seed);
    register(&shim);
    shim
}

/// Begins anew on the same devices.
pub fn restart(shim: &Shim, seed: u64) {
    shim.restart(seed);
    register(shim);
}

/// The first device.
pub fn device() -> Device {
    cuda(0).unwrap_or_else(|missing| panic!("{missing}"))
}

const P: Param = Param::Pointer;
const N: Param = Param::Value(8);

/// `n` numbers behind parameters of which the first are read, then one is updated or overwritten.
fn effects(args: &Args<'_>, n: u64, of: &[Effect]) -> Option<Vec<Effect>> {
    args.covers([n, 1, 1]).then(|| of.to_vec())
}

thread_local! {
    /// The kernels of a test are at work, or asked what they touch.
    pub static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// A kernel that does and tells what it does quietly.
fn kernel(
    name: &str,
    params: &[Param],
    effects: impl Fn(&Args<'_>) -> Option<Vec<Effect>> + Send + Sync + 'static,
    body: impl Fn(&Args<'_>) + Send + Sync + 'static,
) -> Kernel {
    Kernel::new(name, params, quiet(effects), quiet(body))
}

fn quiet<T>(what: impl Fn(&Args<'_>) -> T) -> impl Fn(&Args<'_>) -> T {
    move |args| {
        let before = QUIET.replace(true);
        let done = what(args);
        QUIET.set(before);
        done
    }
}

fn register(shim: &Shim) {
    let numbers = |n: u64| 4 * n;
    for (name, by) in [("scale", Param::Value(4)), ("scale_indirect", P)] {
        let indirect = by == P;
        let factor = move |args: &Args<'_>| match indirect {
            // SAFETY: the effects say that it is read.
            true => unsafe { args.slice::<u32>(1, 1)[0] },
            false => args.bits[1] as u32,
        };
        shim.register(kernel(
            name,
            &[P, by, P, N],
            move |args| {
                let n = args.bits[3];
                let mut all = vec![
                    Effect::read(0, numbers(n)),
                    Effect::overwrite(2, numbers(n)),
                ];
                all.extend(indirect.then(|| Effect::read(1, 4)));
                effects(args, n, &all)
            },
            move |args| {
                let n = args.bits[3] as usize;
                // SAFETY: as the effects say.
                let (x, out) = unsafe { (args.slice::<u32>(0, n), args.slice::<u32>(2, n)) };
                kernels::scale(x, factor(args), out, scale::Dims { n });
            },
        ));
        let name = name.replace("scale", "scale_in_place");
        shim.register(kernel(
            &name,
            &[P, by, N],
            move |args| {
                let n = args.bits[2];
                let mut all = vec![Effect::update(0, numbers(n))];
                all.extend(indirect.then(|| Effect::read(1, 4)));
                effects(args, n, &all)
            },
            move |args| {
                let n = args.bits[2] as usize;
                // SAFETY: as the effects say.
                let x = unsafe { args.slice::<u32>(0, n) };
                kernels::scale_in_place(x, factor(args), scale::Dims { n });
            },
        ));
    }
    shim.register(kernel(
        "add",
        &[P, P, P, N],
        move |args| {
            let n = args.bits[3];
            let reads = [Effect::read(0, numbers(n)), Effect::read(1, numbers(n))];
            let all = [&reads[..], &[Effect::overwrite(2, numbers(n))]].concat();
            effects(args, n, &all)
        },
        |args| {
            let n = args.bits[3] as usize;
            // SAFETY: as the effects say; what is read may be one.
            let (x, y) = unsafe {
                (
                    args.slice::<u32>(0, n).to_vec(),
                    args.slice::<u32>(1, n).to_vec(),
                )
            };
            // SAFETY: as above.
            kernels::add(&x, &y, unsafe { args.slice::<u32>(2, n) }, add::Dims { n });
        },
    ));
    shim.register(kernel(
        "bump",
        &[P, P, N],
        move |args| {
            let n = args.bits[2];
            let all = [Effect::update(0, numbers(n)), Effect::read(1, numbers(n))];
            effects(args, n, &all)
        },
        |args| {
            let n = args.bits[2] as usize;
            // SAFETY: as the effects say.
            let (sum, x) = unsafe { (args.slice::<u32>(0, n), args.slice::<u32>(1, n)) };
            kernels::bump(sum, x, bump::Dims { n });
        },
    ));
}

/// Lets all that is under way end, and the last handle of the device go. What is left then is looked
/// after by whoever opens the device next.
pub fn close(shim: &Shim, device: Device, seed: u64) {
    assert_eq!(shim.reports(), [""; 0], "seed {seed}");
    drop(device);
    settle(shim, seed);
}

/// As [`close`], of a device that nobody has.
pub fn settle(shim: &Shim, seed: u64) {
    look_after(shim);
    assert_eq!(shim.reports(), [""; 0], "seed {seed}");
    assert_eq!(shim.leaks(), [""; 0], "seed {seed}");
}

/// Opens a device that nobody has until nothing is left of it, or often enough.
pub fn look_after(shim: &Shim) {
    for _ in 0..64 {
        if shim.leaks().is_empty() {
            break;
        }
        let _ = cuda(0);
    }
}
