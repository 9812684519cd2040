//! Labels where a demand names tasks by them, and names where one should stand.

use gpu_graph_analysis::fault::{Edit, Part};
use proc_macro2::Ident;
use syn::Lifetime;
use syn::buffer::Cursor;
use syn::parse::ParseStream;

use super::fail::{Fail, Result};
use super::stream;
use crate::ast::{Body, Stmt};
use crate::span::Region;

/// What an order is of.
const WHAT: &str = "the label of a task";

/// Takes the label of a task of `body`, what follows of which stands in `input`.
pub fn of_task(body: &Body, input: ParseStream) -> Result<Lifetime> {
    let word = input.cursor().ident().map(|(word, _)| word);
    let named = word.and_then(|word| named(&word, body, input));
    let Some((word, task)) = named else {
        return stream::label(input, WHAT);
    };
    let fail = Fail::expected(input.cursor(), WHAT);
    let here = Region::from(&word);
    Err(match task {
        Task::Labelled(label) => fail.fix(
            "write `{}`, the label of the task",
            [Edit::replace(here, label)],
        ),
        Task::Bare(declared) => {
            let label = Edit::before(declared, format!("'{word}: ")).of(Part::Statement);
            let tick = Edit::replace(here, format!("'{word}"));
            fail.fix("label the task with `{}`, and write `{}`", [label, tick])
        }
    })
}

/// A task that a resource stands for.
enum Task {
    /// It has that label.
    Labelled(String),
    /// It has none; the name of the resource stands there.
    Bare(Region),
}

/// What `word` stands for, if that is what a task fills, and no label of its own.
fn named(word: &Ident, body: &Body, input: ParseStream) -> Option<(Ident, Task)> {
    let mut labels = body.stmts.iter().filter_map(Stmt::label);
    if labels.any(|label| label.ident == *word) || labelled(word, input.cursor()) {
        return None;
    }
    let mut filled = body.declares().filter(|declare| declare.call.is_some());
    let task = match filled.find(|declare| declare.name == *word) {
        Some(declare) => match &declare.label {
            Some(label) => Task::Labelled(label.to_string()),
            None => Task::Bare((&declare.name).into()),
        },
        None => Task::Bare(Region::from(&declared(word, input.cursor())?)),
    };
    Some((word.clone(), task))
}

/// A task behind `cursor` has the label `word`.
fn labelled(word: &Ident, mut cursor: Cursor) -> bool {
    while let Some((_, next)) = cursor.token_tree() {
        let label = cursor.lifetime().filter(|(label, _)| label.ident == *word);
        if label
            .is_some_and(|(_, rest)| rest.punct().is_some_and(|(sign, _)| sign.as_char() == ':'))
        {
            return true;
        }
        cursor = next;
    }
    false
}

/// The name of a resource in its declaration behind `cursor`, where that has no label.
fn declared(word: &Ident, mut cursor: Cursor) -> Option<Ident> {
    let mut begins = false;
    while let Some((token, next)) = cursor.token_tree() {
        if let Some((kind, rest)) = cursor.ident()
            && begins
            && ["let", "output", "staging"].contains(&&*kind.to_string())
            && let Some((name, _)) = rest.ident().filter(|(name, _)| name == word)
        {
            return Some(name);
        }
        begins = matches!(&token, proc_macro2::TokenTree::Punct(sign) if sign.as_char() == ';');
        cursor = next;
    }
    None
}
