//! Conversions that round, on a grid of numbers that are all as far from the next.

/// The largest power of two that is not above a number, at least two to `least`.
fn place(x: f64, least: i32) -> i32 {
    let field = (x.to_bits() >> 52 & 0x7FF) as i32;
    (field - 1023).max(least)
}

/// `x` on the grid of numbers with so many `digits`, by `round`.
fn on_grid(x: f64, digits: i32, least: i32, round: fn(f64) -> f64) -> f64 {
    let step = 2f64.powi(place(x, least) - digits + 1);
    (round(x / step) * step).copysign(x)
}

/// An `f16` of those bits.
pub fn widened(bits: u16) -> f32 {
    let (field, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 0x3FF) / 1024.0);
    let value = match field {
        0 => fraction * 2f32.powi(-14),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction) * 2f32.powi(field - 15),
    };
    if bits >> 15 == 0 { value } else { -value }
}

/// The bits of the nearest `f16`.
pub fn nearest(x: f32) -> u16 {
    let sign = u16::from(x.is_sign_negative()) << 15;
    if x.is_nan() {
        return 0x7FFF;
    }
    let value = on_grid(x.into(), 11, -14, f64::round_ties_even).abs();
    if value >= 65_536.0 {
        return sign | 0x7C00;
    }
    let at = place(value, -14);
    let digits = (value / 2f64.powi(at - 10)) as u16;
    let field = if digits < 1024 { 0 } else { at + 15 } as u16;
    sign | field << 10 | digits & 0x3FF
}

/// An `f32` towards 0.
pub fn cut(x: f64) -> f32 {
    if !x.is_finite() {
        return x as f32;
    }
    let value = on_grid(x, 24, -126, f64::trunc);
    value.clamp(f32::MIN.into(), f32::MAX.into()) as f32
}

/// The same of an integer.
pub fn cut_int(x: i128) -> f32 {
    let length = i128::BITS - x.unsigned_abs().leading_zeros();
    let drop = length.saturating_sub(24);
    let value = (x.unsigned_abs() >> drop << drop) as f32;
    if x < 0 { -value } else { value }
}
