//! Demands on the plan, and what may be made again.

use gpu_graph_analysis::fault::Edit;
use gpu_graph_analysis::model::Class;
use proc_macro2::Ident;
use syn::Token;
use syn::parse::ParseStream;

use super::declare::declare;
use super::fail::{Fail, Result};
use super::label;
use super::stmt::Head;
use super::stream::{name, next_word, punct};
use super::words::keyword;
use crate::ast::{Body, Order, Pair, Recompute};
use crate::span::Region;

/// `'a -> 'b [-> 'c]*`.
pub fn order(body: &mut Body, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    let first = label::of_task(body, input)?;
    let mut region = Region::from(&head.word).to(&first);
    let mut labels = vec![first];
    while labels.len() < 2 || input.peek(Token![->]) {
        punct::<Token![->]>(input, "->")?;
        let next = label::of_task(body, input)?;
        region = region.to(&next);
        labels.push(next);
    }
    body.orders.push(Order { labels, region });
    Ok(())
}

/// Words of declarations that nothing makes again.
const CLASSES: [&str; 5] = ["input", "output", "resident", "inout", "staging"];

/// `let t: tensor = call`, which may be made again, or `t before 'z`, which demands it.
pub fn recompute(body: &mut Body, head: Head, input: ParseStream) -> Result<()> {
    if next_word(input).as_deref() == Some("let") {
        keyword(input, "let")?;
        return declare(body, head, Class::Reconstructable, input);
    }
    head.bare()?;
    const WHAT: &str = "`let`, or the name of a `recompute let`";
    // A word of a declaration, with the name that it declares.
    let declared = input.cursor().ident().filter(|(word, rest)| {
        let class = CLASSES.contains(&&*word.to_string());
        class && rest.ident().is_some_and(|(name, _)| name != "before")
    });
    if declared.is_some() {
        return Err(Fail::expected(input.cursor(), WHAT)
            .note("only what a `let` declares can be made again")
            .fix("drop `recompute`", [Edit::remove((&head.word).into())]));
    }
    let name = name(input, WHAT)?;
    if next_word(input).as_deref() != Some("before") {
        let what = format!("`before`, as in `recompute {name} before 'task`");
        return Err(Fail::expected(input.cursor(), &what));
    }
    keyword(input, "before")?;
    let before = label::of_task(body, input)?;
    body.recomputes.push(Recompute { name, before });
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
