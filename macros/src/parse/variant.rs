//! Variants, and `match` over them.

use proc_macro2::{Delimiter, Ident};
use syn::Token;
use syn::parse::ParseStream;

use super::attr::{self, attrs};
use super::block::{Block, Value};
use super::context::Context;
use super::fail::{Fail, Result};
use super::repeat::DEEPEST;
use super::stmt::{Head, lone, stmts};
use super::stream::{commas, name, punct, skip_to_semicolon, take, within};
use super::task::no_label;
use super::words::keyword;
use crate::ast::{Arm, Body, Graph, Match, Stmt, Variant, VariantValue};
use crate::span::Region;

/// `mode { prefill, decode }`.
pub fn variant(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.no_label()?;
    let name = name(input, "the name of a variant")?;
    let values = within(input, Delimiter::Brace, "`{` of a variant", |input| {
        if input.is_empty() {
            return Err(
                Fail::new(&name, format!("the variant `{name}` has no values"))
                    .help("write its values in the braces, as in `{ prefill, decode }`"),
            );
        }
        commas(input, "}", value)
    });
    let (values, read) = match values {
        Ok(values) => (values.value, Ok(())),
        Err(fail) => (Vec::new(), Err(fail)),
    };
    // What is declared stays, also where its values cannot be read.
    graph.variants.push(Variant {
        attrs: head.attrs,
        name,
        values,
    });
    read
}

fn value(input: ParseStream) -> Result<VariantValue> {
    let attrs = attrs(input)?;
    attr::only_docs(&attrs)?;
    let name = name(input, "the name of a value")?;
    Ok(VariantValue { attrs, name })
}

/// `mode { prefill => { stmt … } decode => { stmt … } }`.
pub fn choose(body: &mut Body, head: Head, input: ParseStream, cx: &mut Context) -> Result<()> {
    choose_at_end(body, head, Value::Nothing, input, cx)
}

/// The same at the end of a block that gives a value.
pub fn choose_at_end(
    body: &mut Body,
    head: Head,
    value: Value<'_>,
    input: ParseStream,
    cx: &mut Context,
) -> Result<()> {
    no_label(head.label.as_ref())?;
    head.bare()?;
    matched(body, &head.word, value, input, cx)
}

/// `match mode { … }`, whose arms give `value`.
pub fn valued(
    body: &mut Body,
    value: Value<'_>,
    input: ParseStream,
    cx: &mut Context,
) -> Result<()> {
    let word = keyword(input, "match")?;
    // A statement behind it gives the body its value, if any does.
    let before = body.valued;
    let read = matched(body, &word, value, input, cx);
    body.valued = before;
    read
}

fn matched(
    body: &mut Body,
    word: &Ident,
    value: Value<'_>,
    input: ParseStream,
    cx: &mut Context,
) -> Result<()> {
    if cx.loops == DEEPEST {
        return Err(Fail::new(word, "this `match` is too deep")
            .note(format!("loops and matches nest at most {DEEPEST} deep")));
    }
    let variant = name(input, "a variant")?;
    let (mut arms, mut broken) = (Vec::new(), false);
    cx.loops += 1;
    let read = within(input, Delimiter::Brace, "`{` of a `match`", |input| {
        while !input.is_empty() {
            if let Err(fail) = arm(&mut arms, value, input, cx) {
                broken = true;
                skip_to_semicolon(input);
                take::<Token![,]>(input);
                cx.report(fail);
            }
        }
        Ok(())
    });
    cx.loops -= 1;
    body.broken |= broken || arms.iter().any(|arm: &Arm| arm.body.broken);
    body.valued = !arms.is_empty() && arms.iter().all(|arm: &Arm| arm.body.valued);
    body.stmts.push(Stmt::Match(Match { variant, arms }));
    read.map(|_| ())
}

fn arm(arms: &mut Vec<Arm>, value: Value<'_>, input: ParseStream, cx: &mut Context) -> Result<()> {
    let pattern = Region::from(input.span());
    let chosen: Option<Ident> = if take::<Token![_]>(input) {
        None
    } else {
        Some(name(input, "a value of the variant, or `_`")?)
    };
    punct::<Token![=>]>(input, "=>")?;
    let mut inner = Body::default();
    let mut block = Block::Arm(&mut inner, value);
    let braced = input.peek(syn::token::Brace);
    let read = match braced {
        true => within(input, Delimiter::Brace, "`{` of an arm", |input| {
            stmts(&mut block, input, cx);
            Ok(())
        })
        .map(|braces| (braces.region, braces.close.into())),
        false => {
            let first = Region::from(input.span());
            let read = lone(&mut block, input);
            let last = Region::from(input.cursor().prev_span());
            read.map(|()| (first.to(last), last))
        }
    };
    let (mut region, mut close) = (pattern, pattern);
    if let Ok((body, end)) = &read {
        (region, close) = (pattern.to(*body), *end);
    }
    if let Value::Place(_) = value
        && read.is_ok()
        && !inner.valued
        && !inner.broken
    {
        let missing = Fail::new(close, "the arm ends without its value")
            .help("end it with the call that makes the value, without a semicolon");
        cx.report(missing);
        inner.broken = true;
    }
    let mark = Region::from(input.span());
    let comma = take::<Token![,]>(input);
    if comma {
        region = region.to(mark);
    }
    let apart = braced || comma || input.is_empty() || read.is_err();
    let missing = (!apart).then(|| Fail::new(close, "expected `,` behind this").between());
    arms.push(Arm {
        value: chosen,
        pattern,
        close,
        body: inner,
        region,
    });
    if let Some(missing) = missing {
        cx.report(missing);
    }
    read.map(|_| ())
}
