//! Clauses of kernels of any kind, one row each.

mod code;

use gpu_graph_analysis::fault::{Edit, Part};
use proc_macro2::{Delimiter, Ident};
use syn::Token;
use syn::parse::ParseStream;

use super::context::Context;
use super::declared::cost;
use super::fail::{Fail, Result};
use super::literal::int;
use super::setting::bytes;
use super::stream::{comma, commas, name, next_word, skip_to_comma, take, within};
use super::tensor::extents;
use super::words::{Word, keyword};
use crate::ast::{Block, InPlace, Kernel, KernelKind, Over};
use crate::span::Region;
use code::{cuda, function, host};

/// A clause: its word, which kernels have it, and what reads the rest into the kernel.
struct Row {
    word: &'static str,
    of: &'static [KernelKind],
    read: fn(&mut Kernel, Ident, ParseStream) -> Result<()>,
}

const DEVICE: &[KernelKind] = &[KernelKind::Kernel];
const ALL: &[KernelKind] = &[
    KernelKind::Kernel,
    KernelKind::Callback,
    KernelKind::Collective,
    KernelKind::Opaque,
];

#[rustfmt::skip]
const CLAUSES: &[Row] = &[
    Row { word: "over", of: DEVICE, read: over },
    Row { word: "cuda", of: DEVICE, read: cuda },
    Row { word: "host", of: ALL, read: host },
    Row { word: "in place", of: DEVICE, read: in_place },
    Row { word: "shared", of: DEVICE, read: shared },
    Row { word: "zeroed", of: &[KernelKind::Kernel, KernelKind::Opaque], read: zeroed },
    Row { word: "cost", of: ALL, read: cost },
    Row { word: "retains", of: &[KernelKind::Opaque], read: retains },
    Row { word: "completion", of: &[KernelKind::Opaque], read: completion },
];

/// All clauses, up to the end.
pub fn clauses(kernel: &mut Kernel, input: ParseStream, cx: &mut Context) {
    let mut colons = Vec::new();
    while !input.is_empty() {
        let Err(fail) = clause(kernel, input, &mut colons) else {
            continue;
        };
        kernel.broken = true;
        if !fail.is_between() {
            skip_to_comma(input);
        }
        cx.report(fail);
    }
    // Who writes one writes all, and it is one slip.
    if let [first, rest @ ..] = &colons[..] {
        kernel.broken = true;
        let fail = Fail::new(*first, "what a clause says stands right behind its word");
        let words = match rest {
            [] => "drop the `:`",
            _ => "drop each `:`",
        };
        cx.report(fail.fix(words, colons.iter().copied().map(Edit::remove)));
    }
}

/// One clause, with the comma behind it. A colon behind its word goes to `colons`.
fn clause(kernel: &mut Kernel, input: ParseStream, colons: &mut Vec<Region>) -> Result<()> {
    let Some(word) = Word::take(input) else {
        return Err(Fail::expected(input.cursor(), "a clause"));
    };
    let row = row(&word, input).ok_or_else(|| {
        let known = CLAUSES.iter().filter(|row| row.of.contains(&kernel.kind));
        let known: Vec<_> = known.map(|row| row.word).collect();
        word.refuse("clause", &known)
    })?;
    if !row.of.contains(&kernel.kind) {
        return Err(misplaced(&word.name, row, kernel.kind));
    }
    if input.peek(Token![:]) && !input.peek(Token![::]) {
        colons.push(input.span().into());
        take::<Token![:]>(input);
    }
    (row.read)(kernel, word.name, input)?;
    if input.is_empty() {
        return Ok(());
    }
    let last = Region::from(input.cursor().prev_span());
    comma(input, "}").map_err(|fail| match next_word(input) {
        Some(next) if CLAUSES.iter().any(|row| first(row) == next) => {
            let comma = Edit::behind(last, ",");
            fail.fix("write `{}` before it", [comma]).between()
        }
        _ => fail,
    })
}

/// A clause that kernels of that kind do not have.
fn misplaced(word: &Ident, row: &Row, kind: KernelKind) -> Fail {
    let behind = "what goes on behind its call is an `opaque` kernel";
    let host = match row.of {
        [KernelKind::Opaque] => behind,
        _ => "it is a function of the host, which runs in the order of its stream",
    };
    let (which, why) = match kind {
        KernelKind::Kernel => ("a kernel".to_owned(), behind),
        KernelKind::Callback | KernelKind::Collective => (format!("a {}", kind.word()), host),
        KernelKind::Opaque => ("an opaque kernel".to_owned(), "it is a call of a library"),
    };
    Fail::new(word, format!("{which} has no `{}` clause", row.word))
        .note(why)
        .fix("drop it", [Edit::remove(word.into()).of(Part::Entry)])
}

