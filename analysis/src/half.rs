//! `f16` and `bf16`: floats of 16 bits, rounded once from whatever is exact.

use std::cmp::Ordering;

use crate::model::Elem;

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    /// IEEE 754 binary16.
    F16,
    /// The upper half of an `f32`.
    BF16,
}

impl Half {
    /// It as an element type; `None` for the others.
    pub(crate) fn of(elem: Elem) -> Option<Self> {
        match elem {
            Elem::F16 => Some(Half::F16),
            Elem::BF16 => Some(Half::BF16),
            _ => None,
        }
    }

    /// Binary digits of a number, with the one that is not stored.
    fn digits(self) -> u32 {
        match self {
            Half::F16 => 11,
            Half::BF16 => 8,
        }
    }

    /// The smallest number above 0 is two to that.
    fn least(self) -> i32 {
        match self {
            Half::F16 => -24,
            Half::BF16 => -133,
        }
    }

    /// The bits of infinity; those of finite numbers are less, but for the sign.
    fn infinity(self) -> u16 {
        match self {
            Half::F16 => 0x7C00,
            Half::BF16 => 0x7F80,
        }
    }

    /// The largest number.
    pub(crate) fn largest(self) -> f32 {
        self.widen(self.infinity() - 1)
    }

    /// The smallest number above 0.
    pub(crate) fn smallest(self) -> f32 {
        self.widen(1)
    }

    /// The number of those bits, which an `f32` holds exactly.
    pub(crate) fn widen(self, bits: u16) -> f32 {
        let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
        let bits = bits & 0x7FFF;
        if bits >= self.infinity() {
            let nan = bits > self.infinity();
            return sign * if nan { f32::NAN } else { f32::INFINITY };
        }
        let stored = self.digits() - 1;
        let (exponent, fraction) = (i32::from(bits >> stored), bits & ((1 << stored) - 1));
        let leading = if exponent > 0 { 1u16 << stored } else { 0 };
        let scale = 2f64.powi(self.least() + (exponent - 1).max(0));
        (f64::from(sign) * f64::from(leading | fraction) * scale) as f32
    }

    /// The one nearest to a number.
    pub(crate) fn of_f64(self, value: f64) -> u16 {
        let sign = value.is_sign_negative();
        if value.is_nan() {
            return self.infinity() | 1 << (self.digits() - 2);
        }
        if value.is_infinite() {
            return self.infinity() | u16::from(sign) << 15;
        }
        let (mantissa, exponent) = parts(value);
        self.nearest(sign, mantissa.into(), exponent)
    }

    /// The one nearest to a number.
    pub(crate) fn of_int(self, value: i128) -> u16 {
        self.nearest(value < 0, value.unsigned_abs(), 0)
    }

    /// The one nearest to what decimal digits say, all of them; infinity where that is too large.
    pub(crate) fn of_decimal(self, text: &str) -> u16 {
        let value: f64 = text.parse().unwrap_or(f64::NAN);
        if value == 0.0 || !value.is_finite() {
            return self.of_f64(value);
        }
        let (mantissa, exponent) = parts(value);
        // A quarter of the last digit says on which side of it the text is, which is all that
        // rounding to far fewer digits asks.
        let quarters = 4 * u128::from(mantissa);
        let places = usize::try_from(-exponent).unwrap_or(0);
        let mantissa = match decimal(text).cmp(&decimal(&format!("{value:.places$}"))) {
            Ordering::Less => quarters - 1,
            Ordering::Equal => quarters,
            Ordering::Greater => quarters + 1,
        };
        self.nearest(value.is_sign_negative(), mantissa, exponent - 2)
    }

    /// The one nearest to `mantissa` times two to the `exponent`; of two, the one whose last bit
    /// is 0.
    fn nearest(self, negative: bool, mantissa: u128, exponent: i32) -> u16 {
        if mantissa == 0 {
            return u16::from(negative) << 15;
        }
        let length = (u128::BITS - mantissa.leading_zeros()) as i32;
        // The place of the last digit that is kept, and how many go.
        let last = (exponent + length - self.digits() as i32).max(self.least());
        let drop = last - exponent;
        let kept = match u32::try_from(drop) {
            Err(_) => mantissa << drop.unsigned_abs(),
            Ok(0) => mantissa,
            Ok(drop) => {
                let kept = mantissa.checked_shr(drop).unwrap_or(0);
                let half = 1u128.checked_shl(drop - 1).unwrap_or(u128::MAX);
                let rest = mantissa - kept.checked_shl(drop).unwrap_or(0);
                kept + u128::from(rest > half || rest == half && kept % 2 == 1)
            }
        };
        // Below the normal numbers the exponent's field is 0; above, the leading digit counts it up.
        let field = u128::from((last - self.least()).unsigned_abs());
        let bits = (field << (self.digits() - 1)) + kept;
        let bits = u16::try_from(bits).unwrap_or(u16::MAX).min(self.infinity());
        bits | u16::from(negative) << 15
    }
}

/// A finite number without its sign: a mantissa, times two to an exponent.
fn parts(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let (field, fraction) = ((bits >> 52 & 0x7FF) as i32, bits & ((1 << 52) - 1));
    match field {
        0 => (fraction, -1074),
        _ => (1 << 52 | fraction, field - 1075),
    }
}

