//! "Did you mean": the closest of the declared names.

/// The candidate that `name` is most likely a slip of: the fewest edits (insert, delete, replace,
/// swap neighbours), at most a third of the longer name's length; the first of equals.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best = None;
    for candidate in candidates {
        if candidate == name {
            continue;
        }
        let length = name.chars().count().max(candidate.chars().count());
        // Case and underscores are slips of one edit, however many there are.
        let edits = if bare(name) == bare(candidate) {
            1
        } else {
            distance(name, candidate)
        };
        let within = edits <= length.max(3) / 3;
        if within && best.is_none_or(|(least, _)| edits < least) {
            best = Some((edits, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn bare(name: &str) -> String {
    name.chars()
        .filter(|c| *c != '_')
        .flat_map(char::to_lowercase)
        .collect()
}

/// Optimal string alignment distance.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<_>, Vec<_>) = (a.chars().collect(), b.chars().collect());
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<_> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = last;
        last = row;
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_name() {
        let known = ["blur", "sobel_x", "sobel_y", "threshold"];
        assert_eq!(closest("blurr", known), Some("blur"));
        assert_eq!(closest("bulr", known), Some("blur"));
        assert_eq!(closest("treshold", known), Some("threshold"));
        assert_eq!(closest("SobelX", known), Some("sobel_x"));
        assert_eq!(closest("sobel_z", known), Some("sobel_x"));
    }

    #[test]
    fn another_word_finds_nothing() {
        assert_eq!(closest("gemm", ["blur", "threshold"]), None);
        assert_eq!(closest("x", ["image"]), None);
        assert_eq!(closest("x", []), None);
    }

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("ab", "ba"), 1);
    }
}
