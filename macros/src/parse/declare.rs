//! Declarations of resources and scalars.

use gpu_graph_analysis::fault::{Edit, Part};
use gpu_graph_analysis::model::Class;
use proc_macro2::Ident;
use syn::Token;
use syn::buffer::Cursor;
use syn::parse::ParseStream;

use super::array::guess;
use super::call::{call, effect};
use super::fail::{Fail, Result};
use super::literal::int;
use super::stmt::Head;
use super::stream::{equals, name, next_word, punct};
use super::task::no_label;
use super::tensor::{elem_type, tensor};
use super::words::keyword;
use crate::ast::{Body, Count, Declare, Graph, ScalarDecl, Stmt};
use crate::span::Region;

/// `x: tensor [= call]`, of the class that the word says.
pub fn declare(body: &mut Body, head: Head, class: Class, input: ParseStream) -> Result<()> {
    // The graph's own copy, as what a function takes by value.
    let own = class == Class::Input && input.parse::<Option<Token![mut]>>()?.is_some();
    let class = if own { Class::InputMut } else { class };
    if input.peek(Token![mut]) {
        let fail = Fail::expected(input.cursor(), "the name of a resource");
        return Err(fail
            .note("what a task writes is said where it is called")
            .fix("drop `mut`", [Edit::remove(input.span().into())]));
    }
    let name = name(input, "the name of a resource")?;
    if class == Class::Input && name == "resident" && next_word(input).is_some() {
        return Err(turned(body, head, name, input));
    }
    if input.peek(Token![=]) {
        let help = format!("write its type behind `{name}`, as in `{name}: [f32; 64]`");
        let fail = Fail::expected(input.cursor(), "`:` and a type");
        return Err(fail
            .note("the type of a resource is not inferred")
            .help(help));
    }
    if input.peek(syn::token::Bracket) {
        let fail = Fail::expected(input.cursor(), "`:`");
        let colon = Edit::behind((&name).into(), ":");
        lost(body, head, class, name, input.cursor());
        return Err(fail.fix("write `{}` behind the name", [colon]));
    }
    punct::<Token![:]>(input, ":")?;
    if input.peek(Token![&]) {
        let fail = Fail::expected(input.cursor(), "a tensor type, as in `[f32; h, w]`");
        let sign = effect(input)?;
        let words = match sign.mutable {
            true => "drop the `&mut`",
            false => "drop the `&`",
        };
        lost(body, head, class, name, input.cursor());
        return Err(fail
            .note("`&` and `&mut` are said where a call passes it")
            .fix(words, [Edit::remove(sign.region)]));
    }
    let start = input.cursor();
    let tensor = match tensor(input) {
        Ok(tensor) => tensor,
        Err(fail) => {
            lost(body, head, class, name, start);
            return Err(fail);
        }
    };
    let domain = match next_word(input).as_deref() {
        Some("in") => Some(domain(input)?.0),
        _ => None,
    };
    let mut declare = Declare {
        attrs: head.attrs,
        label: head.label,
        class,
        name,
        tensor,
        ring: None,
        domain,
        workspace: None,
        call: None,
        matched: false,
    };
    // What is declared stays, also where the call cannot be read.
    let read = filled(&mut declare, input);
    body.stmts.push(Stmt::Declare(declare));
    read
}

/// `input resident x`, where the words stand the other way round.
fn turned(body: &mut Body, head: Head, word: Ident, input: ParseStream) -> Fail {
    let fail = Fail::expected(input.cursor(), "`:`");
    let place = Region::from(&word);
    let words = [
        Edit::replace(place, "resident").of(Part::WordBefore),
        Edit::replace(place, "input"),
    ];
    if let Ok(name) = self::name(input, "the name of a resource")
        && punct::<Token![:]>(input, ":").is_ok()
    {
        lost(body, head, Class::Resident, name, input.cursor());
    }
    fail.fix("write `{} {}`", words)
}

