//! `f16` and `bf16` in expression kernels: widened to `f32`, rounded once where they are kept.
//!
//! Neither branches nor looks anything up, so that the compiler makes vectors of both.

use half::{bf16, f16};

/// Floats of 16 bits.
pub trait Half: Copy {
    /// The same number as an `f32`.
    fn widen(a: Self) -> f32;
}

/// Numbers that are rounded to floats of 16 bits, ties to even.
pub trait ToHalf: Copy {
    /// An `f32` that rounds to the same halves: `a` without what an `f32` has no digits for, and the
    /// last digit 1 where something is gone.
    fn odd(a: Self) -> f32;

    /// The nearest `f16`.
    #[inline]
    fn f16(a: Self) -> f16 {
        let bits = Self::odd(a).to_bits();
        let (sign, a) = (bits >> 16 & 0x8000, bits & 0x7FFF_FFFF);
        // The last digit of what is below the normal numbers is that of an `f32` between 0.5 and 1.
        let small = (f32::from_bits(a) + 0.5)
            .to_bits()
            .wrapping_sub(0.5f32.to_bits());
        // The exponent by its other bias; half of the last digit, a bit less where it is even.
        let normal = a
            .wrapping_sub(112 << 23)
            .wrapping_add(0xFFF + (a >> 13 & 1))
            >> 13;
        let large = if a > f32::INFINITY.to_bits() {
            0x7E00
        } else {
            0x7C00
        };
        let value = if a < 113 << 23 { small } else { normal };
        let value = if a >= 143 << 23 { large } else { value };
        f16::from_bits((sign | value) as u16)
    }

    /// The nearest `bf16`.
    #[inline]
    fn bf16(a: Self) -> bf16 {
        let bits = Self::odd(a).to_bits();
        let nan = bits & 0x7FFF_FFFF > f32::INFINITY.to_bits();
        let near = bits.wrapping_add(0x7FFF + (bits >> 16 & 1)) >> 16;
        bf16::from_bits(if nan { 0x7FC0 } else { near as u16 })
    }
}

impl Half for f16 {
    #[inline]
    fn widen(a: Self) -> f32 {
        let bits = u32::from(a.to_bits());
        let (sign, a) = ((bits & 0x8000) << 16, (bits & 0x7FFF) << 13);
        // Below the normal numbers there is no leading digit: it is added, and taken away again.
        let least = f32::from_bits(113 << 23);
        let small = (f32::from_bits(a + (113 << 23)) - least).to_bits();
        let value = if a < 1 << 23 { small } else { a + (112 << 23) };
        let value = if a >= 31 << 23 { a | 255 << 23 } else { value };
        f32::from_bits(sign | value)
    }
}

impl Half for bf16 {
    #[inline]
    fn widen(a: Self) -> f32 {
        f32::from_bits(u32::from(a.to_bits()) << 16)
    }
}

impl ToHalf for f32 {
    #[inline]
    fn odd(a: Self) -> f32 {
        a
    }
}

impl ToHalf for f64 {
    #[inline]
    fn odd(a: Self) -> f32 {
        let near = a as f32;
        let wide = f64::from(near);
        // One back towards 0 where it was rounded away from there.
        let cut = near.to_bits() - u32::from(wide.abs() > a.abs());
        let exact = wide == a || a.is_nan();
        if exact { near } else { f32::from_bits(cut | 1) }
    }
}

/// A magnitude cut to the digits of an `f32`.
#[inline]
fn odd(magnitude: u64) -> f32 {
    let drop = 40u32.saturating_sub(magnitude.leading_zeros());
    let kept = magnitude >> drop;
    let lost = u64::from(kept << drop != magnitude);
    (kept | lost) as f32 * f32::from_bits((127 + drop) << 23)
}

macro_rules! integers {
    ($($t:ident $magnitude:expr;)*) => {$(
        impl ToHalf for $t {
            #[inline]
            fn odd(a: Self) -> f32 {
                let magnitude: fn($t) -> u64 = $magnitude;
                #[allow(unused_comparisons, reason = "unsigned integers have no sign")]
                let negative = a < 0;
                let value = odd(magnitude(a));
                if negative { -value } else { value }
            }
        }
    )*};
}

