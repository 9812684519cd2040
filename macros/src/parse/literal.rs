//! Numbers.

use gpu_graph_analysis::fault::Edit;
use proc_macro2::{Literal as Token, Span};
use syn::Lit;
use syn::buffer::Cursor;
use syn::parse::ParseStream;

use super::fail::{Fail, Result};
use super::stream::with_cursor;
use super::tensor::{elem, floats};
use super::words::list;
use crate::ast::{Int, Literal, Value};
use crate::span::Region;

/// No number that anything can hold is longer, and reading a long one takes more than linear time.
const LONGEST: usize = 400;

/// An integer without a suffix; `what` says what for.
pub fn int(input: ParseStream, what: &str) -> Result<Int> {
    with_cursor(input, |cursor| int_at(cursor, what))
}

/// The same, with a cursor.
pub fn int_at<'c>(cursor: Cursor<'c>, what: &str) -> Result<(Int, Cursor<'c>)> {
    before_unit(cursor, what, &[])
}

/// An integer before one of `units`, which stands behind a space.
pub fn amount(input: ParseStream, what: &str, units: &[&str]) -> Result<Int> {
    with_cursor(input, |cursor| before_unit(cursor, what, units))
}

/// No word stands behind `amount`, which is to be in one of `units`, as `usual` is.
pub fn no_unit(amount: &Int, usual: &str, units: &[&str], input: ParseStream) -> Fail {
    let ends = input.is_empty() || input.peek(syn::Token![;]) || input.peek(syn::Token![,]);
    if !ends {
        return Fail::expected(input.cursor(), &list(units));
    }
    let value = amount.value;
    let fail = Fail::new(amount.span, format!("`{value}` has no unit"));
    let units = list(units).replace(" or ", " and ");
    let unit = Edit::behind(amount.span.into(), format!(" {usual}"));
    fail.note(format!("the units are {units}"))
        .fix(&format!("write `{value} {{}}`"), [unit])
}

fn before_unit<'c>(cursor: Cursor<'c>, what: &str, units: &[&str]) -> Result<(Int, Cursor<'c>)> {
    let Some((token, rest)) = cursor.literal() else {
        return Err(Fail::expected(cursor, what));
    };
    let span = token.span();
    let Some(number) = number(token, span)? else {
        return Err(Fail::expected(cursor, what));
    };
    let Value::Int {
        negative: false,
        magnitude: value,
    } = number.value
    else {
        let fail = Fail::expected(cursor, what);
        let what = match units.contains(&"ms") {
            true => "a time is a whole number of `ns`, `us` or `ms`",
            false => "only whole numbers that are not negative are sizes",
        };
        return Err(fail.note(what));
    };
    if number.suffix.is_empty() {
        return Ok((Int { value, span }, rest));
    }
    let suffix = number.suffix;
    if units.is_empty() {
        let fail = Fail::new(
            span,
            format!("`{suffix}` cannot stand behind a number here"),
        );
        let plain = Edit::replace(span.into(), value.to_string());
        return Err(fail.fix("write `{}`", [plain]));
    }
    if let Some(same) = seconds(value, &suffix, units) {
        let fail = Fail::new(span, format!("`{suffix}` is no unit here"));
        return Err(fail.fix("write `{}`", [Edit::replace(span.into(), same)]));
    }
    let known = units.iter().find(|unit| unit.eq_ignore_ascii_case(&suffix));
    Err(match known {
        Some(unit) => {
            let apart = Edit::replace(span.into(), format!("{value} {unit}"));
            Fail::new(span, "a unit stands behind a space").fix("write `{}`", [apart])
        }
        None => {
            let units = list(units).replace(" or ", " and ");
            let fail = Fail::new(span, format!("`{suffix}` is no unit here"));
            fail.note(format!("the units are {units}, behind a space"))
        }
    })
}

