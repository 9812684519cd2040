//! Kernels.

use gpu_graph_analysis::fault::Edit;
use proc_macro2::Delimiter;
use syn::Token;
use syn::parse::ParseStream;

use super::array::guess;
use super::call::effect;
use super::clause::clauses;
use super::context::Context;
use super::declared::cost;
use super::fail::{Fail, Result};
use super::formula::{end, formula, skip_formula};
use super::item::Head;
use super::stream::{comma, equals, name, next_word, punct, skip_to_comma, take, within};
use super::tensor::{elem_type, tensor};
use super::words::keyword;
use crate::ast::{Effect, Items, Kernel, KernelKind, Param, ParamType};
use crate::span::Region;

/// `name(param, …) -> tensor { clause, … }`, or `… = expression;`.
pub fn kernel(items: &mut Items, head: Head, input: ParseStream, cx: &mut Context) -> Result<()> {
    of(KernelKind::Kernel, items, head, input, cx)
}

/// `name(param, …) -> tensor { host … }`.
pub fn callback(items: &mut Items, head: Head, input: ParseStream, cx: &mut Context) -> Result<()> {
    of(KernelKind::Callback, items, head, input, cx)
}

/// `name(param, …) -> tensor { host … }`.
pub fn collective(
    items: &mut Items,
    head: Head,
    input: ParseStream,
    cx: &mut Context,
) -> Result<()> {
    of(KernelKind::Collective, items, head, input, cx)
}

/// All ranks read at once what each of them passes, so none writes it.
fn reads_alone(kernel: &Kernel) -> Result<()> {
    for param in &kernel.params {
        if let ParamType::Ref(effect, _) = &param.ty
            && effect.mutable
        {
            return Err(Fail::new(
                effect.region,
                format!("a collective only reads `{}`", param.name),
            )
            .note("all ranks read it at once")
            .fix("write `{}`", [Edit::replace(effect.region, "&")]));
        }
    }
    match kernel.result {
        Some(_) => Ok(()),
        None => Err(Fail::new(
            &kernel.name,
            format!("the collective `{}` has no result", kernel.name),
        )
        .help("declare one, as in `-> [f32; n]`")),
    }
}

/// `name(param, …) -> tensor { host …, retains x }`.
pub fn opaque(items: &mut Items, head: Head, input: ParseStream, cx: &mut Context) -> Result<()> {
    of(KernelKind::Opaque, items, head, input, cx)
}

fn of(
    kind: KernelKind,
    items: &mut Items,
    head: Head,
    input: ParseStream,
    cx: &mut Context,
) -> Result<()> {
    let mut kernel = Kernel {
        kind,
        attrs: head.attrs,
        vis: head.vis,
        name: name(input, "the name of a kernel")?,
        params: Vec::new(),
        result: None,
        formula: None,
        over: None,
        cuda: None,
        host: None,
        in_place: None,
        shared: None,
        zeroed: Vec::new(),
        cost: None,
        retains: Vec::new(),
        completion: None,
        broken: false,
    };
    let read = rest(&mut kernel, input, cx);
    kernel.broken |= read.is_err();
    items.kernels.push(kernel);
    read
}

fn rest(kernel: &mut Kernel, input: ParseStream, cx: &mut Context) -> Result<()> {
    if input.peek(Token![<]) {
        return Err(Fail::expected(input.cursor(), "`(`").note("a kernel has no type parameters"));
    }
    within(input, Delimiter::Parenthesis, "`(`", |input| {
        kernel.broken |= !params(&mut kernel.params, input, cx);
        Ok(())
    })?;
    if take::<Token![->]>(input) {
        let cursor = input.cursor();
        kernel.result = Some(match (tensor(input), guess(cursor)) {
            (Ok(tensor), _) => tensor,
            (Err(fail), Some((_, tensor))) => {
                kernel.broken = true;
                cx.report(fail);
                tensor
            }
            (Err(fail), None) => return Err(fail),
        });
    }
    if kernel.kind == KernelKind::Collective && !kernel.broken {
        reads_alone(kernel)?;
    }
    if input.peek(Token![=]) && kernel.kind != KernelKind::Kernel {
        let kind = kernel.kind.word();
        return Err(Fail::expected(input.cursor(), "`{`").note(format!(
            "a body of `{kind}` is a function, not an expression"
        )));
    }
    if input.peek(Token![=]) {
        equals(input)?;
        if let Err(fail) = expression(kernel, input) {
            if !fail.is_between() {
                kernel.broken = true;
                skip_formula(input);
            }
            cx.report(fail);
        }
        return Ok(());
    }
    within(input, Delimiter::Brace, "`{`", |input| {
        clauses(kernel, input, cx);
        Ok(())
    })?;
    Ok(())
}

