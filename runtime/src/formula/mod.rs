//! What generated host code of expression kernels is made of: each operator as it means the same on
//! a device.

mod half;

pub use half::{Half, ToHalf};

/// Numbers.
pub trait Number: Copy {
    /// `a + b`, wrapping.
    fn add(a: Self, b: Self) -> Self;
    /// `a - b`, wrapping.
    fn sub(a: Self, b: Self) -> Self;
    /// `a * b`, wrapping.
    fn mul(a: Self, b: Self) -> Self;
    /// `a / b`; of integers, 0 where `b` is 0, wrapping.
    fn div(a: Self, b: Self) -> Self;
    /// `a % b`; of integers, `a` where `b` is 0, and 0 where `b` is -1.
    fn rem(a: Self, b: Self) -> Self;
    /// `-a`, wrapping.
    fn neg(a: Self) -> Self;
    /// The smaller one: `b` where they are equal, the other one of a NaN.
    fn min(a: Self, b: Self) -> Self;
    /// The larger one, in the same way.
    fn max(a: Self, b: Self) -> Self;
    /// `a` without its sign, wrapping.
    fn abs(a: Self) -> Self;
    /// `a == b`.
    fn eq(a: Self, b: Self) -> bool;
    /// `a != b`.
    fn ne(a: Self, b: Self) -> bool;
}

/// Floats.
pub trait Float: Number {
    /// `a` to the power of `b`: 1 where `b` is 0 or `a` is 1, whatever the other one is.
    fn powf(a: Self, b: Self) -> Self;
}

/// Integers.
pub trait Integer: Number {
    /// `a & b`.
    fn and(a: Self, b: Self) -> Self;
    /// `a | b`.
    fn or(a: Self, b: Self) -> Self;
    /// `a ^ b`.
    fn xor(a: Self, b: Self) -> Self;
    /// `a << b`, by the low bits of `b`.
    fn shl(a: Self, b: Self) -> Self;
    /// `a >> b`, by the low bits of `b`.
    fn shr(a: Self, b: Self) -> Self;
    /// `!a`.
    fn not(a: Self) -> Self;
}

macro_rules! integer {
    ($($t:ident)*) => {$(
        impl Number for $t {
            #[inline]
            fn add(a: Self, b: Self) -> Self {
                a.wrapping_add(b)
            }
            #[inline]
            fn sub(a: Self, b: Self) -> Self {
                a.wrapping_sub(b)
            }
            #[inline]
            fn mul(a: Self, b: Self) -> Self {
                a.wrapping_mul(b)
            }
            #[inline]
            fn div(a: Self, b: Self) -> Self {
                if b == 0 { 0 } else { a.wrapping_div(b) }
            }
            #[inline]
            fn rem(a: Self, b: Self) -> Self {
                if b == 0 { a } else { a.wrapping_rem(b) }
            }
            #[inline]
            fn neg(a: Self) -> Self {
                a.wrapping_neg()
            }
            #[inline]
            fn min(a: Self, b: Self) -> Self {
                if a < b { a } else { b }
            }
            #[inline]
            fn max(a: Self, b: Self) -> Self {
                if a > b { a } else { b }
            }
            #[inline]
            #[allow(unused_comparisons, reason = "unsigned integers have no sign to drop")]
            fn abs(a: Self) -> Self {
                if a < 0 { a.wrapping_neg() } else { a }
            }
            #[inline]
            fn eq(a: Self, b: Self) -> bool {
                a == b
            }
            #[inline]
            fn ne(a: Self, b: Self) -> bool {
                a != b
            }
        }

        impl Integer for $t {
            #[inline]
            fn and(a: Self, b: Self) -> Self {
                a & b
            }
            #[inline]
            fn or(a: Self, b: Self) -> Self {
                a | b
            }
            #[inline]
            fn xor(a: Self, b: Self) -> Self {
                a ^ b
            }
            #[inline]
            fn shl(a: Self, b: Self) -> Self {
                a.wrapping_shl(b as u32)
            }
            #[inline]
            fn shr(a: Self, b: Self) -> Self {
                a.wrapping_shr(b as u32)
            }
            #[inline]
            fn not(a: Self) -> Self {
                !a
            }
        }
    )*};
}

