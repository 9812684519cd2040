//! Numbers as they stand in a file: digits, and nothing rounded.

/// What is wrong with a number.
fn refused(text: &str, signed: bool) -> String {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if text.is_empty() {
        "a number is missing".into()
    } else if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        format!("`{text}` is no integer")
    } else if text.starts_with('-') && !signed {
        format!("`{text}` is negative")
    } else {
        format!("`{text}` is too large")
    }
}

/// An integer from 0 on.
///
/// # Errors
/// What is wrong with it.
pub fn natural(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| refused(text, false))
}

/// An integer.
///
/// # Errors
/// What is wrong with it.
pub fn integer(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| refused(text, true))
}

/// A time, or the components of a clock.
///
/// # Errors
/// What is wrong with it, and at which character.
pub fn clock(text: &str) -> Result<Vec<i64>, (usize, String)> {
    let mut at = 0;
    let mut clock = Vec::new();
    for part in text.split(':') {
        clock.push(integer(part).map_err(|e| (at, e))?);
        at += part.chars().count() + 1;
    }
    Ok(clock)
}

/// `lo-hi;lo-hi`, half-open.
///
/// # Errors
/// What is wrong with it, and at which character.
pub fn gaps(text: &str) -> Result<Vec<(i64, i64)>, (usize, String)> {
    let mut at = 0;
    let mut gaps = Vec::new();
    for part in text.split(';').filter(|_| !text.is_empty()) {
        // A sign may come first.
        let dash = part
            .char_indices()
            .skip(1)
            .find(|c| c.1 == '-')
            .map(|c| c.0);
        let Some(dash) = dash else {
            return Err((at, format!("`{part}` is no gap: write `lo-hi`")));
        };
        let from = integer(&part[..dash]).map_err(|e| (at, e))?;
        let to = integer(&part[dash + 1..]).map_err(|e| (at + dash + 1, e))?;
        if from >= to {
            return Err((at, format!("the gap `{part}` ends before it begins")));
        }
        gaps.push((from, to));
        at += part.chars().count() + 1;
    }
    Ok(gaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_refused_for_what_is_wrong_with_them() {
        assert_eq!(natural("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(
            natural("18446744073709551616"),
            Err("`18446744073709551616` is too large".into())
        );
        assert_eq!(natural("-1"), Err("`-1` is negative".into()));
        for text in ["NaN", "1.5", "1e3", "0x1", "-", "1 2"] {
            assert_eq!(natural(text), Err(format!("`{text}` is no integer")));
        }
        assert_eq!(natural(""), Err("a number is missing".into()));
        assert_eq!(integer("-9"), Ok(-9));
    }

    #[test]
    fn clocks_and_gaps_are_refused_at_the_character() {
        assert_eq!(clock("1:-2:3"), Ok(vec![1, -2, 3]));
        assert_eq!(clock("1:x").map_err(|e| e.0), Err(2));
        assert_eq!(gaps("1-2;-5--3"), Ok(vec![(1, 2), (-5, -3)]));
        assert_eq!(gaps(""), Ok(vec![]));
        for (text, at) in [
            ("1-2;3", 4),
            ("1-x", 2),
            ("x-1", 0),
            ("2-2", 0),
            ("1-2;", 4),
        ] {
            assert_eq!(gaps(text).map_err(|e| e.0), Err(at), "{text}");
        }
    }
}
