//! Items: constants, kernels and callbacks, stages and graphs.

use syn::parse::ParseStream;
use syn::{Token, Visibility};

use super::context::Context;
use super::fail::{Fail, Result};
use super::stream::{next_word, skip_one, take};
use super::words::Word;
use super::{attr, constant, graph, kernel, stage};
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
        word: "const",
        read: constant::item,
    },
    Row {
        word: "kernel",
        read: kernel::kernel,
    },
    Row {
        word: "callback",
        read: kernel::callback,
    },
    Row {
        word: "collective",
        read: kernel::collective,
    },
    Row {
        word: "opaque",
        read: kernel::opaque,
    },
    Row {
        word: "stage",
        read: stage::stage,
    },
    Row {
        word: "graph",
        read: graph::graph,
    },
];

/// All items, up to the end.
pub fn items(input: ParseStream, items: &mut Items, cx: &mut Context) {
    while !input.is_empty() {
        let named = items.len();
        if let Err(fail) = item(input, items, cx) {
            items.unnamed |= items.len() == named;
            if !fail.is_between() {
                items.unnamed |= skip(input);
            }
            cx.report(fail);
        }
    }
}

/// Skips up to and with the next semicolon or body; true where that hides another item.
fn skip(input: ParseStream) -> bool {
    let mut hides = false;
    while !input.is_empty() && !take::<Token![;]>(input) {
        hides |= next_word(input).is_some_and(|word| is_word(&word));
        let body = input.peek(syn::token::Brace);
        if !skip_one(input) {
            break;
        }
        if body {
            take::<Token![;]>(input);
            break;
        }
    }
    hides
}

/// The word of an item.
fn is_word(word: &str) -> bool {
    ITEMS.iter().any(|row| row.word == word)
}

/// An item begins so, with its visibility perhaps.
pub fn begins_with(word: &str) -> bool {
    word == "pub" || is_word(word)
}

fn item(input: ParseStream, items: &mut Items, cx: &mut Context) -> Result<()> {
    let attrs = attr::attrs(input)?;
    let vis: Visibility = input.parse()?;
    let Some(word) = Word::take(input) else {
        return Err(Fail::expected(
            input.cursor(),
            "`const`, `kernel`, `callback`, `collective`, `opaque`, `stage` or `graph`",
        ));
    };
    match ITEMS.iter().find(|row| row.word == word.text) {
        Some(row) => (row.read)(items, Head { attrs, vis }, input, cx),
        None => Err(word.refuse(
            "item",
            &ITEMS.iter().map(|row| row.word).collect::<Vec<_>>(),
        )),
    }
}
