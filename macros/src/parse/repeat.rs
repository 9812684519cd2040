//! Loops.

use proc_macro2::Delimiter;
use syn::Token;
use syn::parse::ParseStream;

use super::block::Block;
use super::context::Context;
use super::fail::{Fail, Result};
use super::range::range;
use super::stmt::{Head, stmts};
use super::stream::{name, within};
use super::words::keyword;
use crate::ast::{Body, For, Stmt};

/// Most loops and matches inside one another, so that they may be walked by recursion.
pub const DEEPEST: usize = 32;

/// `l in 0..4 { stmt … }`.
pub fn repeat(body: &mut Body, head: Head, input: ParseStream, cx: &mut Context) -> Result<()> {
    if let Some(label) = &head.label {
        return Err(Fail::new(label, "`for` takes no label: it is no task")
            .note("labels are local to one iteration")
            .help("label a call inside the loop"));
    }
    head.bare()?;
    if cx.loops == DEEPEST {
        return Err(Fail::new(&head.word, "these loops are too deep")
            .note(format!("loops nest at most {DEEPEST} deep")));
    }
    if input.peek(Token![_]) {
        return Err(Fail::expected(input.cursor(), "a loop variable")
            .help("give the variable a name: it names what the iteration declares"));
    }
    let var = name(input, "a loop variable")?;
    keyword(input, "in")?;
    let range = range(input)?;
    let mut inner = Body::default();
    cx.loops += 1;
    let read = within(input, Delimiter::Brace, "`{` of a loop", |input| {
        stmts(&mut Block::For(&mut inner), input, cx);
        Ok(())
    });
    cx.loops -= 1;
    body.broken |= inner.broken;
    body.stmts.push(Stmt::For(For {
        var,
        range,
        body: inner,
    }));
    read.map(|_| ())
}
