//! Attributes, kept as they were written.

use gpu_graph_analysis::fault::Edit;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::Token;
use syn::parse::ParseStream;

use super::fail::{Fail, Result};
use crate::ast::Attr;
use crate::span::Region;

/// All outer attributes that stand here.
pub fn attrs(input: ParseStream) -> Result<Vec<Attr>> {
    let mut attrs = Vec::new();
    while input.peek(Token![#]) {
        attrs.push(attr(input)?);
    }
    Ok(attrs)
}

fn attr(input: ParseStream) -> Result<Attr> {
    let pound: Token![#] = input.parse()?;
    if input.peek(Token![!]) {
        let region = Region::from(pound.span).to(input.span());
        return Err(
            Fail::new(region, "an inner attribute has nothing to stand in").fix(
                "write `{}[…]`, or `///` for documentation, before the item",
                [Edit::replace(region, "#")],
            ),
        );
    }
    if !input.peek(syn::token::Bracket) {
        return Err(Fail::expected(input.cursor(), "`[` of an attribute"));
    }
    let TokenTree::Group(group) = input.parse()? else {
        return Err(Fail::expected(input.cursor(), "`[` of an attribute"));
    };
    let region = Region::from(pound.span).to(group.span_close());
    let Some(name) = first_name(group.stream()) else {
        return Err(Fail::new(region, "expected the name of an attribute"));
    };
    Ok(Attr {
        tokens: written(pound, group),
        name,
        region,
    })
}

fn first_name(mut tokens: TokenStream) -> Option<Ident> {
    loop {
        match tokens.into_iter().next()? {
            TokenTree::Ident(name) => return Some(name),
            // A fragment of a `macro_rules!`.
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                tokens = group.stream();
            }
            _ => return None,
        }
    }
}

fn written(pound: Token![#], group: proc_macro2::Group) -> TokenStream {
    let mut tokens = TokenStream::new();
    quote::ToTokens::to_tokens(&pound, &mut tokens);
    tokens.extend([TokenTree::Group(group)]);
    tokens
}

/// Refuses attributes other than documentation: a statement is there or it is not.
pub fn only_docs(attrs: &[Attr]) -> Result<()> {
    match attrs.iter().find(|attr| !attr.is_doc()) {
        None => Ok(()),
        Some(attr) => Err(Fail::new(
            attr.region,
            "a statement takes no attributes but documentation",
        )),
    }
}

/// Refuses attributes where they mean nothing.
pub fn none(attrs: &[Attr], word: &Ident) -> Result<()> {
    let Some(attr) = attrs.first() else {
        return Ok(());
    };
    let fail =
        Fail::new(attr.region, format!("`{word}` takes no attributes")).label(word, "before this");
    Err(if attr.is_doc() {
        fail.fix(
            "drop it, or write an ordinary comment, `//`",
            [Edit::remove(attr.region)],
        )
    } else {
        fail
    })
}
