//! Stages.

use proc_macro2::Delimiter;
use syn::parse::ParseStream;
use syn::{Token, Visibility};

use super::attr;
use super::block::Block;
use super::context::Context;
use super::fail::{Fail, Result};
use super::item::Head;
use super::kernel::params;
use super::stmt::stmts;
use super::stream::{name, take, within};
use super::tensor::tensor;
use crate::ast::{Body, Items, Stage};

/// `name(param, …) -> tensor { stmt … }`.
pub fn stage(items: &mut Items, head: Head, input: ParseStream, cx: &mut Context) -> Result<()> {
    let name = name(input, "the name of a stage")?;
    let mut stage = Stage {
        close: name.span(),
        name,
        params: Vec::new(),
        result: None,
        body: Body::default(),
        broken: false,
    };
    let read = rest(&mut stage, &head, input, cx);
    stage.broken |= read.is_err() || stage.body.broken;
    items.stages.push(stage);
    read
}

fn rest(stage: &mut Stage, head: &Head, input: ParseStream, cx: &mut Context) -> Result<()> {
    let mut refused = attr::only_docs(&head.attrs).err();
    if let Visibility::Public(token) = &head.vis {
        refused = Some(
            Fail::new(token.span, "a stage takes no visibility")
                .note("a stage is part of the graphs that call it, and no item of Rust"),
        );
    }
    if let Some(fail) = refused {
        stage.broken = true;
        cx.report(fail);
    }
    within(input, Delimiter::Parenthesis, "`(`", |input| {
        stage.broken |= !params(&mut stage.params, input, cx);
        Ok(())
    })?;
    if take::<Token![->]>(input) {
        stage.result = Some(tensor(input)?);
    }
    let inside = within(input, Delimiter::Brace, "`{` of a stage", |input| {
        let mut block = Block::Stage(&mut stage.body);
        stmts(&mut block, input, cx);
        Ok(())
    })?;
    stage.close = inside.close;
    Ok(())
}
