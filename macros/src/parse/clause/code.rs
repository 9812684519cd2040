//! Clauses that say where the code of a kernel is.

use gpu_graph_analysis::fault::Edit;
use proc_macro2::{Delimiter, Ident};
use syn::parse::ParseStream;
use syn::{LitStr, Path, PathArguments, Token};

use super::super::fail::{Fail, Result};
use super::super::stream::{next_word, skip_one, take};
use super::{CLAUSES, first};
use crate::ast::{Cuda, Host, Kernel};
use crate::span::Region;

const STRINGS: &str = "a raw string is the text itself, a plain one the path of a file";

pub fn cuda(kernel: &mut Kernel, _: Ident, input: ParseStream) -> Result<()> {
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
        return Err(Fail::repeated_clause(span, "cuda", first.span()));
    }
    kernel.cuda = Some(source);
    Ok(())
}

pub fn host(kernel: &mut Kernel, word: Ident, input: ParseStream) -> Result<()> {
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

/// The path of a function of the host.
pub fn function(input: ParseStream) -> Result<Path> {
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