macro_rules! float {
    ($($t:ident)*) => {$(
        impl Number for $t {
            #[inline]
            fn add(a: Self, b: Self) -> Self {
                a + b
            }
            #[inline]
            fn sub(a: Self, b: Self) -> Self {
                a - b
            }
            #[inline]
            fn mul(a: Self, b: Self) -> Self {
                a * b
            }
            #[inline]
            fn div(a: Self, b: Self) -> Self {
                a / b
            }
            #[inline]
            fn rem(a: Self, b: Self) -> Self {
                a % b
            }
            #[inline]
            fn neg(a: Self) -> Self {
                -a
            }
            #[inline]
            fn min(a: Self, b: Self) -> Self {
                if a < b || b.is_nan() { a } else { b }
            }
            #[inline]
            fn max(a: Self, b: Self) -> Self {
                if a > b || b.is_nan() { a } else { b }
            }
            #[inline]
            fn abs(a: Self) -> Self {
                a.abs()
            }
            #[inline]
            fn eq(a: Self, b: Self) -> bool {
                a == b
            }
            #[inline]
            fn ne(a: Self, b: Self) -> bool {
                a != b
            }
        }

        impl Float for $t {
            #[inline]
            fn powf(a: Self, b: Self) -> Self {
                // A library may tell a NaN that signals from others here.
                if a == 1.0 || b == 0.0 { 1.0 } else { a.powf(b) }
            }
        }
    )*};
}

integer!(i8 i16 i32 i64 u8 u16 u32 u64);
float!(f32 f64);

/// Accumulators of a reduction.
pub const LANES: usize = 32;

/// One value of all lanes: `l` and `l + 16` become `l`, then `l` and `l + 8`, down to one.
#[inline]
pub fn fold<T: Copy>(mut lanes: [T; LANES], step: impl Fn(T, T) -> T) -> T {
    let mut half = LANES / 2;
    while half > 0 {
        let (low, high) = lanes.split_at_mut(half);
        for (a, b) in low.iter_mut().zip(high) {
            *a = step(*a, *b);
        }
        half /= 2;
    }
    lanes[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_fold_by_halves() {
        let lanes: [String; LANES] = std::array::from_fn(|l| l.to_string());
        let names: Vec<&'static str> = lanes.iter().map(|l| &*l.clone().leak()).collect();
        let lanes: [&'static str; LANES] = std::array::from_fn(|l| names[l]);
        let text = fold(lanes, |a, b| format!("({a} {b})").leak());
        assert!(
            text.starts_with("(((((0 16) (8 24)) ((4 20) (12 28))) (((2 18)"),
            "{text}"
        );
    }

    #[test]
    fn what_rust_leaves_to_the_caller_is_defined() {
        assert_eq!(Number::div(7, 0), 0);
        assert_eq!(Number::rem(7, 0), 7);
        assert_eq!(Number::div(i8::MIN, -1), i8::MIN);
        assert_eq!(Number::rem(i8::MIN, -1), 0);
        assert_eq!(Number::abs(i64::MIN), i64::MIN);
        assert_eq!(Integer::shl(1u8, 9), 2);
        assert_eq!(Integer::shr(i32::MIN, -1), -1);
        assert_eq!(Number::min(f32::NAN, 1.0), 1.0);
        assert_eq!(Number::max(1.0, f64::NAN), 1.0);
        assert_eq!(Float::powf(f32::from_bits(0x7F80_0001), -0.0), 1.0);
        assert_eq!(Float::powf(1.0, f64::from_bits(0x7FF0 << 48 | 1)), 1.0);
        assert!(Number::min(0.0f32, -0.0).is_sign_negative());
        assert!(Number::min(-0.0f32, 0.0).is_sign_positive());
    }
}
