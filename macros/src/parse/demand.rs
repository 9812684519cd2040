//! Demands on the plan.

use proc_macro2::Ident;
use syn::Token;
use syn::parse::ParseStream;

use super::fail::Result;
use super::stmt::Head;
use super::stream::{label, name, punct};
use super::words::keyword;
use crate::ast::{Body, Order, Pair};
use crate::span::Region;

/// `'a -> 'b [-> 'c]*`.
pub fn order(body: &mut Body, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    let first = label(input, "the label of a task")?;
    let mut region = Region::from(&head.word).to(&first);
    let mut labels = vec![first];
    while labels.len() < 2 || input.peek(Token![->]) {
        punct::<Token![->]>(input, "->")?;
        let next = label(input, "the label of a task")?;
        region = region.to(&next);
        labels.push(next);
    }
    body.orders.push(Order { labels, region });
    Ok(())
}

/// `a with b`.
pub fn alias(body: &mut Body, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    let a = name(input, "the name of a resource")?;
    keyword(input, "with")?;
    body.aliases.push(pair(a, input)?);
    Ok(())
}

/// `a, b`.
pub fn separate(body: &mut Body, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    let a = name(input, "the name of a resource")?;
    punct::<Token![,]>(input, ",")?;
    body.separate.push(pair(a, input)?);
    Ok(())
}

fn pair(a: Ident, input: ParseStream) -> Result<Pair> {
    let b = name(input, "the name of a resource")?;
    Ok(Pair { a, b })
}
