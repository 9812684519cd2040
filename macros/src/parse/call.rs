//! Calls and their arguments.

use gpu_graph_analysis::fault::Edit;
use proc_macro2::{Delimiter, TokenTree};
use syn::buffer::Cursor;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, Path, Token};

use super::extent::{WHAT, extent_as, extent_at};
use super::fail::{Fail, Result};
use super::literal::lone;
use super::stream::{commas, label, name, next_word, take, with_cursor, within};
use super::tensor::floats;
use super::view::view;
use super::words::{Word, is_keyword, keyword};
use crate::ast::{Arg, ArgKind, Call, Effect, Retain};
use crate::span::Region;

/// The right side of a statement: a call.
pub fn call(input: ParseStream) -> Result<Call> {
    let what = "a call of a kernel, as in `blur(&x)`";
    let ahead = next_word(input);
    let is_path = matches!(ahead.as_deref(), Some("crate" | "self" | "super"));
    match ahead {
        Some(word) if is_keyword(&word) && !is_path => {
            let fail = Fail::expected(input.cursor(), what);
            let word = Word::take(input);
            return Err(word.and_then(|word| word.reserved()).unwrap_or(fail));
        }
        None if !input.peek(Token![::]) => return Err(Fail::expected(input.cursor(), what)),
        _ => {}
    }
    let path = path(input)?;
    arguments(path, input)
}

/// The path of a kernel or of a place, without dims behind it.
pub fn path(input: ParseStream) -> Result<Path> {
    let mut path = Path {
        leading_colon: input.parse()?,
        segments: syn::punctuated::Punctuated::new(),
    };
    loop {
        let ident = input.call(Ident::parse_any);
        let ident = ident.map_err(|_| Fail::expected(input.cursor(), "a segment of a path"))?;
        let segment: syn::PathSegment = ident.into();
        path.segments.push_value(segment);
        if !input.peek(Token![::]) || input.peek3(Token![<]) {
            return Ok(path);
        }
        path.segments.push_punct(input.parse()?);
    }
}

/// What follows the path of a call.
pub fn arguments(path: Path, input: ParseStream) -> Result<Call> {
    let mut dims = None;
    if input.peek(Token![::]) {
        let _: Token![::] = input.parse()?;
        let _: Token![<] = input.parse()?;
        let mut list = Vec::new();
        while !input.peek(Token![>]) {
            list.push(extent_as(input, "a dim of the kernel")?);
            if !take::<Token![,]>(input) {
                break;
            }
        }
        if !take::<Token![>]>(input) {
            return Err(Fail::expected(input.cursor(), "`,` or `>`"));
        }
        dims = Some(list);
    } else if input.peek(Token![<]) {
        let fail = Fail::expected(input.cursor(), "`(`");
        return Err(fail.note("dims of a kernel from elsewhere stand behind `::`, as in Rust"));
    }
    let inside = within(input, Delimiter::Parenthesis, "`(` of a call", |input| {
        commas(input, ")", arg)
    })?;
    Ok(Call {
        args: inside.value,
        close: inside.close,
        region: Region::from(&path).to(inside.region),
        retains: retains(input)?,
        path,
        dims,
    })
}

/// `retains x until 'task, y until 'task`, if it stands here.
fn retains(input: ParseStream) -> Result<Vec<Retain>> {
    let mut list = Vec::new();
    if next_word(input).as_deref() != Some("retains") {
        return Ok(list);
    }
    keyword(input, "retains")?;
    loop {
        let name = name(input, "the name of a resource")?;
        keyword(input, "until")?;
        let until = label(input, "the label of a later task")?;
        list.push(Retain {
            region: Region::from(&name).to(&until),
            name,
            until,
        });
        if !take::<Token![,]>(input) {
            return Ok(list);
        }
    }
}

fn arg(input: ParseStream) -> Result<Arg> {
    if let Some(fail) = nested(input.cursor()) {
        return Err(fail);
    }
    if input.peek(Token![&]) {
        let effect = effect(input)?;
        let view = view(input)?;
        return Ok(Arg {
            region: effect.region.to(view.region),
            kind: ArgKind::Ref(effect, view),
        });
    }
    if input.peek(Token![mut]) {
        let fail = Fail::expected(input.cursor(), "an argument");
        return Err(fail.fix("write `{}`", [Edit::replace(input.span().into(), "&mut")]));
    }
    with_cursor(input, |cursor| {
        if let Some((literal, rest)) = lone(cursor)? {
            let arg = Arg {
                region: literal.region,
                kind: ArgKind::Literal(literal),
            };
            return Ok((arg, rest));
        }
        let starts = cursor.ident().is_some_and(|(name, _)| {
            let text = name.to_string();
            !is_keyword(&text) || matches!(&*text, "true" | "false")
        });
        let group = [Delimiter::None, Delimiter::Parenthesis];
        let starts = starts
            || cursor.punct().is_some_and(|(p, _)| p.as_char() == '-')
            || cursor.literal().is_some()
            || group.into_iter().any(|d| cursor.group(d).is_some());
        if !starts {
            return Err(Fail::expected(cursor, "an argument"));
        }
        let (extent, rest) = extent_at(cursor, WHAT).map_err(|fail| match computed(cursor) {
            Some(region) => Fail::computed(region),
            None => fail,
        })?;
        let arg = Arg {
            region: extent.region,
            kind: ArgKind::Extent(extent),
        };
        Ok((arg, rest))
    })
}

/// `grad(&x)` where an argument stands.
fn nested(mut cursor: Cursor) -> Option<Fail> {
    if let Some((and, rest)) = cursor.punct()
        && and.as_char() == '&'
    {
        cursor = rest;
    }
    let (name, mut rest) = cursor.ident()?;
    let mut callee = name.to_string();
    while let Some((colon, behind)) = rest.punct()
        && colon.as_char() == ':'
    {
        let (_, behind) = behind.punct()?;
        let (next, behind) = behind.ident()?;
        callee = format!("{callee}::{next}");
        rest = behind;
    }
    let (_, span, _) = rest.group(Delimiter::Parenthesis)?;
    let region = Region::from(&name).to(span.close());
    let help = format!("write `let t: … = {callee}(…);` before this statement, and pass `&t`");
    Some(Fail::new(region, "a call cannot be an argument").help(help))
}

/// The argument at `cursor`, up to a comma, if there is a fraction in it.
fn computed(cursor: Cursor) -> Option<Region> {
    let (mut at, mut last, mut fraction) = (cursor, cursor.span(), false);
    while let Some((token, rest)) = at.token_tree() {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => break,
            TokenTree::Literal(literal) => fraction |= is_float(&literal.to_string()),
            _ => {}
        }
        (last, at) = (token.span(), rest);
    }
    fraction.then(|| Region::from(cursor.span()).to(last))
}

fn is_float(text: &str) -> bool {
    let number = text.starts_with(|c: char| c.is_ascii_digit()) && !text.starts_with("0x");
    number && (text.contains(['.', 'e', 'E']) || floats().any(|float| text.ends_with(float)))
}

/// `&` or `&mut`.
pub fn effect(input: ParseStream) -> Result<Effect> {
    let and: Token![&] = input.parse()?;
    let mutable: Option<Token![mut]> = input.parse()?;
    let region = Region::from(and.span);
    Ok(Effect {
        mutable: mutable.is_some(),
        region: mutable.map_or(region, |mutable| region.to(mutable.span)),
    })
}
