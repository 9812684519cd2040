//! What is handed out, and names for parts.

use gpu_graph_analysis::fault::Edit;
use syn::Token;
use syn::parse::ParseStream;

use super::fail::{Fail, Result};
use super::stmt::Head;
use super::stream::{equals, name, next_word, take};
use super::view::view;
use super::words::{Word, keyword};
use crate::ast::{Body, Escape, Graph, NamedView, Owner, Stmt};

/// `x as p owned by run`. An owner that is missing is not a fault of the syntax.
pub fn escape(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.no_label()?;
    let resource = name(input, "the name of a resource")?;
    keyword(input, "as")?;
    let mut escape = Escape {
        attrs: head.attrs,
        name: resource,
        pointer: name(input, "a name for the address")?,
        owner: None,
    };
    if next_word(input).as_deref() == Some("owned") {
        keyword(input, "owned")?;
        keyword(input, "by")?;
        let owners = "`run`, `graph` or `unknown`";
        let cursor = input.cursor();
        let Some(word) = Word::take(input) else {
            return Err(Fail::expected(cursor, owners));
        };
        let owner = match word.text.as_str() {
            "run" => Owner::Run,
            "graph" => Owner::Graph,
            "unknown" => Owner::Unknown,
            _ => return Err(Fail::expected(cursor, owners)),
        };
        escape.owner = Some((owner, word.name));
    }
    graph.escapes.push(escape);
    Ok(())
}

/// `address x`.
pub fn stable(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    keyword(input, "address")?;
    graph.stable.push(name(input, "the name of a resource")?);
    Ok(())
}

/// `v = &x[a..b]`.
pub fn named_view(body: &mut Body, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    let name = name(input, "a name for the view")?;
    equals(input)?;
    if !take::<Token![&]>(input) {
        let fail = Fail::expected(input.cursor(), "`&` of a view, as in `&x[a..b]`");
        return Err(fail);
    }
    if input.peek(Token![mut]) {
        let fail = Fail::expected(input.cursor(), "the name of a resource");
        return Err(fail
            .note("what a task writes is said where it is called: `&mut v`")
            .fix("drop `mut`", [Edit::remove(input.span().into())]));
    }
    let of = view(input)?;
    body.stmts.push(Stmt::View(NamedView { name, of }));
    Ok(())
}
