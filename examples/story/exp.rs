//! An exponential that compiles to vector instructions, which `f32::exp` does not.

/// `e` to the power of `x`, within 2 units in the last place; `x` is held within -87 and 88.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    // Written out, because `f32::clamp` keeps NaN apart, and that is not one instruction.
    let x = if x < -87.0 { -87.0 } else { x };
    let x = if x > 88.0 { 88.0 } else { x };
    // Added to 1.5 * 2^23, a float is rounded to an integer, which stands in its lowest bits.
    let shifted = x * std::f32::consts::LOG2_E + 12_582_912.0;
    let power = shifted - 12_582_912.0;
    // What is left of `x`, with ln 2 in two parts of which the first is exact.
    let r = x - power * 0.693_359_4 + power * 2.121_944_4e-4;
    let p = 1.987_569_1e-4 * r + 1.398_199_9e-3;
    let p = p * r + 8.333_452e-3;
    let p = p * r + 4.166_579_6e-2;
    let p = p * r + 0.166_666_66;
    let p = p * r + 0.5;
    let p = p * r * r + r + 1.0;
    p * f32::from_bits((shifted.to_bits() << 23).wrapping_add(1.0_f32.to_bits()))
}
