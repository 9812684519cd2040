//! Bytes as a person reads them.

/// An amount of bytes as the record's text has it, without the bytes beside it: exact in the largest
/// unit that divides it, else rounded down to a tenth.
pub(crate) fn amount(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["B", "KiB", "MiB", "GiB"];
    let mut unit = 0;
    while unit < 3 && bytes >> (10 * (unit + 1)) > 0 {
        unit += 1;
    }
    let mut exact = unit;
    while exact > 0 && bytes & ((1 << (10 * exact)) - 1) != 0 {
        exact -= 1;
    }
    let short = bytes >> (10 * exact);
    if exact == unit || short < 10_000 && exact > 0 {
        return format!("{short} {}", UNITS[exact]);
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
        for bytes in powers.chain([0, 8960, 1280, 16_106_546_688, u64::MAX]) {
            let text = gpu_graph_analysis::layout::sizes::amount(bytes);
            let short = text.split(" (").next();
            assert_eq!(short, Some(&*amount(bytes)), "{text}");
        }
    }
}