/// Keeps what is known of a declaration whose type, at `cursor`, could not be read: whoever uses
/// the graph refers to the name.
fn lost(body: &mut Body, head: Head, class: Class, name: Ident, cursor: Cursor) {
    let seen = class.is_input() || matches!(class, Class::Output | Class::Resident | Class::Inout);
    match guess(cursor) {
        _ if !seen => {}
        Some((elem, tensor)) if elem.is_some() || !class.is_input() => {
            body.stmts.push(Stmt::Declare(Declare {
                attrs: head.attrs,
                label: None,
                class,
                name,
                tensor,
                ring: None,
                domain: None,
                workspace: None,
                call: None,
                matched: false,
            }));
        }
        _ if class.is_input() => body.lost.push(name),
        _ => {}
    }
}

/// `in domain tenant_a`: the name, and all of it.
pub fn domain(input: ParseStream) -> Result<(Ident, Region)> {
    let word = keyword(input, "in")?;
    keyword(input, "domain")?;
    let name = name(input, "the name of an isolation domain")?;
    let region = Region::from(&word).to(&name);
    Ok((name, region))
}

/// Reads the call of a declaration, if there is one.
pub fn filled(declare: &mut Declare, input: ParseStream) -> Result<()> {
    if declare.class == Class::Staging && next_word(input).as_deref() == Some("ring") {
        let word = keyword(input, "ring")?;
        let count = int(input, "a number of runs in flight")?;
        declare.ring = Some(Count {
            region: Region::from(&word).to(count.span),
            count,
        });
    }
    if !input.peek(Token![=]) {
        return match &declare.label {
            Some(label) => Err(Fail::new(label, "a label needs a task")
                .note("without a call, a declaration is no task")),
            None => Ok(()),
        };
    }
    let filled_by = match declare.class {
        Class::Input | Class::InputMut | Class::Resident => "an input is filled by the caller",
        Class::Inout => "an inout is zero at first, and then what runs leave in it",
        Class::Workspace => "a workspace is room for tasks, and holds nothing between them",
        Class::Transient
        | Class::Reconstructable
        | Class::Staging
        | Class::Output
        | Class::Escape => "",
    };
    if !filled_by.is_empty() {
        let fail = Fail::new(input.span(), filled_by);
        let fail = match declare.class {
            // `resident input` and `input mut` are two words, and a workspace has words behind it.
            Class::Resident | Class::InputMut | Class::Workspace => fail,
            _ => {
                let word = Edit::replace((&declare.name).into(), "let").of(Part::WordBefore);
                fail.fix("write `{}`", [word])
            }
        };
        return Err(fail.help("drop the call"));
    }
    equals(input)?;
    // Its arms are read where statements are.
    if next_word(input).as_deref() == Some("match") {
        declare.matched = true;
        return no_label(declare.label.as_ref());
    }
    declare.call = Some(call(input)?);
    Ok(())
}

/// The word `finite`, if it is next.
fn finite(input: ParseStream) -> Result<Option<Ident>> {
    match next_word(input).as_deref() {
        Some("finite") => keyword(input, "finite").map(Some),
        _ => Ok(None),
    }
}

/// `s: type`, `s: type finite`.
pub fn scalar(graph: &mut Graph, head: Head, input: ParseStream) -> Result<()> {
    head.no_label()?;
    let name = name(input, "the name of a scalar")?;
    punct::<Token![:]>(input, ":")?;
    if input.peek(syn::token::Bracket) {
        graph.body.lost.push(name.clone());
        return Err(
            Fail::expected(input.cursor(), "a scalar type, as in `f32`").fix(
                "a tensor is an `{}`",
                [Edit::replace((&name).into(), "input").of(Part::WordBefore)],
            ),
        );
    }
    let ty = elem_type(input).inspect_err(|_| graph.body.lost.push(name.clone()))?;
    let finite = finite(input)?;
    let refused = finite.as_ref().filter(|_| ty.elem.int_range().is_some());
    let refused = refused.map(|word| {
        let fail = Fail::new(word, format!("a value of `{}` is always finite", ty.elem));
        fail.fix("drop `finite`", [Edit::remove(word.into())])
    });
    graph.scalars.push(ScalarDecl {
        attrs: head.attrs,
        name,
        ty,
        finite: finite.is_some() && refused.is_none(),
    });
    refused.map_or(Ok(()), Err)
}