/// The place of the first digit that is not 0, and the digits from there: what is greater without
/// its sign compares as greater.
fn decimal(text: &str) -> (i64, String) {
    let text = text.trim_start_matches(['-', '+']);
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    let from_first = all.trim_start_matches('0');
    let zeros = all.len() - from_first.len();
    let exponent: i64 = exponent.parse().unwrap_or(0);
    let place = exponent + whole.len() as i64 - zeros as i64;
    (place, from_first.trim_end_matches('0').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Half; 2] = [Half::F16, Half::BF16];

    /// What the crate `half` says.
    fn widened(half: Half, bits: u16) -> f32 {
        match half {
            Half::F16 => half::f16::from_bits(bits).to_f32(),
            Half::BF16 => half::bf16::from_bits(bits).to_f32(),
        }
    }

    fn rounded(half: Half, value: f32) -> u16 {
        match half {
            Half::F16 => half::f16::from_f32(value).to_bits(),
            Half::BF16 => half::bf16::from_f32(value).to_bits(),
        }
    }

    #[test]
    fn every_half_is_the_number_that_others_say_it_is() {
        for half in BOTH {
            for bits in 0..=u16::MAX {
                let (ours, theirs) = (half.widen(bits), widened(half, bits));
                assert_eq!(ours.is_nan(), theirs.is_nan(), "{half:?} {bits:#x}");
                if !ours.is_nan() {
                    assert_eq!(ours.to_bits(), theirs.to_bits(), "{half:?} {bits:#x}");
                    assert_eq!(half.of_f64(ours.into()), bits);
                } else {
                    assert!(widened(half, half.of_f64(ours.into())).is_nan());
                }
            }
        }
    }

    /// Every two neighbours with the number between them, the last one with what would follow it.
    fn between(half: Half) -> impl Iterator<Item = (u16, f64)> {
        (0..half.infinity()).map(move |bits| {
            let low = f64::from(half.widen(bits));
            let step = low - f64::from(half.widen(bits.max(1) - 1));
            let high = match half.widen(bits + 1) {
                f32::INFINITY => low + step,
                high => high.into(),
            };
            (bits, (low + high) / 2.0)
        })
    }

    #[test]
    fn numbers_go_to_the_nearest_half_and_ties_to_the_even_one() {
        for half in BOTH {
            for (bits, middle) in between(half) {
                for sign in [0, 0x8000] {
                    let signed = |x: f64| if sign == 0 { x } else { -x };
                    let near = |x: f64| half.of_f64(signed(x));
                    assert_eq!(near(middle.next_down()), bits | sign);
                    assert_eq!(near(middle.next_up()), (bits + 1) | sign);
                    assert_eq!(near(middle), (bits + (bits & 1)) | sign);
                    // An `f32` holds the middle too, and there the crate `half` is asked.
                    let single = signed(middle) as f32;
                    for x in [single.next_down(), single, single.next_up()] {
                        assert_eq!(half.of_f64(x.into()), rounded(half, x), "{half:?} {x:e}");
                    }
                }
            }
        }
    }

    #[test]
    fn integers_round_once() {
        assert_eq!(Half::F16.of_int(65_519), 0x7BFF);
        assert_eq!(Half::F16.of_int(-65_520), 0xFC00);
        // Rounded to an `f32` first, this would be a tie.
        let above = (1 << 60) + (1 << 52) + 1;
        assert_eq!(Half::BF16.of_int(above), 0x5D81);
        assert_eq!(Half::BF16.of_int(above - 1), 0x5D80);
        assert_eq!(Half::BF16.of_int(-above), 0xDD81);
        assert_eq!(Half::BF16.of_int(0), 0);
    }

    #[test]
    fn decimal_digits_round_once_however_many_there_are() {
        for half in BOTH {
            // Some of them: each takes many digits.
            for (bits, middle) in between(half).step_by(37) {
                // The exact digits of the middle, and a little less and more than an `f64` tells.
                let exact = format!("{middle:.200}");
                let exact = exact.trim_end_matches('0');
                let (less, more) = (below(exact), format!("{exact}00000000000000000000000001"));
                assert_eq!(half.of_decimal(exact), bits + (bits & 1), "{exact}");
                assert_eq!(half.of_decimal(&less), bits, "{less}");
                assert_eq!(half.of_decimal(&more), bits + 1, "{more}");
                assert_eq!(half.of_decimal(&format!("-{more}")), (bits + 1) | 0x8000);
            }
        }
        let f16 = |text: &str| Half::F16.of_decimal(text);
        assert_eq!((f16("1"), f16("-2."), f16("0.1")), (0x3C00, 0xC000, 0x2E66));
        assert_eq!((f16("655.04E+2"), f16("1e9")), (0x7BFF, 0x7C00));
        assert_eq!(
            (f16("-0.0"), f16("1e-400"), f16("1e400")),
            (0x8000, 0, 0x7C00)
        );
    }

    /// Decimal digits that are less by a bit, `0.5` as `0.4999…`.
    fn below(exact: &str) -> String {
        let mut digits: Vec<char> = exact.chars().collect();
        for digit in digits.iter_mut().rev().filter(|c| **c != '.') {
            match *digit {
                '0' => *digit = '9',
                other => {
                    *digit = char::from(other as u8 - 1);
                    break;
                }
            }
        }
        digits.extend("999999999999999999999999".chars());
        digits.into_iter().collect()
    }
}
