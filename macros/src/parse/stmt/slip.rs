//! What stands where a statement is to stand, and is none.

use gpu_graph_analysis::fault::{Edit, Part};
use proc_macro2::Ident;
use syn::buffer::Cursor;

use super::super::fail::Fail;
use super::super::words::Word;

/// Statements that set something of the graph, whose value stands right behind the word.
const SETTINGS: &[&str] = &[
    "budget",
    "issue",
    "minimize",
    "pipelined",
    "profile",
    "scope",
    "streams",
    "target",
];

/// `streams = 2`, or `streams: 2`. What is called like a setting may be assigned to, but only what a
/// call gives.
pub fn assigned(cursor: Cursor) -> Option<Fail> {
    let (word, rest) = cursor.ident()?;
    let text = word.to_string();
    let (sign, value) = rest.punct()?;
    let called = value.ident().is_some_and(|(name, rest)| {
        name == "match"
            || rest
                .punct()
                .is_none_or(|(sign, _)| !matches!(sign.as_char(), ';' | ','))
    });
    let set = match sign.as_char() {
        '=' => value.literal().is_some() || value.ident().is_some() && !called,
        ':' => value.literal().is_some() || value.ident().is_some(),
        _ => false,
    };
    (set && SETTINGS.contains(&&*text)).then(|| {
        let sign = sign.as_char();
        Fail::new(
            rest.span(),
            format!("the value of `{text}` stands right behind the word"),
        )
        .fix(
            &format!("drop the `{sign}`"),
            [Edit::remove(rest.span().into())],
        )
    })
}

/// An item begins in a graph, or in a block inside it.
pub fn item(word: &Word) -> Fail {
    let text = &word.text;
    let fail = Fail::new(&word.name, format!("`{text}` begins no statement"));
    match &**text {
        "fn" => fail
            .note("functions of the host stand outside of the macro")
            .help("move it out of the macro, or write a `kernel` beside the graph"),
        _ => fail
            .note("items stand beside graphs, not in them")
            .help("move it before the graph"),
    }
}

/// What only a graph can say stands in a block inside it.
pub fn misplaced(word: &Ident, inside: &str) -> Fail {
    let drop = Edit::remove(word.into()).of(Part::Statement);
    let fail = Fail::misplaced(word, &word.to_string(), inside).fix("drop it here", [drop]);
    match &*word.to_string() {
        "input" | "output" | "resident" | "inout" | "scalar" | "dim" if inside == "a stage" => {
            fail.help("make it a parameter of the stage")
        }
        _ => fail.help("move it to the graph"),
    }
}