/// `x + 1f32;` or `x + 1f32, cost 12 us;`.
fn expression(kernel: &mut Kernel, input: ParseStream) -> Result<()> {
    kernel.formula = Some(formula(input)?);
    if take::<Token![,]>(input) {
        let word = keyword(input, "cost")?;
        cost(kernel, word, input)?;
    }
    end(input)
}

/// Parameters up to the end, into `list`; false where one could not be read.
pub fn params(list: &mut Vec<Param>, input: ParseStream, cx: &mut Context) -> bool {
    let mut all = true;
    while !input.is_empty() {
        let read = param(list, input).and_then(|()| {
            if input.is_empty() {
                Ok(())
            } else {
                comma(input, ")")
            }
        });
        if let Err(fail) = read {
            all = false;
            cx.report(fail);
            skip_to_comma(input);
        }
    }
    all
}

/// One parameter, onto `list`, and what is known of it where its type cannot be read: its dims are
/// fields that the host function refers to.
fn param(list: &mut Vec<Param>, input: ParseStream) -> Result<()> {
    let name = name(input, "the name of a parameter")?;
    punct::<Token![:]>(input, ":")?;
    let start = Region::from(&name);
    if input.peek(Token![&]) {
        let effect = effect(input)?;
        if !input.peek(syn::token::Bracket) {
            let fail = Fail::expected(input.cursor(), "a tensor type, as in `&[f32; h, w]`");
            return Err(fail.note("a scalar has no `&`"));
        }
        let cursor = input.cursor();
        let read = tensor(input);
        let (tensor, read) = match (read, guess(cursor)) {
            (Ok(tensor), _) => (tensor, Ok(())),
            (Err(fail), Some((_, guessed))) => (guessed, Err(fail)),
            (Err(fail), None) => return Err(fail),
        };
        list.push(Param {
            region: start.to(tensor.region),
            name,
            ty: ParamType::Ref(effect, tensor),
        });
        return read;
    }
    if input.peek(syn::token::Bracket) {
        let fail = Fail::expected(input.cursor(), "`&`, `&mut` or a scalar type").fix(
            "write `{}[…]` where the kernel reads, `&mut […]` where it also writes",
            [Edit::before(input.span().into(), "&")],
        );
        if let Some((_, tensor)) = guess(input.cursor()) {
            let effect = Effect {
                mutable: false,
                region: input.span().into(),
            };
            list.push(Param {
                region: start.to(tensor.region),
                name,
                ty: ParamType::Ref(effect, tensor),
            });
        }
        return Err(fail);
    }
    let ty = elem_type(input)?;
    finite(input)?;
    list.push(Param {
        region: start.to(ty.span),
        name,
        ty: ParamType::Scalar(ty),
    });
    Ok(())
}

/// Refuses what only a scalar of a graph says.
fn finite(input: ParseStream) -> Result<()> {
    if next_word(input).as_deref() != Some("finite") {
        return Ok(());
    }
    let fail = Fail::new(input.span(), "a parameter is not `finite`");
    Err(fail
        .note("a scalar of a graph is, which is checked when a run starts")
        .fix("drop it here", [Edit::remove(input.span().into())]))
}
