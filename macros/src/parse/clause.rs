//! Clauses of a kernel or a callback, one row each.

use gpu_graph_analysis::fault::{Edit, Part};
use proc_macro2::{Delimiter, Ident};
use syn::parse::ParseStream;
use syn::{LitStr, Path, PathArguments, Token};

use super::context::Context;
use super::declared::cost;
use super::fail::{Fail, Result};
use super::literal::int;
use super::setting::bytes;
use super::stream::{comma, commas, name, next_word, skip_one, skip_to_comma, take, within};
use super::tensor::extents;
use super::words::{Word, keyword};
use crate::ast::{Block, Cuda, Host, InPlace, Kernel, KernelKind, Over};
use crate::span::Region;

/// A clause: its word, whether callbacks and collectives have it, and what reads the rest into the kernel.
struct Row {
    word: &'static str,
    on_host: bool,
    read: fn(&mut Kernel, Ident, ParseStream) -> Result<()>,
}

#[rustfmt::skip]
const CLAUSES: &[Row] = &[
    Row { word: "over", on_host: false, read: over },
    Row { word: "cuda", on_host: false, read: cuda },
    Row { word: "host", on_host: true, read: host },
    Row { word: "in place", on_host: false, read: in_place },
    Row { word: "shared", on_host: false, read: shared },
    Row { word: "zeroed", on_host: false, read: zeroed },
    Row { word: "cost", on_host: true, read: cost },
];

/// All clauses, up to the end.
pub fn clauses(kernel: &mut Kernel, input: ParseStream, cx: &mut Context) {
    while !input.is_empty() {
        let Err(fail) = clause(kernel, input) else {
            continue;
        };
        kernel.broken = true;
        if !fail.is_between() {
            skip_to_comma(input);
        }
        cx.report(fail);
    }
}

fn clause(kernel: &mut Kernel, input: ParseStream) -> Result<()> {
    let on_host = kernel.kind != KernelKind::Kernel;
    let Some(word) = Word::take(input) else {
        return Err(Fail::expected(input.cursor(), "a clause"));
    };
    let row = row(&word, input).ok_or_else(|| {
        let known = CLAUSES.iter().filter(|row| row.on_host || !on_host);
        let known: Vec<_> = known.map(|row| row.word).collect();
        word.refuse(input, "clause", &known)
    })?;
    if on_host && !row.on_host {
        let fail = Fail::new(
            &word.name,
            format!("a {} has no `{}` clause", kernel.kind.word(), row.word),
        );
        return Err(fail
            .note("it is a function of the host, which runs in the order of its stream")
            .fix(
                "drop it",
                [Edit::remove((&word.name).into()).of(Part::Entry)],
            ));
    }
    (row.read)(kernel, word.name, input)?;
    if input.is_empty() {
        return Ok(());
    }
    comma(input, "}").map_err(|fail| match next_word(input) {
        Some(next) if CLAUSES.iter().any(|row| first(row) == next) => fail.between(),
        _ => fail,
    })
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

fn over(kernel: &mut Kernel, word: Ident, input: ParseStream) -> Result<()> {
    let (extents, region) = extents(input, "an index space, as in `[h, w]`")?;
    let mut block = None;
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
        return Err(Fail::repeated_clause(&word, "over", first.region));
    }
    kernel.over = Some(Over {
        extents,
        block,
        region,
    });
    Ok(())
}

const STRINGS: &str = "a raw string is the text itself, a plain one the path of a file";

fn cuda(kernel: &mut Kernel, word: Ident, input: ParseStream) -> Result<()> {
    if !input.peek(LitStr) {
        let what = "a path in quotes, or text as in `r#\"…\"#`";
        return Err(Fail::expected(input.cursor(), what));
    }
    let literal: LitStr = input.parse()?;
    let span = literal.span();
    if !literal.suffix().is_empty() {
        return Err(Fail::new(span, "a string here has no suffix"));
    }
    let text = literal.value();
    let raw = literal.token().to_string().starts_with('r');
    let source = match raw {
        true if text.ends_with(".cu") && !text.contains(char::is_whitespace) => {
            return Err(
                Fail::new(span, "a raw string is CUDA text, and this is a path")
                    .note(STRINGS)
                    .fix(
                        "write the path in plain quotes, `{}`",
                        [Edit::replace(span.into(), format!("{text:?}"))],
                    ),
            );
        }
        true => Cuda::Text(literal),
        false if text.contains(['\n', '{', ';']) => {
            return Err(
                Fail::new(span, "a plain string is a path, and this is CUDA text")
                    .note(STRINGS)
                    .fix(
                        "write the text as a raw string: `cuda r#\"…\"#`",
                        [Edit::replace(span.into(), raw_string(&text))],
                    ),
            );
        }
        false if text.is_empty() => return Err(Fail::new(span, "the path is empty")),
        false => Cuda::File(literal),
    };
    if let Some(Cuda::File(first) | Cuda::Text(first)) = &kernel.cuda {
        return Err(Fail::repeated_clause(&word, "cuda", first.span()));
    }
    kernel.cuda = Some(source);
    Ok(())
}

fn host(kernel: &mut Kernel, word: Ident, input: ParseStream) -> Result<()> {
    let path = function(input)?;
    if let Some(first) = &kernel.host {
        return Err(Fail::repeated_clause(&word, "host", first.keyword));
    }
    kernel.host = Some(Host {
        path,
        keyword: word.span(),
    });
    Ok(())
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

fn shared(kernel: &mut Kernel, word: Ident, input: ParseStream) -> Result<()> {
    let bytes = bytes(input, true)?;
    if let Some(first) = &kernel.shared {
        return Err(Fail::repeated_clause(&word, "shared", first.region));
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

fn function(input: ParseStream) -> Result<Path> {
    let fork = input.cursor();
    if input.peek(Token![|]) || next_word(input).is_some_and(|word| word == "move") {
        let fail = Fail::expected(fork, "the path of a function");
        // The commas of a closure separate no clauses.
        while !input.is_empty() {
            let comma = take::<Token![,]>(input);
            let clause = next_word(input);
            let clause = clause.is_some_and(|word| CLAUSES.iter().any(|r| first(r) == word));
            if comma && clause || !comma && !skip_one(input) {
                break;
            }
        }
        return Err(fail
            .help("write a function with a name, and that name here")
            .between());
    }
    let path: Path = input
        .parse()
        .map_err(|_| Fail::expected(fork, "the path of a function"))?;
    let last = path.segments.last();
    let called = input.peek(syn::token::Paren)
        || last.is_some_and(|s| matches!(s.arguments, PathArguments::Parenthesized(_)));
    if called {
        let fail = Fail::new(&path, "a function is named here, not called");
        return Err(match input.cursor().group(Delimiter::Parenthesis) {
            Some((_, span, _)) => fail.fix(
                "drop the parentheses",
                [Edit::remove(Region::from(span.open()).to(span.close()))],
            ),
            None => fail.help("drop the parentheses"),
        });
    }
    Ok(path)
}

/// `text` as a raw string, with as many `#` as it takes.
fn raw_string(text: &str) -> String {
    let mut hashes = "#".to_owned();
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    format!("r{hashes}\"{text}\"{hashes}")
}
