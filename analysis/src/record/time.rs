//! Times in words.

const UNITS: [(u64, &str); 4] = [
    (1, "ns"),
    (1_000, "us"),
    (1_000_000, "ms"),
    (1_000_000_000, "s"),
];

/// `12 us`, `1234 ns`, or `12.3 us (12345 ns)` where no unit has it whole in at most four digits.
pub fn time(nanos: u64) -> String {
    let own = UNITS.iter().rposition(|(unit, _)| nanos >= *unit);
    let own = own.unwrap_or(0);
    let whole = (0..=own).rfind(|&at| nanos.is_multiple_of(UNITS[at].0));
    let whole = whole.unwrap_or(0);
    let (unit, name) = UNITS[whole];
    let count = nanos / unit;
    if whole == own || count < 10_000 {
        return format!("{count} {name}");
    }
    let (unit, name) = UNITS[own];
    let tenths = nanos / (unit / 10);
    format!("{}.{} {name} ({nanos} ns)", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn times_are_told_in_the_unit_that_fits() {
        assert_eq!(time(0), "0 ns");
        assert_eq!(time(9_999), "9999 ns");
        assert_eq!(time(12_345), "12.3 us (12345 ns)");
        assert_eq!(time(1_500_000), "1500 us");
        assert_eq!(time(33_000_000), "33 ms");
        assert_eq!(time(12_345_000), "12.3 ms (12345000 ns)");
        assert_eq!(time(2_000_000_000), "2 s");
        assert_eq!(time(u64::MAX), "18446744073.7 s (18446744073709551615 ns)");
    }
}
