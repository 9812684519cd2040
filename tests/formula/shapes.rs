//! Broadcasts, reductions and in-place forms over shapes that do not fit 32 lanes.

use gpu_graph::{bf16, f16};

use super::case::{Number, exact};
use super::cuda::{Arg, Buffer, Program, Ty};
use super::operands::Numbers;

gpu_graph::gpu_graph! {
    kernel bias(x: &[f32; h, w], b: &[f32; w], c: &[f32; h], d: &[f32; 1]) -> [f32; h, w] = (x + b).max(0f32) * c / d;
    kernel transposed(x: &[i16; w, h], y: &[i16; h]) -> [i16; h, w] = x - y;
    kernel rows(x: &[f32; h, w]) -> [f32; h] = sum(x * x).sqrt();
    kernel columns(x: &[f64; h, w]) -> [f64; w] = max(x) - min(x);
    kernel matrices(a: &[f32; m, k], b: &[f32; k, j]) -> [f32; m, j] = sum(a * b);
    kernel total(x: &[i32; h, w]) -> [i32; 1] = if max(x) > 3i32 { sum(x) } else { min(x) % 7i32 };
    kernel nested(x: &[i64; m], a: &[i64; m, k], b: &[i64; k, j]) -> [i64; m] = x + sum(a * x ^ max(b)) - sum(a);
    kernel update(y: &mut [f32; h, w], x: &[f32; h, k], z: &[f32; k, w]) = y * 0.5f32 + sum(x * z - y);
    kernel four(x: &[u8; a, b, c, d], s: &[u8; a], t: &[u8; d]) -> [u8; a, b, c, d] = x * s + t;
    kernel leading(x: &[u32; a, b, c, d, e]) -> [u32; a, b, c, d] = product(x);
    kernel ones(x: &[f64; h, 1], y: &[f64; 1, w], z: &[f64; 1]) -> [f64; h, 1, w] = x + y * z;
    kernel narrow(x: &[i8; h, w]) -> [i8; 1] = product(x | 1i8) + min(x) - max(x);
    kernel hoisted(x: &[f32; h, w], y: &[f32; h, k]) -> [f32; h, w] = x - max(y);
    kernel norms(x: &[f16; h, w], by: &[bf16; w]) -> [f16; h] = sum(x as f32 * by as f32).abs().sqrt() as f16;
    kernel totals(x: &[bf16; h, w]) -> [bf16; w] = sum(x) / 2bf16 + max(x) - min(x);
    kernel spread(y: &mut [f16; h, w], x: &[bf16; h]) = y * 0.5f16 + x as f16 * 0.1f16;
    kernel softened(x: &[f16; h, w], y: &[f16; h, w]) -> [f16; h, w] = x.mul_add(0.7f16, y * 0.3f16);
    kernel repeated(x: &[i32; w]) -> [i32; h, w] = x * 3i32;
    kernel copies(x: &[f64; 1]) -> [f64; h] = -x;
    kernel middle(x: &[f32; m, j, k], y: &[f32; k]) -> [f32; j] = sum(x * y) / sum(y);
}

/// Elements of which most are small, so that sums have digits left, and some are at the edges.
fn values<T: Number>(numbers: &mut Numbers, len: usize) -> Vec<T> {
    let mut value = || match (T::TY, numbers.below(40)) {
        (_, 0) => T::of(numbers.operand(T::TY)),
        (Ty::F32, _) => T::of((numbers.below(4000) as f32 / 64.0 - 30.0).to_bits().into()),
        (Ty::F16 | Ty::BF16, 1..20) => {
            // A whole number below 64, and a few digits behind it in an `f16`.
            let digits = if T::TY == Ty::F16 { 10 } else { 7 };
            let one = (1 << (14 - digits)) - 1;
            T::of((one + numbers.below(6) as u64) << digits | numbers.next() & 0x30)
        }
        (Ty::F64, _) => T::of((numbers.below(4000) as f64 / 64.0 - 30.0).to_bits()),
        _ => T::of(numbers.operand(T::TY)),
    };
    (0..len).map(|_| value()).collect()
}

fn buffer<T: Number>(values: &[T]) -> Buffer {
    Buffer {
        ty: T::TY,
        bits: values.iter().map(|value| value.bits()).collect(),
    }
}

/// What the CUDA function `name` leaves in the last buffer, or in the first where that is updated.
fn device(
    cuda: &str,
    name: &str,
    mut buffers: Vec<Buffer>,
    first: bool,
    dims: &[usize],
    threads: [usize; 3],
) -> Vec<u64> {
    let mut args: Vec<_> = (0..buffers.len()).map(Arg::Pointer).collect();
    args.extend(dims.iter().map(|dim| Arg::Number(Ty::U64, *dim as u64)));
    Program::new(cuda).launch(name, &args, threads, &mut buffers);
    let out = if first { 0 } else { buffers.len() - 1 };
    buffers.swap_remove(out).bits
}

fn same<T: Number>(name: &str, dims: &[usize], host: &[T], device: &[u64]) {
    assert_eq!(host.len(), device.len());
    for (i, (a, b)) in host.iter().zip(device).enumerate() {
        let same = exact(T::TY, a.bits(), *b);
        assert!(
            same,
            "{name} over {dims:?} at {i}: {:#x} and {b:#x}",
            a.bits()
        );
    }
}

