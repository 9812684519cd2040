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

/// The one candidate of which `name` is a longer form, or a shorter one, as `height` is of `h`.
pub fn shortened<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let form = |of: &&str| *of != name && (of.starts_with(name) || name.starts_with(of));
    let mut forms = candidates.into_iter().filter(form);
    match (forms.next(), forms.next()) {
        (Some(one), None) => Some(one),
        _ => None,
    }
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
    fn a_longer_form_finds_what_it_is_of() {
        assert_eq!(shortened("height", ["h", "w"]), Some("h"));
        assert_eq!(shortened("w", ["height", "width"]), Some("width"));
        assert_eq!(shortened("h", ["height", "heads"]), None);
        assert_eq!(shortened("n", ["h", "w"]), None);
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