integers! {
    i8 |a| a.unsigned_abs().into();
    i16 |a| a.unsigned_abs().into();
    i32 |a| a.unsigned_abs().into();
    i64 |a| a.unsigned_abs();
    u8 |a| a.into();
    u16 |a| a.into();
    u32 |a| a.into();
    u64 |a| a;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: f32, b: f32) -> bool {
        a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
    }

    #[test]
    fn every_half_widens_to_the_number_that_it_is() {
        for bits in 0..=u16::MAX {
            let (a, b) = (f16::from_bits(bits), bf16::from_bits(bits));
            assert!(same(Half::widen(a), a.to_f32()), "{bits:#x}");
            assert!(same(Half::widen(b), b.to_f32()), "{bits:#x}");
        }
    }

    /// Both halves of `x`, against what the crate `half` says.
    fn rounds(x: f32) {
        let (a, b) = (f16::from_f32(x), bf16::from_f32(x));
        assert!(same(ToHalf::f16(x).to_f32(), a.to_f32()), "{x:e}");
        assert!(same(ToHalf::bf16(x).to_f32(), b.to_f32()), "{x:e}");
    }

    #[test]
    fn numbers_round_at_every_half_and_between_any_two() {
        for bits in 0..=u16::MAX {
            let (a, b) = (f16::from_bits(bits).to_f32(), u32::from(bits) << 16);
            // What follows each, the middle between both, and what is beside that.
            for at in [0, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF] {
                rounds(f32::from_bits(a.to_bits().wrapping_add(at)));
            }
            for at in [0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF] {
                rounds(f32::from_bits(b + at));
            }
        }
        for step in 0..1 << 16 {
            // Below the normal numbers of an `f16`, where each is as far from the next.
            let x = step as f32 / 32.0 * f16::MIN_POSITIVE_SUBNORMAL.to_f32();
            rounds(x);
            rounds(-x);
        }
    }

    #[test]
    fn what_an_f32_has_no_digits_for_is_rounded_once() {
        for bits in 0..f16::INFINITY.to_bits() {
            let [low, high] = [bits, bits + 1].map(|b| f16::from_bits(b).to_f64());
            let high = if high.is_finite() { high } else { 65_536.0 };
            let middle = (low + high) / 2.0;
            assert_eq!(ToHalf::f16(middle.next_down()).to_bits(), bits);
            assert_eq!(ToHalf::f16(-middle.next_down()).to_bits(), bits | 0x8000);
            assert_eq!(ToHalf::f16(middle).to_bits(), bits + (bits & 1));
            assert_eq!(ToHalf::f16(middle.next_up()).to_bits(), bits + 1);
        }
        for bits in 0..bf16::INFINITY.to_bits() {
            let [low, high] = [bits, bits + 1].map(|b| bf16::from_bits(b).to_f64());
            let high = if high.is_finite() {
                high
            } else {
                2f64.powi(128)
            };
            let middle = (low + high) / 2.0;
            assert_eq!(ToHalf::bf16(middle.next_down()).to_bits(), bits);
            assert_eq!(ToHalf::bf16(middle).to_bits(), bits + (bits & 1));
            assert_eq!(ToHalf::bf16(middle.next_up()).to_bits(), bits + 1);
            assert_eq!(
                ToHalf::bf16(-middle.next_up()).to_bits(),
                (bits + 1) | 0x8000
            );
            // The same of integers, where they have so many digits.
            if (2f64.powi(24)..2f64.powi(62)).contains(&middle) {
                let middle = middle as i64;
                assert_eq!(ToHalf::bf16(middle - 1).to_bits(), bits);
                assert_eq!(ToHalf::bf16(middle).to_bits(), bits + (bits & 1));
                assert_eq!(ToHalf::bf16(middle as u64 + 1).to_bits(), bits + 1);
                assert_eq!(ToHalf::bf16(-middle - 1).to_bits(), (bits + 1) | 0x8000);
            }
        }
        assert_eq!(ToHalf::bf16(u64::MAX).to_f32(), 2f32.powi(64));
        assert_eq!(ToHalf::bf16(i64::MIN).to_f32(), -2f32.powi(63));
        assert!(ToHalf::f16(f64::NAN).is_nan() && ToHalf::bf16(f64::NAN).is_nan());
        assert_eq!(ToHalf::f16(f64::MAX), f16::INFINITY);
        assert_eq!(ToHalf::bf16(f64::MIN), bf16::NEG_INFINITY);
        assert_eq!(ToHalf::f16(65_519u16).to_f32(), 65_504.0);
        assert_eq!(ToHalf::f16(-128i8).to_f32(), -128.0);
    }
}
