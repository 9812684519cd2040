//! The operator that is next.

use gpu_graph_analysis::formula::Operator;
use proc_macro2::Spacing;
use syn::buffer::Cursor;

use super::super::fail::{Fail, Result};
use crate::span::Region;

/// Tokens of Rust that begin like an operator and are none.
const OTHERS: [&str; 17] = [
    "<<=", ">>=", "..=", "...", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "=>", "->", "..",
    "::", "?",
];

/// The operator that is next, if one is.
pub fn operator(cursor: Cursor) -> Result<Option<(Operator, Region, Cursor)>> {
    let (text, _) = joint(cursor, 3);
    if let Some(other) = OTHERS.iter().find(|other| text.starts_with(**other)) {
        let (_, (region, _)) = joint(cursor, other.len());
        return Err(Fail::outside_of(region, format!("`{other}`")));
    }
    for length in [2, 1] {
        let (text, (region, rest)) = joint(cursor, length);
        if let Some(operator) = Operator::of(&text) {
            return Ok(Some((operator, region, rest)));
        }
    }
    Ok(None)
}

/// At most `most` characters of punctuation that stand without space between them.
fn joint(mut cursor: Cursor, most: usize) -> (String, (Region, Cursor)) {
    let mut text = String::new();
    let mut region = Region::from(cursor.span());
    while text.len() < most
        && let Some((punct, rest)) = cursor.punct()
    {
        region = if text.is_empty() {
            punct.span().into()
        } else {
            region.to(punct.span())
        };
        text.push(punct.as_char());
        cursor = rest;
        if punct.spacing() == Spacing::Alone {
            break;
        }
    }
    (text, (region, cursor))
}
