//! Comma-separated values (RFC 4180), with the place of every field.

/// Something wrong at a line and column, both from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub at: (usize, usize),
    pub message: String,
}

/// A fault at a place.
pub fn fault(at: (usize, usize), message: impl Into<String>) -> Fault {
    let message = message.into();
    Fault { at, message }
}

/// A field, without quotes and blanks around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub text: String,
    /// Where its text begins.
    pub at: (usize, usize),
}

/// The text of a file.
///
/// # Errors
/// The first byte that is no UTF-8.
pub fn text(bytes: Vec<u8>) -> Result<String, Fault> {
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text
            .strip_prefix('\u{feff}')
            .map(str::to_owned)
            .unwrap_or(text)),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let before = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
            Err(fault((line, column), "this is no UTF-8"))
        }
    }
}

/// The records of `text`. Empty lines are none.
///
/// # Errors
/// A quote that is not closed, or that stands where none can.
pub fn records(text: &str) -> Result<Vec<Vec<Field>>, Fault> {
    let mut records: Vec<Vec<Field>> = Vec::new();
    let mut record: Vec<Field> = Vec::new();
    let mut place = (1, 1);
    let mut chars = text.chars().peekable();
    loop {
        let (field, quoted) = field(&mut chars, &mut place)?;
        let only = record.is_empty();
        let end = chars.next();
        let blank = only && end != Some(',') && field.text.is_empty() && !quoted;
        if !blank {
            record.push(field);
        }
        match end {
            Some(',') => place.1 += 1,
            _ => {
                if !record.is_empty() {
                    records.push(std::mem::take(&mut record));
                }
                if end.is_none() {
                    return Ok(records);
                }
                place = (place.0 + 1, 1);
            }
        }
    }
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Reads up to the next comma or the end of the line.
fn field(chars: &mut Chars<'_>, place: &mut (usize, usize)) -> Result<(Field, bool), Fault> {
    let blank = |c: &char| matches!(c, ' ' | '\t' | '\r');
    while chars.next_if(blank).is_some() {
        place.1 += 1;
    }
    let mut at = *place;
    let mut text = String::new();
    if chars.next_if_eq(&'"').is_none() {
        while let Some(c) = chars.next_if(|&c| c != ',' && c != '\n') {
            if c == '"' {
                return Err(fault(
                    *place,
                    "a quote in a field that does not begin with one",
                ));
            }
            place.1 += 1;
            text.push(c);
        }
        text.truncate(text.trim_end().len());
        return Ok((Field { text, at }, false));
    }
    let open = at;
    place.1 += 1;
    at.1 += 1;
    loop {
        match chars.next() {
            None => return Err(fault(open, "the quote is not closed")),
            Some('"') => {
                place.1 += 1;
                if chars.next_if_eq(&'"').is_none() {
                    break;
                }
                place.1 += 1;
                text.push('"');
            }
            Some('\n') => {
                *place = (place.0 + 1, 1);
                text.push('\n');
            }
            Some(c) => {
                place.1 += 1;
                text.push(c);
            }
        }
    }
    while chars.next_if(blank).is_some() {
        place.1 += 1;
    }
    match chars.peek() {
        None | Some(',' | '\n') => Ok((Field { text, at }, true)),
        Some(_) => Err(fault(*place, "something follows the closing quote")),
    }
}

/// A field as it is written.
pub fn quoted(text: &str) -> String {
    let blank = text.trim() != text;
    if blank || text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<Vec<String>> {
        let records = records(text).expect("a well-formed text");
        let texts = |r: Vec<Field>| r.into_iter().map(|f| f.text).collect();
        records.into_iter().map(texts).collect()
    }

    #[test]
    fn fields_are_read_with_and_without_quotes() {
        let read = texts("a, b ,c\r\n\n\"x,\"\"y\"\"\n\",,1\n");
        assert_eq!(read, [["a", "b", "c"], ["x,\"y\"\n", "", "1"]]);
        assert_eq!(texts("a\n\"\"\n"), [["a"], [""]]);
        assert!(texts("\n \r\n").is_empty());
    }

    #[test]
    fn places_are_counted_in_characters() {
        let records = records("ä,\"b\nc\" , d\n e").expect("a well-formed text");
        let places: Vec<_> = records.iter().flatten().map(|f| f.at).collect();
        assert_eq!(places, [(1, 1), (1, 4), (2, 6), (3, 2)]);
    }

    #[test]
    fn quotes_that_do_not_match_are_refused_where_they_stand() {
        for (text, at) in [("a,\"b", (1, 3)), ("a\nb\"", (2, 2)), ("\"a\"b", (1, 4))] {
            assert_eq!(records(text).map_err(|f| f.at), Err(at), "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for field in ["a", " a", "a,b", "a\"b", "a\nb", ""] {
            let line = format!("{},x", quoted(field));
            assert_eq!(texts(&line), [[field, "x"]]);
        }
    }
}
