//! Bytes as a person reads them.

/// An amount of bytes as the record's text has it, without the bytes beside it: in the largest unit of
/// which there is one, whole, or rounded down to a tenth.
pub(crate) fn amount(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["B", "KiB", "MiB", "GiB"];
    let reached = |unit: &usize| bytes >> (10 * unit) > 0;
    let unit = (1..UNITS.len()).rev().find(reached).unwrap_or(0);
    if bytes.trailing_zeros() as usize >= 10 * unit {
        return format!("{} {}", bytes >> (10 * unit), UNITS[unit]);
    }
    let tenths = (u128::from(bytes) * 10) >> (10 * unit);
    format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::amount;

    #[test]
    fn text_and_page_round_the_same_bytes_the_same_way() {
        let powers = (0..64).flat_map(|k| [1u64 << k, (1 << k) + 256, (3 << k) - 1]);
        for bytes in powers.chain([0, 8960, 1280, 5122 << 10, 16_106_546_688, u64::MAX]) {
            let text = gpu_graph_analysis::layout::sizes::rounded(bytes);
            let short = text.split(" (").next();
            assert_eq!(short, Some(&*amount(bytes)), "{text}");
        }
    }

    #[test]
    fn a_larger_amount_is_never_told_in_a_smaller_unit() {
        let units = ["B", "KiB", "MiB", "GiB"];
        let unit = |bytes| {
            let words = amount(bytes);
            let unit = words.rsplit(' ').next();
            units.iter().position(|known| Some(*known) == unit)
        };
        let mut all: Vec<u64> = (0..64)
            .flat_map(|k| [1 << k, (1 << k) + 1024, 5 << k >> 2])
            .collect();
        all.sort_unstable();
        assert!(all.windows(2).all(|two| unit(two[0]) <= unit(two[1])));
    }
}
