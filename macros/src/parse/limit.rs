//! Statements that stand once in a graph and bound it.

use proc_macro2::Ident;
use syn::parse::ParseStream;

use super::fail::{Fail, Result};
use super::literal::int;
use super::setting::bytes;
use super::stmt::Head;
use crate::ast::{Count, Graph};
use crate::span::Region;

/// `2 GiB`.
pub fn budget(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    let bytes = bytes(input, false)?;
    if let Some(first) = &graph.budget {
        return Err(Fail::repeated(bytes.region, "budget", first.region));
    }
    graph.budget = Some(bytes);
    Ok(())
}

/// `2`.
pub fn pipelined(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    count(
        &mut graph.pipelined,
        &head.word,
        "a number of runs in flight",
        input,
    )
}

/// `4`.
pub fn streams(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.bare()?;
    count(&mut graph.streams, &head.word, "a number of streams", input)
}

fn count(slot: &mut Option<Count>, word: &Ident, what: &str, input: ParseStream) -> Result<()> {
    let count = int(input, what)?;
    let region = Region::from(word).to(count.span);
    if let Some(first) = slot {
        return Err(Fail::repeated(region, &word.to_string(), first.region));
    }
    *slot = Some(Count { region, count });
    Ok(())
}
