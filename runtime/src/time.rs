//! Times in words.

const UNITS: [(u64, &str); 4] = [
    (1, "ns"),
    (1_000, "us"),
    (1_000_000, "ms"),
    (1_000_000_000, "s"),
];

/// `12 us`, `1234 ns`, or `12.3 us` where no unit has it whole in at most four digits: as the text of a
/// record has it, without all its digits behind it.
pub(crate) fn time(nanos: u64) -> String {
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
    format!("{}.{} {name}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn text_and_page_tell_the_same_time_the_same_way() {
        let powers = (0..20).flat_map(|k| {
            let ten = 10u64.pow(k);
            [ten, ten - 1, ten + 1, ten.saturating_mul(12), ten / 2 * 3]
        });
        for nanos in powers.chain([0, 12_345, 1_500_000, 12_345_000, u64::MAX]) {
            let text = gpu_graph_analysis::record::time(nanos);
            let short = text.split(" (").next();
            assert_eq!(short, Some(&*time(nanos)), "{text}");
        }
    }
}
