//! Items: kernels and graphs.

use syn::Visibility;
use syn::parse::ParseStream;

use super::context::Context;
use super::fail::{Fail, Result};
use super::stream::skip_to_semicolon;
use super::words::Word;
use super::{attr, graph, kernel};
use crate::ast::{Attr, Items};

/// What stands before an item's name.
pub struct Head {
    /// Its attributes.
    pub attrs: Vec<Attr>,
    /// Its visibility.
    pub vis: Visibility,
}

/// An item: its word, and what reads the rest.
struct Row {
    word: &'static str,
    read: fn(&mut Items, Head, ParseStream, &mut Context) -> Result<()>,
}

const ITEMS: &[Row] = &[
    Row {
        word: "kernel",
        read: kernel::kernel,
    },
    Row {
        word: "graph",
        read: graph::graph,
    },
];

/// All items, up to the end.
pub fn items(input: ParseStream, items: &mut Items, cx: &mut Context) {
    while !input.is_empty() {
        if let Err(fail) = item(input, items, cx) {
            cx.report(fail);
            skip_to_semicolon(input);
        }
    }
}

fn item(input: ParseStream, items: &mut Items, cx: &mut Context) -> Result<()> {
    let attrs = attr::attrs(input)?;
    let vis: Visibility = input.parse()?;
    let Some(word) = Word::take(input) else {
        return Err(Fail::expected(input.cursor(), "`kernel` or `graph`"));
    };
    match ITEMS.iter().find(|row| row.word == word.text) {
        Some(row) => (row.read)(items, Head { attrs, vis }, input, cx),
        None => Err(word.refuse(
            input,
            "item",
            &ITEMS.iter().map(|row| row.word).collect::<Vec<_>>(),
        )),
    }
}
