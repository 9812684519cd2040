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
        let same = bare(name) == bare(candidate);
        let edits = if same {
            1
        } else {
            strsim::osa_distance(name, candidate)
        };
        // Where no letter is left, any other name is as close.
        let other = !same && edits >= length;
        let within = !other && edits <= length.max(3) / 3;
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
        assert_eq!(closest("w", ["h", "y"]), None);
        assert_eq!(closest("W", ["h", "w"]), Some("w"));
        assert_eq!(closest("x1", ["y", "x"]), Some("x"));
        assert_eq!(closest("x", []), None);
    }
}
