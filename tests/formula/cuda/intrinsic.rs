//! Functions of CUDA, each by another way than the host's where there is one.

use super::half;
use super::value::{Ty, Value};

pub fn call(name: &str, args: &[Value]) -> Value {
    let f = |i: usize| args[i].f32();
    let d = |i: usize| args[i].f64();
    match name {
        "__int_as_float" => Value::of_f32(f32::from_bits(args[0].cast(Ty::U32).bits as u32)),
        "__uint_as_float" => Value::of_f32(f32::from_bits(args[0].cast(Ty::U32).bits as u32)),
        "__float_as_uint" => Value::new(Ty::U32, f(0).to_bits().into()),
        "cvt.f32.f16 %0, %1;" => {
            assert_eq!(args[0].ty, Ty::U16);
            Value::of_f32(half::widened(args[0].bits as u16))
        }
        "cvt.rn.f16.f32 %0, %1;" => Value::new(Ty::U16, half::nearest(f(0)).into()),
        "__double2float_rz" => Value::of_f32(half::cut(d(0))),
        "__int2float_rz" | "__uint2float_rz" | "__ll2float_rz" | "__ull2float_rz" => {
            let taken = match name {
                "__int2float_rz" => Ty::I32,
                "__uint2float_rz" => Ty::U32,
                "__ll2float_rz" => Ty::I64,
                _ => Ty::U64,
            };
            assert_eq!(args[0].ty, taken);
            Value::of_f32(half::cut_int(args[0].int()))
        }
        "__longlong_as_double" => Value::of_f64(f64::from_bits(args[0].bits)),
        "__fadd_rn" => Value::of_f32(f(0) + f(1)),
        "__fsub_rn" => Value::of_f32(f(0) - f(1)),
        "__fmul_rn" => Value::of_f32(f(0) * f(1)),
        "__fdiv_rn" => Value::of_f32(f(0) / f(1)),
        "__dadd_rn" => Value::of_f64(d(0) + d(1)),
        "__dsub_rn" => Value::of_f64(d(0) - d(1)),
        "__dmul_rn" => Value::of_f64(d(0) * d(1)),
        "__ddiv_rn" => Value::of_f64(d(0) / d(1)),
        "__fsqrt_rn" => Value::of_f32(f64::from(f(0)).sqrt() as f32),
        "__dsqrt_rn" => Value::of_f64(d(0).sqrt()),
        "__fmaf_rn" => Value::of_f32(fused(f(0), f(1), f(2))),
        "__fma_rn" => Value::of_f64(d(0).mul_add(d(1), d(2))),
        "fmodf" => Value::of_f32((f64::from(f(0)) % f64::from(f(1))) as f32),
        "fmod" => Value::of_f64(d(0) % d(1)),
        "fabsf" => Value::new(Ty::F32, args[0].bits & 0x7fff_ffff),
        "fabs" => Value::new(Ty::F64, args[0].bits & !(1 << 63)),
        _ => match name.strip_suffix('f') {
            // What a double has digits enough for is exact, or rounded once more.
            Some(double) => {
                let wide: Vec<_> = args.iter().map(|arg| arg.f32().into()).collect();
                Value::of_f32(function(double, &wide) as f32)
            }
            None => {
                let wide: Vec<_> = args.iter().map(|arg| arg.f64()).collect();
                Value::of_f64(function(name, &wide))
            }
        },
    }
}

fn function(name: &str, x: &[f64]) -> f64 {
    match name {
        "floor" => x[0].floor(),
        "ceil" => x[0].ceil(),
        "trunc" => x[0].trunc(),
        "round" => {
            let cut = x[0].trunc();
            let half = (x[0] - cut).abs() >= 0.5;
            (if half { cut + 1f64.copysign(x[0]) } else { cut }).copysign(x[0])
        }
        "exp" => x[0].exp(),
        "exp2" => x[0].exp2(),
        "log" => x[0].ln(),
        "log2" => x[0].log2(),
        "log10" => x[0].log10(),
        "sin" => x[0].sin(),
        "cos" => x[0].cos(),
        "tan" => x[0].tan(),
        "sinh" => x[0].sinh(),
        "cosh" => x[0].cosh(),
        "tanh" => x[0].tanh(),
        "asin" => x[0].asin(),
        "acos" => x[0].acos(),
        "atan" => x[0].atan(),
        "atan2" => x[0].atan2(x[1]),
        "pow" => x[0].powf(x[1]),
        _ => panic!("`{name}` is not emitted"),
    }
}

/// `a * b + c` rounded once: the product is exact in a double, and the sum is rounded to odd, which
/// the second rounding does not disturb.
fn fused(a: f32, b: f32, c: f32) -> f32 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    if !sum.is_finite() {
        return sum as f32;
    }
    let part = sum - product;
    let lost = (product - (sum - part)) + (c - part);
    if lost == 0.0 || sum.to_bits() & 1 == 1 {
        return sum as f32;
    }
    let away = (lost > 0.0) == (sum > 0.0);
    let bits = sum.to_bits();
    f64::from_bits(if away { bits + 1 } else { bits - 1 }) as f32
}
