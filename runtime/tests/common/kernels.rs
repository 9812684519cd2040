//! Kernels over `u64` whose results depend on every operand, so that any wrong order shows.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gpu_graph_runtime::exec::{Args, Code};
use gpu_graph_runtime::table::Kernel;

/// Kernel of `n` reads and a result is number `n`, for `n` up to 3.
pub const MAX_READS: usize = 3;
/// Kernel of a `&mut`.
pub const UPDATE: u32 = 4;
/// Kernel of a read and a `&mut`.
pub const ACCUMULATE: u32 = 5;
/// Kernel of one read and a result, which may share storage.
pub const IN_PLACE: u32 = 6;
/// Kernel like number 0 that panics where its first scalar is 0.
pub const PANIC: u32 = 7;

/// Whether kernels take their time: set by tests of the host driver.
pub static DELAYS: AtomicBool = AtomicBool::new(false);

pub fn mix(a: u64, b: u64) -> u64 {
    let x = (a ^ b.rotate_left(23)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ (x >> 29)
}

/// Result of one element: salts, position, operands at that position.
pub fn element(salt: u64, run: u64, i: usize, operands: &[&[u64]]) -> u64 {
    let mut value = mix(mix(salt, run), i as u64);
    for operand in operands {
        if !operand.is_empty() {
            value = mix(value, operand[i % operand.len()]);
        }
    }
    value
}

/// Waits for some microseconds that depend on `salt` and the run.
fn delay(salt: u64, run: u64) {
    if DELAYS.load(Ordering::Relaxed) {
        let micros = mix(salt ^ 0x5bd1, run) % 64;
        let until = Instant::now() + Duration::from_micros(micros.saturating_sub(32));
        while Instant::now() < until {
            std::hint::spin_loop();
        }
    }
}

fn scalars(args: &mut Args<'_>) -> (u64, u64) {
    let both = (args.scalar::<u64>(), args.scalar::<u64>());
    delay(both.0, both.1);
    both
}

fn combine<const N: usize>(args: &mut Args<'_>) {
    let (salt, run) = scalars(args);
    let operands: [&[u64]; N] = std::array::from_fn(|_| args.read::<u64>());
    for (i, out) in args.write::<u64>().iter_mut().enumerate() {
        *out = element(salt, run, i, &operands);
    }
}

fn update(args: &mut Args<'_>) {
    let (salt, run) = scalars(args);
    for (i, out) in args.write::<u64>().iter_mut().enumerate() {
        *out = element(salt, run, i, &[&[*out]]);
    }
}

fn accumulate(args: &mut Args<'_>) {
    let (salt, run) = scalars(args);
    let from = args.read::<u64>();
    for (i, out) in args.write::<u64>().iter_mut().enumerate() {
        let old = *out;
        *out = element(salt, run, i, &[&from[i % from.len()..][..1], &[old]]);
    }
}

fn in_place(args: &mut Args<'_>) {
    let (salt, run) = scalars(args);
    for (i, out) in args.update::<u64>().iter_mut().enumerate() {
        *out = element(salt, run, i, &[&[*out]]);
    }
}

fn panicking(args: &mut Args<'_>) {
    let (salt, run) = scalars(args);
    assert!(run != 0, "told to panic");
    for (i, out) in args.write::<u64>().iter_mut().enumerate() {
        *out = element(salt, run, i, &[]);
    }
}

const fn code(host: fn(&mut Args<'_>), in_place: Option<fn(&mut Args<'_>)>) -> Code {
    Code {
        host,
        in_place,
        cuda: None,
    }
}

pub static CODE: [Code; 8] = [
    code(combine::<0>, None),
    code(combine::<1>, None),
    code(combine::<2>, None),
    code(combine::<3>, None),
    code(update, None),
    code(accumulate, None),
    code(combine::<1>, Some(in_place)),
    code(panicking, None),
];

const fn kernel(name: &'static str, in_place: Option<u8>) -> Kernel<'static> {
    Kernel {
        name,
        over: &[],
        block: &[],
        shared: 0,
        params: 64,
        callback: false,
        in_place,
    }
}

pub static KERNELS: [Kernel<'static>; 8] = [
    kernel("combine0", None),
    kernel("combine1", None),
    kernel("combine2", None),
    kernel("combine3", None),
    kernel("update", None),
    kernel("accumulate", None),
    kernel("in_place", Some(0)),
    kernel("panicking", None),
];
