//! Constants.

use gpu_graph_analysis::model::Elem;
use syn::parse::ParseStream;
use syn::{Token, Visibility};

use super::context::Context;
use super::extent::extent_as;
use super::fail::{Fail, Result};
use super::stream::{any_ident, equals, name, next_word, punct, take};
use super::tensor::floats;
use super::{item, stmt};
use crate::ast::{Attr, Body, Const, Extent, IntType, Items};

/// The types a constant can have.
const TYPES: &[(&str, Elem)] = &[
    ("usize", Elem::U64),
    ("isize", Elem::I64),
    ("i8", Elem::I8),
    ("i16", Elem::I16),
    ("i32", Elem::I32),
    ("i64", Elem::I64),
    ("u8", Elem::U8),
    ("u16", Elem::U16),
    ("u32", Elem::U32),
    ("u64", Elem::U64),
];

/// `NAME: type = value;` among items.
pub fn item(
    items: &mut Items,
    head: item::Head,
    input: ParseStream,
    _: &mut Context,
) -> Result<()> {
    let (constant, read) = constant(head.attrs, head.vis, input)?;
    // What is declared stays, also where its value cannot be read.
    items.consts.push(constant);
    read?;
    if take::<Token![;]>(input) {
        return Ok(());
    }
    Err(Fail::new(input.cursor().prev_span(), "expected `;` behind this").between())
}

/// `NAME: type = value` among statements.
pub fn stmt(body: &mut Body, head: stmt::Head, input: ParseStream) -> Result<()> {
    head.no_label()?;
    let (constant, read) = constant(head.attrs, Visibility::Inherited, input)?;
    body.consts.push(constant);
    read
}

/// The constant, and what is wrong with its type or its value.
fn constant(attrs: Vec<Attr>, vis: Visibility, input: ParseStream) -> Result<(Const, Result<()>)> {
    let name = name(input, "the name of a constant")?;
    let (is, read) = match typed(input) {
        Ok(is) => (Some(is), Ok(())),
        Err(fail) => (None, Err(fail)),
    };
    let constant = Const {
        attrs,
        vis,
        name,
        is,
    };
    Ok((constant, read))
}

/// `: type = value`.
fn typed(input: ParseStream) -> Result<(IntType, Extent)> {
    punct::<Token![:]>(input, ":")?;
    let ty = int_type(input)?;
    equals(input)?;
    let value = extent_as(input, "an integer")?;
    let operator = input.cursor().punct().map(|(sign, _)| sign.as_char());
    if operator.is_some_and(|sign| "<>%&|^=!?.".contains(sign)) {
        return Err(Fail::expected(input.cursor(), "`;`")
            .note("a constant is computed by `+`, `-`, `*` and `/`"));
    }
    Ok((ty, value))
}

fn int_type(input: ParseStream) -> Result<IntType> {
    let what = "an integer type, as in `usize`";
    let word = next_word(input);
    let known = TYPES
        .iter()
        .find(|(known, _)| word.as_deref() == Some(known));
    let Some((name, elem)) = known else {
        let fail = Fail::expected(input.cursor(), what);
        return Err(match word.as_deref() {
            Some(name) if floats().any(|float| name == float) => {
                fail.note("only integers shape a graph")
            }
            _ => fail,
        });
    };
    any_ident(input);
    Ok(IntType { name, elem: *elem })
}
