//! Views: a name, and which rows of it.

use gpu_graph_analysis::fault::Edit;
use proc_macro2::{Delimiter, Ident};
use syn::Token;
use syn::buffer::Cursor;
use syn::parse::ParseStream;

use super::extent::{WHAT, extent_at};
use super::fail::{Fail, Result};
use super::range::dots;
use super::stream::{name, take, with_cursor, within};
use super::tensor::tensor;
use crate::ast::{Extent, RowRange, Seen, View};
use crate::lower::show;
use crate::span::Region;

/// `x`, `x[a..b]`, and perhaps `as [f32; n]`, with rows of its own.
pub fn view(input: ParseStream) -> Result<View> {
    let name = name(input, "the name of a resource")?;
    let mut view = rest_of_view(name, input)?;
    if take::<Token![as]>(input) {
        let shape = tensor(input)?;
        let rows = rows(input)?;
        let end = rows.as_ref().map_or(shape.region, |rows| rows.region);
        view.region = view.region.to(end);
        view.seen = Some(Box::new(Seen { shape, rows }));
    }
    Ok(view)
}

/// The rows behind the name of a view.
pub fn rest_of_view(name: Ident, input: ParseStream) -> Result<View> {
    let region = Region::from(&name);
    let rows = rows(input)?;
    Ok(View {
        region: rows.as_ref().map_or(region, |rows| region.to(rows.region)),
        name,
        rows,
        seen: None,
    })
}

/// `[a..b]`, if it stands here.
fn rows(input: ParseStream) -> Result<Option<RowRange>> {
    if !input.peek(syn::token::Bracket) {
        return Ok(None);
    }
    let inside = within(input, Delimiter::Bracket, "`[`", bounds)?;
    let (start, end) = inside.value;
    Ok(Some(RowRange {
        start,
        end,
        region: inside.region,
    }))
}

type Bounds = (Option<Extent>, Option<Extent>);

fn bounds(input: ParseStream) -> Result<Bounds> {
    let bounds = with_cursor(input, bounds_at)?;
    if input.peek(Token![,]) {
        return Err(Fail::not_yet(input.span(), "x[a..b, c..d]")
            .note("a view is a range of rows: of the first axis"));
    }
    Ok(bounds)
}

fn bounds_at(cursor: Cursor) -> Result<(Bounds, Cursor)> {
    // The whole range may be one fragment of a `macro_rules!`.
    if let Some((inside, _, rest)) = cursor.group(Delimiter::None)
        && rest.eof()
        && let Ok((bounds, end)) = bounds_at(inside)
        && end.eof()
    {
        return Ok((bounds, rest));
    }
    let mut start = None;
    let mut cursor = cursor;
    if dots(cursor).is_none() {
        if cursor.eof() {
            return Err(Fail::expected(cursor, "a range of rows `a..b`"));
        }
        let (extent, rest) = extent_at(cursor, WHAT)?;
        if rest.eof() {
            let row = show(&extent);
            let rows = format!("{row}..{row} + 1");
            return Err(Fail::new(extent.region, "a view is a range of rows `a..b`")
                .fix("one row is `{}`", [Edit::replace(extent.region, rows)]));
        }
        start = Some(extent);
        cursor = rest;
    }
    let Some((region, rest)) = dots(cursor) else {
        return Err(Fail::expected(cursor, "`..`"));
    };
    if let Some((punct, _)) = rest.punct()
        && matches!(punct.as_char(), '=' | '.')
    {
        let region = region.to(punct.span());
        let fail = Fail::new(region, "a range of rows is half-open");
        return Err(
            match rest
                .punct()
                .and_then(|(_, rest)| extent_at(rest, WHAT).ok())
            {
                Some((last, _)) => fail.fix(
                    "write `{}` and the row behind the last, `{}`",
                    [
                        Edit::replace(region, ".."),
                        Edit::replace(last.region, format!("{} + 1", show(&last))),
                    ],
                ),
                None => fail.help("write `a..b`, where `b` is the row behind the last"),
            },
        );
    }
    let ends = rest.eof() || rest.punct().is_some_and(|(p, _)| p.as_char() == ',');
    if ends {
        return Ok(((start, None), rest));
    }
    let (end, rest) = extent_at(rest, WHAT)?;
    Ok(((start, Some(end)), rest))
}