/// So many seconds in one of `units`, where these are of times and `unit` is the second.
pub fn seconds(value: u64, unit: &str, units: &[&str]) -> Option<String> {
    let same = value
        .checked_mul(1000)
        .filter(|_| unit == "s" && units.contains(&"ms"));
    same.map(|value| format!("{value} ms"))
}

/// A literal, perhaps behind a `-`, if one is next and nothing of its expression follows.
pub fn lone(cursor: Cursor) -> Result<Option<(Literal, Cursor)>> {
    let mut minus: Option<Span> = None;
    let mut at = cursor;
    if let Some((punct, rest)) = cursor.punct()
        && punct.as_char() == '-'
    {
        minus = Some(punct.span());
        at = rest;
    }
    let Some((token, rest)) = at.literal() else {
        return Ok(None);
    };
    let span = token.span();
    let token_text = token.to_string();
    let Some(number) = number(token, span)? else {
        return Err(Fail::expected(at, "an argument")
            .note("an argument is `&x`, `&mut x`, a number, a scalar or an extent"));
    };
    let ends = rest.eof() || rest.punct().is_some_and(|(p, _)| p.as_char() == ',');
    if !ends {
        return Ok(None);
    }
    let suffix = match &*number.suffix {
        "" => None,
        name => {
            let text = token_text.strip_suffix(name).unwrap_or_default();
            Some(elem(text, name, span)?)
        }
    };
    let literal = Literal {
        value: if minus.is_some() {
            negated(number.value)
        } else {
            number.value
        },
        suffix,
        region: minus.map_or_else(|| span.into(), |minus| Region::from(minus).to(span)),
    };
    Ok(Some((literal, rest)))
}

/// A number, which says its type by its suffix, if one is next.
pub fn number_at(cursor: Cursor) -> Result<Option<(Literal, Cursor)>> {
    let Some((token, rest)) = cursor.literal() else {
        return Ok(None);
    };
    let span = token.span();
    let token_text = token.to_string();
    let Some(number) = number(token, span)? else {
        return Ok(None);
    };
    let suffix = match &*number.suffix {
        "" => None,
        name => {
            let text = token_text.strip_suffix(name).unwrap_or_default();
            Some(elem(text, name, span)?)
        }
    };
    let literal = Literal {
        value: number.value,
        suffix,
        region: span.into(),
    };
    Ok(Some((literal, rest)))
}

/// The value with the other sign.
pub fn negated(value: Value) -> Value {
    match value {
        Value::Int {
            negative,
            magnitude,
        } => Value::Int {
            negative: !negative,
            magnitude,
        },
        Value::Float(text) => Value::Float(match text.strip_prefix('-') {
            Some(positive) => positive.to_owned(),
            None => format!("-{text}"),
        }),
    }
}

struct Number {
    value: Value,
    suffix: String,
}

/// The number that `token` is, if it is one.
fn number(token: Token, span: Span) -> Result<Option<Number>> {
    let text = token.to_string();
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return Ok(None);
    }
    let too_large = || Fail::new(span, "this number is too large");
    if text.len() > LONGEST {
        return Err(too_large());
    }
    Ok(match Lit::new(token) {
        Lit::Int(int) => {
            let digits = int.base10_digits();
            let (negative, digits) = match digits.strip_prefix('-') {
                Some(digits) => (true, digits),
                None => (false, digits),
            };
            let magnitude = digits.parse().map_err(|_| too_large())?;
            let suffix = int.suffix().to_owned();
            // `1f32` is a float to Rust.
            let value = match &*suffix {
                name if floats().any(|float| name == float) => {
                    Value::Float(int.base10_digits().to_owned())
                }
                _ => Value::Int {
                    negative,
                    magnitude,
                },
            };
            Some(Number { value, suffix })
        }
        Lit::Float(float) => Some(Number {
            value: Value::Float(float.base10_digits().to_owned()),
            suffix: float.suffix().to_owned(),
        }),
        _ => None,
    })
}
