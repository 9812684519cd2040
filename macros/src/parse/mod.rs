//! From tokens to the syntax tree.
//!
//! Each construct has a small file of its own. What cannot be read is reported and skipped, up to
//! the next semicolon or comma at its level, so that one run shows every fault once.

mod array;
mod attr;
mod block;
mod call;
mod clause;
mod constant;
mod context;
mod declare;
mod declared;
mod demand;
mod escape;
mod extent;
mod fail;
mod formula;
mod graph;
mod item;
mod kernel;
mod label;
mod limit;
mod literal;
mod minimize;
mod range;
mod repeat;
mod setting;
mod stage;
mod stmt;
mod stream;
mod task;
mod tensor;
#[cfg(test)]
mod tests;
mod variant;
mod view;
mod words;
mod workspace;

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};

use crate::ast::Items;
use crate::report::{Errors, SiteTable};
use context::Context;

/// What `tokens` declare. What could not be read is in `errors`, and what is left of it in the
/// items, marked as broken, so that stubs can be made.
pub fn items(tokens: TokenStream, sites: &mut SiteTable, errors: &mut Errors) -> Items {
    let mut items = Items::default();
    let mut cx = Context {
        sites,
        errors,
        loops: 0,
        keywords: BTreeMap::new(),
    };
    let file = |input: ParseStream| {
        let all = stream::within(input, Delimiter::Brace, "items", |input| {
            item::items(input, &mut items, &mut cx);
            Ok(())
        });
        if let Err(fail) = all {
            cx.report(fail);
        }
        Ok(())
    };
    let read = file.parse2(enclosed(tokens));
    cx.finish();
    if let Err(error) = read {
        errors.push(fail::Fail::from(error).into_fault(sites));
    }
    items
}

/// The tokens as one group that closes at the last of them, so that a fault at the end of the input
/// is shown there and not at the whole call.
fn enclosed(tokens: TokenStream) -> TokenStream {
    let last = tokens.clone().into_iter().last();
    let end = last.map_or_else(Span::call_site, |token| match token {
        TokenTree::Group(group) => group.span_close(),
        token => token.span(),
    });
    let mut all = Group::new(Delimiter::Brace, tokens);
    all.set_span(end);
    TokenTree::from(all).into()
}
