//! Names that are spelt alike.

/// The names at most a third of whose letters differ from `name`, the closest first; or, where there
/// are none, those that contain it or are contained.
pub(super) fn near(
    name: &str,
    known: impl Iterator<Item = &'static str> + Clone,
) -> Vec<&'static str> {
    const MOST: usize = 4;
    let wanted = bare(name);
    let mut close: Vec<(usize, &'static str)> = known
        .clone()
        .map(|k| (edits(&wanted, &bare(k)), k))
        .filter(|(edits, k)| *edits <= wanted.len().max(k.len()).max(3) / 3)
        .collect();
    close.sort_by_key(|(edits, _)| *edits);
    let mut close: Vec<_> = close.into_iter().map(|(_, k)| k).collect();
    if close.is_empty() && !name.is_empty() {
        close = known
            .filter(|k| k.len() > 2 && (k.contains(name) || name.contains(k)))
            .collect();
    }
    close.truncate(MOST);
    close
}

/// Case and underscores do not count.
fn bare(name: &str) -> Vec<char> {
    let letters = name.chars().filter(|c| *c != '_');
    letters.flat_map(char::to_lowercase).collect()
}

/// Letters to insert, delete, replace, or swap with their neighbour.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let replaced = last[j] + usize::from(x != y);
            let swapped = match i > 0 && j > 0 && a[i - 1] == *y && *x == b[j - 1] {
                true => before[j - 1] + 1,
                false => replaced,
            };
            let moved = last[j + 1].min(row[j]) + 1;
            row.push(replaced.min(swapped).min(moved));
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn slips_come_closest_first_and_parts_when_there_are_none() {
        let known = ["smooth", "gx", "gy", "mag", "magnitude", "grad_x"];
        let near = |name| near(name, known.into_iter());
        assert_eq!(near("smoth"), ["smooth"]);
        assert_eq!(near("mga"), ["mag"]);
        assert_eq!(near("GradX"), ["grad_x"]);
        assert_eq!(near("gz"), ["gx", "gy"]);
        assert_eq!(near("magnitudes_of_all"), ["mag", "magnitude"]);
        assert!(near("frequency").is_empty());
    }
}
