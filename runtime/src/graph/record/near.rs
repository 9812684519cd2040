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
        .map(|k| (strsim::osa_distance(&wanted, &bare(k)), k))
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
fn bare(name: &str) -> String {
    let letters = name.chars().filter(|c| *c != '_');
    letters.flat_map(char::to_lowercase).collect()
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
