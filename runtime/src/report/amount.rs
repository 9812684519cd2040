//! Bytes as a person reads them.

/// An amount of bytes in three digits, like `1.25 MiB`.
pub(crate) fn amount(bytes: u64) -> String {
    const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let unit = (u64::BITS - bytes.max(1).leading_zeros() - 1) as usize / 10;
    let name = UNITS[unit.min(UNITS.len() - 1)];
    let scale = 1u128 << (10 * unit);
    let hundredths = (u128::from(bytes) * 100 + scale / 2) / scale;
    let (whole, part) = (hundredths / 100, hundredths % 100);
    match (part, whole) {
        (0, _) => format!("{whole} {name}"),
        (_, 0..10) => format!("{whole}.{part:02} {name}"),
        (_, 10..100) => format!("{whole}.{} {name}", part / 10),
        _ => format!("{whole} {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_three_digits_in_the_largest_unit() {
        for (bytes, shown) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1 KiB"),
            (1280, "1.25 KiB"),
            (16_106_546_688, "15 GiB"),
            (16_213_000_000, "15.1 GiB"),
            (200 << 20, "200 MiB"),
            (u64::MAX, "16 EiB"),
        ] {
            assert_eq!(amount(bytes), shown);
        }
    }
}