/// Both sides of a kernel at the dims in scope: with a result, or with its first tensor updated.
macro_rules! both {
    ($numbers:ident, $threads:expr, $kernel:ident[$($dim:ident),*]
     ($($arg:ident: $ty:ident[$($of:expr),*]),*) -> $out:ident[$($to:expr),*]) => {{
        $(let $arg: Vec<$ty> = values(&mut $numbers, 1 $(* $of)*);)*
        let mut out: Vec<$out> = values(&mut $numbers, 1 $(* $to)*);
        let buffers = vec![$(buffer(&$arg),)* buffer(&out)];
        let dims = [$($dim),*];
        $kernel::host($(&$arg,)* &mut out, $kernel::Dims { $($dim),* });
        let name = concat!(stringify!($kernel), "_kernel");
        let device = device($kernel::CUDA, name, buffers, false, &dims, $threads);
        same(name, &dims, &out, &device);
    }};
    ($numbers:ident, $threads:expr, $name:literal, $kernel:ident::$function:ident[$($dim:ident),*]
     ($out:ident: $to:ident[$($at:expr),*] $(, $arg:ident: $ty:ident[$($of:expr),*])*)) => {{
        let mut $out: Vec<$to> = values(&mut $numbers, 1 $(* $at)*);
        $(let $arg: Vec<$ty> = values(&mut $numbers, 1 $(* $of)*);)*
        let buffers = vec![buffer(&$out), $(buffer(&$arg)),*];
        let dims = [$($dim),*];
        $kernel::$function(&mut $out, $(&$arg,)* $kernel::Dims { $($dim),* });
        let device = device($kernel::CUDA, $name, buffers, true, &dims, $threads);
        same($name, &dims, &$out, &device);
    }};
}

const EXTENTS: [usize; 8] = [1, 2, 3, 31, 32, 33, 64, 70];

/// Extents that are different in each round.
fn extents<const N: usize>(numbers: &mut Numbers, most: usize) -> [usize; N] {
    std::array::from_fn(|_| EXTENTS[numbers.below(EXTENTS.len())].min(most))
}

#[test]
fn broadcasts_are_the_same_on_both_sides() {
    let mut n = Numbers::new(1);
    for _ in 0..20 {
        let [h, w] = extents(&mut n, 70);
        // A row of threads more than there is ends by itself.
        let threads = [w, h + 1, 1];
        both!(n, threads, bias[h, w](x: f32[h, w], b: f32[w], c: f32[h], d: f32[]) -> f32[h, w]);
        both!(n, threads, "bias_kernel_in_place", bias::in_place[h, w](x: f32[h, w], b: f32[w], c: f32[h], d: f32[]));
        both!(n, threads, transposed[w, h](x: i16[w, h], y: i16[h]) -> i16[h, w]);
        both!(n, threads, ones[h, w](x: f64[h], y: f64[w], z: f64[]) -> f64[h, w]);
        both!(n, threads, softened[h, w](x: f16[h, w], y: f16[h, w]) -> f16[h, w]);
        both!(n, threads, "softened_kernel_in_place", softened::in_place[h, w](x: f16[h, w], y: f16[h, w]));
        both!(n, threads, "spread_kernel", spread::host[h, w](y: f16[h, w], x: bf16[h]));
        both!(n, threads, repeated[w, h](x: i32[w]) -> i32[h, w]);
        both!(n, [h + 1, 1, 1], copies[h](x: f64[]) -> f64[h]);
        let [a, b, c, d] = extents(&mut n, 4);
        let threads = [d, c, b];
        both!(n, threads, four[a, b, c, d](x: u8[a, b, c, d], s: u8[a], t: u8[d]) -> u8[a, b, c, d]);
    }
}

#[test]
fn reductions_are_the_same_on_both_sides() {
    let mut n = Numbers::new(2);
    for _ in 0..8 {
        let [h, w, k] = extents(&mut n, 70);
        both!(n, [32 * h, 1, 1], rows[h, w](x: f32[h, w]) -> f32[h]);
        both!(n, [32 * w, 1, 1], columns[h, w](x: f64[h, w]) -> f64[w]);
        both!(n, [64, 1, 1], total[h, w](x: i32[h, w]) -> i32[]);
        both!(n, [32 * h, 1, 1], norms[h, w](x: f16[h, w], by: bf16[w]) -> f16[h]);
        both!(n, [32 * w, 1, 1], totals[h, w](x: bf16[h, w]) -> bf16[w]);
        both!(n, [32, 1, 1], narrow[h, w](x: i8[h, w]) -> i8[]);
        let [h, w] = [h, w].map(|extent| extent.min(9));
        let (m, j) = (h, w);
        both!(n, [32 * w, h + 1, 1], hoisted[h, w, k](x: f32[h, w], y: f32[h, k]) -> f32[h, w]);
        both!(n, [32 * w, h, 1], matrices[m, k, j](a: f32[m, k], b: f32[k, j]) -> f32[m, j]);
        both!(n, [32 * w, h, 1], "update_kernel", update::host[h, w, k](y: f32[h, w], x: f32[h, k], z: f32[k, w]));
        both!(n, [32 * h, 1, 1], nested[m, k, j](x: i64[m], a: i64[m, k], b: i64[k, j]) -> i64[m]);
        both!(n, [32 * h, 1, 1], "nested_kernel_in_place", nested::in_place[m, k, j](x: i64[m], a: i64[m, k], b: i64[k, j]));
        both!(n, [32 * w, 1, 1], middle[m, j, k](x: f32[m, j, k], y: f32[k]) -> f32[j]);
        let [a, b, c, d] = extents(&mut n, 3);
        let e = k;
        both!(n, [32 * d, c, b], leading[a, b, c, d, e](x: u32[a, b, c, d, e]) -> u32[a, b, c, d]);
    }
}
