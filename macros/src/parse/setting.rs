//! Dims, bytes and counts.

use gpu_graph_analysis::fault::Edit;
use syn::Token;
use syn::parse::ParseStream;

use super::extent::extent_as;
use super::fail::{Fail, Result};
use super::literal::{amount, int_at, no_unit};
use super::stream::{name, next_word, take};
use super::words::{Word, keyword};
use crate::ast::{Attr, Bytes, Dim};
use crate::span::Region;

const UNITS: &[(&str, u64)] = &[
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
];

/// A number of bytes with its unit, which may be missing where `bare` says so.
pub fn bytes(input: ParseStream, bare: bool) -> Result<Bytes> {
    let what = "a number of bytes, as in `16 KiB`";
    let amount = if input.cursor().literal().is_some() {
        let units: Vec<_> = UNITS.iter().map(|(unit, _)| *unit).collect();
        amount(input, what, &units)?
    } else {
        let fail = Fail::expected(input.cursor(), what);
        return Err(fail.note("the units are `B`, `KiB`, `MiB` and `GiB`"));
    };
    let start = Region::from(amount.span);
    if bare && next_word(input).is_none() {
        return Ok(Bytes {
            bytes: amount.value,
            region: start,
        });
    }
    let units = "`B`, `KiB`, `MiB` or `GiB`";
    let Some(word) = Word::take(input) else {
        let known: Vec<_> = UNITS.iter().map(|(unit, _)| *unit).collect();
        return Err(no_unit(&amount, "MiB", &known, input));
    };
    let Some((_, factor)) = UNITS.iter().find(|(unit, _)| *unit == word.text) else {
        let fail = Fail::new(&word.name, format!("unknown unit `{}`", word.text));
        let fail = fail.note(format!("the units are {units}").replace(" or ", " and "));
        let same = UNITS
            .iter()
            .find(|(unit, _)| unit[..1].eq_ignore_ascii_case(&word.text[..1]));
        return Err(match same {
            Some((unit, _)) => fail.fix(
                "did you mean `{}`?",
                [Edit::replace((&word.name).into(), *unit)],
            ),
            None => fail,
        });
    };
    let region = start.to(&word.name);
    let Some(bytes) = amount.value.checked_mul(*factor) else {
        return Err(Fail::new(region, "this number of bytes is too large"));
    };
    Ok(Bytes { bytes, region })
}

/// `h in 16..=8192`. A bound that is missing is not a fault of the syntax. What could be read of it
/// is among `dims`, also where that is the name alone.
pub fn dim(dims: &mut Vec<Dim>, attrs: Vec<Attr>, input: ParseStream) -> Result<()> {
    let name = name(input, "the name of a dim")?;
    dims.push(Dim {
        attrs,
        min: None,
        end: None,
        inclusive: false,
        range: Region::from(&name),
        name,
    });
    match dims.last_mut() {
        Some(dim) if !input.is_empty() && !input.peek(Token![;]) => bounds(dim, input),
        _ => Ok(()),
    }
}

/// A dim before a `:`, and perhaps a type behind that.
fn typed(fail: Fail, dim: &Dim, input: ParseStream) -> Fail {
    let colon = Region::from(input.span());
    let Some((ty, rest)) = input.cursor().punct().and_then(|(_, rest)| rest.ident()) else {
        return fail.fix("write `{}`", [Edit::replace(colon, " in")]);
    };
    let fail = fail.note("a dim has no type: it is a number of elements");
    match rest.ident() {
        Some((word, _)) if word == "in" => {
            fail.fix(&format!("drop `: {ty}`"), [Edit::remove(colon.to(&ty))])
        }
        _ => fail.help(format!("write `dim {} in 1..=8192;`", dim.name)),
    }
}

fn bounds(dim: &mut Dim, input: ParseStream) -> Result<()> {
    if input.peek(Token![=]) {
        let fail = Fail::expected(input.cursor(), "`in`");
        let sign = Region::from(input.span());
        let value = input.cursor().token_tree().map(|(_, rest)| rest);
        let value = value.and_then(|rest| int_at(rest, "").ok());
        let fail = match value {
            Some((int, _)) => fail.fix(
                "write `{}`",
                [
                    Edit::replace(sign, format!("in {0}..={0}", int.value)),
                    Edit::remove(int.span.into()),
                ],
            ),
            None => fail,
        };
        return Err(fail.help("write an extent that never changes as a number where it is used"));
    }
    let range = input.cursor().literal().is_some();
    keyword(input, "in").map_err(|fail| match range {
        true => fail.fix(
            "write `{}` before it",
            [Edit::before(input.span().into(), "in ")],
        ),
        false if input.peek(Token![:]) => typed(fail, dim, input),
        false => fail.help(format!("write `dim {} in 1..=8192;`", dim.name)),
    })?;
    let mut ends: Option<Region> = None;
    let mut seen = |region: Region| ends = Some(ends.map_or(region, |ends| ends.to(region)));
    if !input.peek(Token![..]) {
        let min = extent_as(input, "a range, as in `16..=8192`")?;
        seen(min.region);
        dim.min = Some(min);
    }
    let dots = input.cursor();
    if input.peek(Token![...]) {
        return Err(Fail::expected(dots, "`..=` or `..`"));
    }
    let region = Region::from(input.span());
    dim.inclusive = take::<Token![..=]>(input);
    if !dim.inclusive && !take::<Token![..]>(input) {
        return Err(Fail::expected(dots, "`..=` or `..`"));
    }
    seen(region.to(input.cursor().prev_span()));
    if !input.is_empty() && !input.peek(Token![;]) {
        let end = extent_as(input, "the largest value")?;
        seen(end.region);
        dim.end = Some(end);
    }
    dim.range = ends.unwrap_or(dim.range);
    Ok(())
}
