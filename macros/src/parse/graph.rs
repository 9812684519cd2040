//! Graphs.

use proc_macro2::Delimiter;
use syn::parse::ParseStream;

use super::context::Context;
use super::fail::Result;
use super::item::Head;
use super::stmt::stmts;
use super::stream::{name, within};
use crate::ast::{Graph, Items};

/// `Name { stmt … }`.
pub fn graph(items: &mut Items, head: Head, input: ParseStream, cx: &mut Context) -> Result<()> {
    let mut graph = Graph {
        attrs: head.attrs,
        vis: head.vis,
        name: name(input, "the name of a graph")?,
        dims: Vec::new(),
        scalars: Vec::new(),
        stmts: Vec::new(),
        orders: Vec::new(),
        aliases: Vec::new(),
        separate: Vec::new(),
        budget: None,
        pipelined: None,
        streams: None,
        broken: false,
    };
    let read = within(input, Delimiter::Brace, "`{`", |input| {
        stmts(&mut graph, input, cx);
        Ok(())
    });
    graph.broken |= read.is_err();
    items.graphs.push(graph);
    read.map(|_| ())
}
