//! Graphs.

use proc_macro2::Delimiter;
use syn::parse::ParseStream;

use super::block::Block;
use super::context::Context;
use super::fail::Result;
use super::item::Head;
use super::stmt::stmts;
use super::stream::{name, within};
use crate::ast::{Body, Declared, Graph, Items};

/// `Name { stmt … }`.
pub fn graph(items: &mut Items, head: Head, input: ParseStream, cx: &mut Context) -> Result<()> {
    let mut graph = Graph {
        attrs: head.attrs,
        vis: head.vis,
        name: name(input, "the name of a graph")?,
        dims: Vec::new(),
        scalars: Vec::new(),
        variants: Vec::new(),
        body: Body::default(),
        declared: Declared::default(),
        budget: None,
        escapes: Vec::new(),
        stable: Vec::new(),
        pipelined: None,
        streams: None,
        broken: false,
    };
    let read = within(input, Delimiter::Brace, "`{`", |input| {
        stmts(&mut Block::Graph(&mut graph), input, cx);
        Ok(())
    });
    graph.broken |= read.is_err() || graph.body.broken;
    items.graphs.push(graph);
    read.map(|_| ())
}
