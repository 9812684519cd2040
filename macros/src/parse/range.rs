//! Ranges of numbers: `0..LAYERS`.

use proc_macro2::Delimiter;
use syn::buffer::Cursor;
use syn::parse::ParseStream;

use super::extent::extent_at;
use super::fail::{Fail, Result};
use super::stream::with_cursor;
use crate::ast::Range;
use crate::span::Region;

/// `a..b` or `a..=b`.
pub fn range(input: ParseStream) -> Result<Range> {
    with_cursor(input, range_at)
}

fn range_at(cursor: Cursor) -> Result<(Range, Cursor)> {
    // The whole range may be one fragment of a `macro_rules!`.
    if let Some((inside, _, rest)) = cursor.group(Delimiter::None)
        && let Ok((range, end)) = range_at(inside)
        && end.eof()
    {
        return Ok((range, rest));
    }
    let (start, rest) = extent_at(cursor, "a range, as in `0..4`")?;
    let Some((_, mut rest)) = dots(rest) else {
        return Err(Fail::expected(rest, "`..` or `..=`"));
    };
    let mut inclusive = false;
    if let Some((punct, after)) = rest.punct() {
        match punct.as_char() {
            '=' => (inclusive, rest) = (true, after),
            '.' => return Err(Fail::expected(rest, "the end of the range").help("write `..=`")),
            _ => {}
        }
    }
    let (end, rest) = extent_at(rest, "the end of the range")?;
    let range = Range {
        region: start.region.to(end.region),
        start,
        end,
        inclusive,
    };
    Ok((range, rest))
}

/// `..`, and what follows.
pub fn dots(cursor: Cursor) -> Option<(Region, Cursor)> {
    let (first, rest) = cursor.punct()?;
    let (second, rest) = rest.punct()?;
    let both = first.as_char() == '.' && second.as_char() == '.';
    both.then(|| (Region::from(first.span()).to(second.span()), rest))
}
