//! Types: `f32`, `[f32; h, w]`.

use gpu_graph_analysis::fault::{Edit, closest};
use gpu_graph_analysis::model::Elem;
use proc_macro2::{Delimiter, Span};
use syn::Token;
use syn::parse::ParseStream;

use super::array::rewritten;
use super::extent::extent;
use super::fail::{Fail, Result};
use super::stream::{any_ident, commas, next_word, punct, within};
use super::words::is_keyword;
use crate::ast::{ElemType, Extent, Tensor};
use crate::span::Region;

/// Element types by their names.
pub const ELEMS: &[(&str, Elem)] = &[
    ("f16", Elem::F16),
    ("bf16", Elem::BF16),
    ("f32", Elem::F32),
    ("f64", Elem::F64),
    ("i8", Elem::I8),
    ("i16", Elem::I16),
    ("i32", Elem::I32),
    ("i64", Elem::I64),
    ("u8", Elem::U8),
    ("u16", Elem::U16),
    ("u32", Elem::U32),
    ("u64", Elem::U64),
];

/// Those of them that are floats.
pub fn floats() -> impl Iterator<Item = &'static str> {
    let floats = ELEMS.iter().filter(|(_, elem)| elem.int_range().is_none());
    floats.map(|(name, _)| *name)
}

/// Element types of the language that cannot be used yet, with what can.
const RESERVED: &[(&str, &str)] = &[("bool", "u8")];

/// What other languages call element types.
const MEANT: &[(&str, &str)] = &[
    ("bfloat16", "bf16"),
    ("byte", "u8"),
    ("double", "f64"),
    ("float", "f32"),
    ("float16", "f16"),
    ("float32", "f32"),
    ("float64", "f64"),
    ("half", "f16"),
    ("int", "i32"),
    ("int16", "i16"),
    ("int32", "i32"),
    ("int64", "i64"),
    ("int8", "i8"),
    ("long", "i64"),
    ("short", "i16"),
    ("uchar", "u8"),
    ("uint", "u32"),
    ("uint16", "u16"),
    ("uint32", "u32"),
    ("uint64", "u64"),
    ("uint8", "u8"),
];

/// Whether `name` is an element type that cannot be used yet.
pub fn is_reserved(name: &str) -> bool {
    RESERVED.iter().any(|(reserved, _)| *reserved == name)
}

const WHAT: &str = "an element type";

/// The element type called `name` at `span`, where `before` stands before it in the same token.
pub fn elem(before: &str, name: &str, span: Span) -> Result<ElemType> {
    if let Some((_, elem)) = ELEMS.iter().find(|(known, _)| *known == name) {
        return Ok(ElemType { elem: *elem, span });
    }
    let write = |elem: &str| [Edit::replace(span.into(), format!("{before}{elem}"))];
    if let Some((_, instead)) = RESERVED.iter().find(|(reserved, _)| *reserved == name) {
        return Err(Fail::not_yet(span, name).fix("use `{}`", write(instead)));
    }
    let fail = Fail::new(span, format!("`{name}` is not an element type"));
    Err(match name {
        "usize" | "isize" => fail
            .note("sizes are the same on every machine")
            .fix("write `{}`", write(&name.replace("size", "64"))),
        _ => match meant(name) {
            Some(near) => fail.fix("did you mean `{}`?", write(near)),
            None => fail.note(
                "the element types are `f16`, `bf16`, `f32`, `f64`, `i8` to `i64` and `u8` to `u64`",
            ),
        },
    })
}

/// The element type that another word stands for.
fn meant(name: &str) -> Option<&'static str> {
    let word = name.to_lowercase();
    let word = word.strip_suffix("_t").unwrap_or(&word);
    let elsewhere = MEANT.iter().find(|(known, _)| *known == word);
    let near = || closest(name, ELEMS.iter().map(|(known, _)| *known)).filter(|_| name.len() > 2);
    elsewhere.map(|(_, elem)| *elem).or_else(near)
}

/// An element type.
pub fn elem_type(input: ParseStream) -> Result<ElemType> {
    match next_word(input) {
        Some(word) if !is_keyword(&word) => {}
        _ => return Err(Fail::expected(input.cursor(), WHAT)),
    }
    let Some(name) = any_ident(input) else {
        return Err(Fail::expected(input.cursor(), WHAT));
    };
    elem("", &name.to_string(), name.span())
}

/// A tensor type.
pub fn tensor(input: ParseStream) -> Result<Tensor> {
    let what = "a tensor type, as in `[f32; h, w]`";
    let start = input.cursor();
    let inside = within(input, Delimiter::Bracket, what, |input| {
        let elem = elem_type(input)?;
        punct::<Token![;]>(input, ";").map_err(|fail| match input.peek(Token![,]) {
            true => fail.fix("write `{}`", [Edit::replace(input.span().into(), ";")]),
            false => fail.help(format!("write its extents, as in `[{}; n]`", elem.elem)),
        })?;
        if input.is_empty() {
            return Err(Fail::expected(input.cursor(), "an extent"));
        }
        Ok((elem, commas(input, "]", extent)?))
    });
    let inside = inside.map_err(|fail| match rewritten(start) {
        Some((region, text)) => fail.fix("write `{}`", [Edit::replace(region, text)]),
        None => fail,
    })?;
    let (elem, extents) = inside.value;
    Ok(Tensor {
        elem,
        extents,
        region: inside.region,
    })
}

/// Extents in brackets; `what` is asked for where they are not there.
pub fn extents(input: ParseStream, what: &str) -> Result<(Vec<Extent>, Region)> {
    let inside = within(input, Delimiter::Bracket, what, |input| {
        if input.is_empty() {
            return Err(Fail::expected(input.cursor(), "an extent"));
        }
        commas(input, "]", extent)
    })?;
    Ok((inside.value, inside.region))
}
