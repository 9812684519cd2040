//! Variants, and `match` over them.

use proc_macro2::{Delimiter, Ident};
use syn::Token;
use syn::parse::ParseStream;

use super::attr::{self, attrs};
use super::context::Context;
use super::fail::{Fail, Result};
use super::repeat::DEEPEST;
use super::stmt::{Block, Head, stmts};
use super::stream::{commas, name, punct, skip_to_semicolon, take, within};
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
    if let Some(label) = &head.label {
        return Err(Fail::new(label, "`match` takes no label: it is no task")
            .note("labels are local to one arm")
            .help("label a call inside the arm"));
    }
    head.bare()?;
    if cx.loops == DEEPEST {
        return Err(Fail::new(&head.word, "this `match` is too deep")
            .note(format!("loops and matches nest at most {DEEPEST} deep")));
    }
    let variant = name(input, "a variant")?;
    let (mut arms, mut broken) = (Vec::new(), false);
    cx.loops += 1;
    let read = within(input, Delimiter::Brace, "`{` of a `match`", |input| {
        while !input.is_empty() {
            if let Err(fail) = arm(&mut arms, input, cx) {
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
    body.stmts.push(Stmt::Match(Match { variant, arms }));
    read.map(|_| ())
}

fn arm(arms: &mut Vec<Arm>, input: ParseStream, cx: &mut Context) -> Result<()> {
    let pattern = Region::from(input.span());
    let value: Option<Ident> = if take::<Token![_]>(input) {
        None
    } else {
        Some(name(input, "a value of the variant, or `_`")?)
    };
    punct::<Token![=>]>(input, "=>")?;
    let mut inner = Body::default();
    let braces = within(input, Delimiter::Brace, "`{` of an arm", |input| {
        stmts(&mut Block::Arm(&mut inner), input, cx);
        Ok(())
    });
    let mut region = pattern;
    if let Ok(braces) = &braces {
        region = pattern.to(braces.region);
    }
    let comma = Region::from(input.span());
    if take::<Token![,]>(input) {
        region = region.to(comma);
    }
    arms.push(Arm {
        value,
        pattern,
        body: inner,
        region,
    });
    braces.map(|_| ())
}