fn row(word: &Word, input: ParseStream) -> Option<&'static Row> {
    let row = CLAUSES.iter().find(|row| first(row) == word.text)?;
    match row.word.split_once(' ') {
        Some((_, second)) if next_word(input).as_deref() != Some(second) => None,
        _ => Some(row),
    }
}

fn first(row: &Row) -> &'static str {
    row.word.split(' ').next().unwrap_or(row.word)
}

fn over(kernel: &mut Kernel, _: Ident, input: ParseStream) -> Result<()> {
    let (extents, region) = extents(input, "an index space, as in `[h, w]`")?;
    let mut block = None;
    let comma = block_behind_comma(input);
    if comma.is_some() {
        take::<Token![,]>(input);
    }
    if next_word(input).as_deref() == Some("block") {
        keyword(input, "block")?;
        let inside = within(
            input,
            Delimiter::Bracket,
            "threads per axis, as in `[8, 32]`",
            |input| {
                if input.is_empty() {
                    return Err(Fail::expected(input.cursor(), "a number of threads"));
                }
                commas(input, "]", |input| int(input, "a number of threads"))
            },
        )?;
        block = Some(Block {
            threads: inside.value,
            region: inside.region,
        });
    }
    if let Some(first) = &kernel.over {
        return Err(Fail::repeated_clause(region, "over", first.region));
    }
    kernel.over = Some(Over {
        extents,
        block,
        region,
    });
    comma.map_or(Ok(()), |comma| {
        Err(Fail::new(comma, "no comma stands before `block`")
            .note("`block` is part of `over`, as in `over [h, w] block [8, 32]`")
            .fix("drop the comma", [Edit::remove(comma)]))
    })
}

/// The comma that is next, if `block` stands behind it.
fn block_behind_comma(input: ParseStream) -> Option<Region> {
    let (comma, rest) = input.cursor().punct()?;
    let (word, _) = rest.ident()?;
    (comma.as_char() == ',' && word == "block").then(|| comma.span().into())
}

fn in_place(kernel: &mut Kernel, word: Ident, input: ParseStream) -> Result<()> {
    keyword(input, "place")?;
    let operand = name(input, "the parameter that the result replaces")?;
    let region = Region::from(&word).to(&operand);
    keyword(input, "host")?;
    let path = function(input)?;
    if let Some(first) = &kernel.in_place {
        return Err(Fail::repeated_clause(region, "in place", first.region));
    }
    kernel.in_place = Some(InPlace {
        operand,
        path,
        region,
    });
    Ok(())
}

fn shared(kernel: &mut Kernel, _: Ident, input: ParseStream) -> Result<()> {
    let bytes = bytes(input, true)?;
    if let Some(first) = &kernel.shared {
        return Err(Fail::repeated_clause(bytes.region, "shared", first.region));
    }
    kernel.shared = Some(bytes);
    Ok(())
}

fn zeroed(kernel: &mut Kernel, _: Ident, input: ParseStream) -> Result<()> {
    let param = name(input, "the parameter that has to be zero")?;
    if let Some(first) = kernel.zeroed.iter().find(|first| **first == param) {
        return Err(Fail::repeated_clause(&param, "zeroed", first));
    }
    kernel.zeroed.push(param);
    Ok(())
}

fn retains(kernel: &mut Kernel, _: Ident, input: ParseStream) -> Result<()> {
    let name = name(input, "the parameter that the library keeps")?;
    if let Some(first) = kernel.retains.iter().find(|first| **first == name) {
        return Err(Fail::repeated_clause(
            &name,
            &format!("retains {name}"),
            first,
        ));
    }
    kernel.retains.push(name);
    Ok(())
}

fn completion(kernel: &mut Kernel, word: Ident, input: ParseStream) -> Result<()> {
    let unknown = keyword(input, "unknown").map_err(|fail| {
        fail.note("a completion that is known is that of the call, or of what it `retains`")
    })?;
    let region = Region::from(&word).to(&unknown);
    if let Some(first) = kernel.completion {
        return Err(Fail::repeated_clause(region, "completion", first));
    }
    kernel.completion = Some(region);
    Ok(())
}
