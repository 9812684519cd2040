//! Tasks that declare nothing.

use syn::parse::ParseStream;
use syn::{Lifetime, Token};

use super::call::{arguments, call, path, rest_of_view};
use super::fail::{Fail, Result};
use super::stream::{equals, next_word};
use crate::ast::Task;

/// `call` or `place = call`.
pub fn task(label: Option<Lifetime>, input: ParseStream) -> Result<Task> {
    if next_word(input).is_none() && !input.peek(Token![::]) {
        return Err(Fail::expected(input.cursor(), "a statement"));
    }
    let mut path = path(input)?;
    let alone = path.segments.len() == 1 && path.leading_colon.is_none();
    let place = match path.segments.pop() {
        Some(last) if alone && (input.peek(syn::token::Bracket) || input.peek(Token![=])) => {
            Some(rest_of_view(last.ident, input)?)
        }
        Some(last) => {
            path.segments.push_value(last);
            None
        }
        None => None,
    };
    let called = input.peek(syn::token::Paren) || input.peek(Token![::]);
    let call = if place.is_some() {
        equals(input)?;
        call(input)?
    } else if alone && !called {
        return Err(Fail::expected(input.cursor(), "`(` or `=`"));
    } else {
        arguments(path, input)?
    };
    Ok(Task { label, place, call })
}
