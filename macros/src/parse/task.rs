//! Tasks that declare nothing.

use syn::parse::ParseStream;
use syn::{Lifetime, Token};

use super::call::{arguments, call, path};
use super::fail::{Fail, Result};
use super::stream::{equals, next_word};
use super::view::rest_of_view;
use crate::ast::{Task, View};

/// What a statement without a word is.
pub enum Stated {
    /// `call` or `place = call`.
    Task(Box<Task>),
    /// `place =`, and a `match` behind that.
    Match(View),
}

/// `call`, `place = call`, or what stands before the `match` of `place = match …`.
pub fn task(label: Option<Lifetime>, input: ParseStream) -> Result<Stated> {
    if next_word(input).is_none() && !input.peek(Token![::]) {
        return Err(Fail::expected(input.cursor(), "a statement"));
    }
    let mut path = path(input)?;
    let alone = path.segments.len() == 1 && path.leading_colon.is_none();
    let place = match path.segments.pop() {
        Some(last) if alone && is_place(input) => {
            let place = rest_of_view(last.ident, input)?;
            if input.peek(Token![as]) {
                let fail = Fail::new(input.span(), "a place keeps its own shape");
                return Err(fail.help("name it first: `view v = &x as […];`, and write `v = …;`"));
            }
            Some(place)
        }
        Some(last) => {
            path.segments.push_value(last);
            None
        }
        None => None,
    };
    let called = input.peek(syn::token::Paren) || input.peek(Token![::]);
    let call = if let Some(place) = &place {
        equals(input)?;
        if next_word(input).as_deref() == Some("match") {
            no_label(label.as_ref())?;
            return Ok(Stated::Match(place.clone()));
        }
        call(input)?
    } else if alone && !called {
        return Err(Fail::expected(input.cursor(), "`(` or `=`"));
    } else {
        arguments(path, input)?
    };
    let task = Task { label, place, call };
    Ok(Stated::Task(Box::new(task)))
}

/// No label stands before what a `match` gives a value.
pub fn no_label(label: Option<&Lifetime>) -> Result<()> {
    match label {
        Some(label) => Err(Fail::new(label, "`match` takes no label: it is no task")
            .note("labels are local to one arm")
            .help("label a call inside the arm")),
        None => Ok(()),
    }
}

/// What stands behind the name of a place.
fn is_place(input: ParseStream) -> bool {
    input.peek(syn::token::Bracket) || input.peek(Token![=]) || input.peek(Token![as])
}
