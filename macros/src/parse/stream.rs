//! Steps that every construct takes.

use gpu_graph_analysis::fault::{Edit, raw};
use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use syn::buffer::Cursor;
use syn::ext::IdentExt;
use syn::parse::{ParseBuffer, ParseStream};
use syn::{Token, braced, bracketed, parenthesized};

use super::fail::{Fail, Result};
use crate::span::Region;

/// Keywords that stand where no name was meant, but was forgotten.
const OF_STATEMENTS: &[&str] = &[
    "as", "const", "else", "false", "fn", "for", "if", "in", "let", "match", "mut", "pub", "true",
];

/// The text of the next token, if it is a word of any kind. `r#type` is no word.
pub fn next_word(input: ParseStream) -> Option<String> {
    let (name, _) = input.cursor().ident()?;
    Some(name.to_string())
}

/// Takes the next token, if it is a word of any kind.
pub fn any_ident(input: ParseStream) -> Option<Ident> {
    input.call(Ident::parse_any).ok()
}

/// Takes a name that the user gives or refers to; `what` says of what.
pub fn name(input: ParseStream, what: &str) -> Result<Ident> {
    // `gen` is a keyword since edition 2024, which syn does not know of.
    let reserved = next_word(input).is_some_and(|word| word == "gen");
    if input.peek(syn::Ident) && !reserved {
        return Ok(input.parse()?);
    }
    Err(no_name(input.cursor(), what))
}

/// Something else than the name that `what` asks for stands at `cursor`, and perhaps a keyword.
pub fn no_name(cursor: Cursor, what: &str) -> Fail {
    let fail = Fail::expected(cursor, what);
    let Some((name, _)) = cursor.ident().filter(|(name, _)| *name != "_") else {
        return fail;
    };
    let word = name.to_string();
    let written = raw(&word);
    let fail = fail.note(format!("`{word}` is a keyword of Rust"));
    match written != word && !OF_STATEMENTS.contains(&&*word) {
        true => fail
            .fix("write `{}`", [Edit::replace((&name).into(), written)])
            .for_name(&word),
        false => fail,
    }
}

/// Takes a label, which `what` asks for.
pub fn label(input: ParseStream, what: &str) -> Result<syn::Lifetime> {
    if input.peek(syn::Lifetime) {
        return Ok(input.parse()?);
    }
    let fail = Fail::expected(input.cursor(), what);
    Err(match next_word(input) {
        Some(word) => fail.fix(
            "labels begin with a tick: `{}`",
            [Edit::replace(input.span().into(), format!("'{word}"))],
        ),
        None => fail,
    })
}

/// Takes the `=` before a call or an expression.
pub fn equals(input: ParseStream) -> Result<()> {
    // To syn, `==` begins with one.
    if input.peek(Token![==]) || !take::<Token![=]>(input) {
        return Err(Fail::expected(input.cursor(), "`=`"));
    }
    Ok(())
}

/// Takes a punctuation token, written as `text`.
pub fn punct<T: syn::parse::Parse>(input: ParseStream, text: &str) -> Result<T> {
    input
        .parse()
        .map_err(|_| Fail::expected(input.cursor(), &format!("`{text}`")))
}

/// What stands between delimiters, and the region with them.
pub struct Within<T> {
    /// What was read.
    pub value: T,
    /// Delimiters included.
    pub region: Region,
    /// The closing delimiter.
    pub close: Span,
}

/// Reads all that stands between delimiters. `what` is asked for where the group is not there.
pub fn within<T>(
    input: ParseStream,
    delimiter: Delimiter,
    what: &str,
    read: impl FnOnce(ParseStream) -> Result<T>,
) -> Result<Within<T>> {
    let Ok((content, span)) = open(input, delimiter) else {
        return Err(Fail::expected(input.cursor(), what));
    };
    let value = read(&content).and_then(|value| {
        if content.is_empty() {
            Ok(value)
        } else {
            Err(Fail::unexpected(content.cursor()))
        }
    });
    if !content.is_empty() {
        // syn would report what is left over a second time.
        let _: syn::Result<TokenStream> = content.parse();
    }
    Ok(Within {
        value: value?,
        region: Region::from(span.open()).to(span.close()),
        close: span.close(),
    })
}

fn open<'a>(
    input: ParseStream<'a>,
    delimiter: Delimiter,
) -> syn::Result<(ParseBuffer<'a>, proc_macro2::extra::DelimSpan)> {
    let content;
    let span = match delimiter {
        Delimiter::Parenthesis => parenthesized!(content in input).span,
        Delimiter::Bracket => bracketed!(content in input).span,
        Delimiter::Brace => braced!(content in input).span,
        Delimiter::None => return Err(input.error("not a delimiter that is written")),
    };
    Ok((content, span))
}

/// Reads items with commas between them and perhaps behind the last, up to the end, which is
/// `close`.
pub fn commas<T>(
    input: ParseStream,
    close: &str,
    mut read: impl FnMut(ParseStream) -> Result<T>,
) -> Result<Vec<T>> {
    let mut items = Vec::new();
    while !input.is_empty() {
        items.push(read(input)?);
        if input.is_empty() {
            break;
        }
        comma(input, close)?;
    }
    Ok(items)
}

/// Takes a comma, behind which or instead of which the list ends with `close`.
pub fn comma(input: ParseStream, close: &str) -> Result<()> {
    if take::<Token![,]>(input) {
        return Ok(());
    }
    let what = format!("`,` or `{close}`");
    Err(Fail::expected(input.cursor(), &what))
}

/// Skips what could not be read: up to and with the next comma.
pub fn skip_to_comma(input: ParseStream) {
    while !input.is_empty() && !take::<Token![,]>(input) && skip_one(input) {}
}

/// Skips what could not be read: up to and with the next semicolon, or the next group in braces,
/// which ends whatever would have had a body.
pub fn skip_to_semicolon(input: ParseStream) {
    while !input.is_empty() && !take::<Token![;]>(input) {
        let body = input.peek(syn::token::Brace);
        if !skip_one(input) {
            break;
        }
        if body {
            take::<Token![;]>(input);
            break;
        }
    }
}

/// Takes a token if it is next.
pub fn take<T: syn::parse::Parse + syn::token::Token>(input: ParseStream) -> bool {
    matches!(input.parse::<Option<T>>(), Ok(Some(_)))
}

/// Reads with a cursor, which sees groups without delimiters as the groups they are.
pub fn with_cursor<T>(
    input: ParseStream,
    read: impl for<'c> FnOnce(Cursor<'c>) -> Result<(T, Cursor<'c>)>,
) -> Result<T> {
    let mut failed = None;
    let step = input.step(|cursor| {
        read(*cursor).map_err(|fail| {
            failed = Some(fail);
            cursor.error("not readable")
        })
    });
    match (step, failed) {
        (Ok(value), _) => Ok(value),
        (Err(_), Some(fail)) => Err(fail),
        (Err(error), None) => Err(error.into()),
    }
}

/// Skips a token; false where there is none.
pub fn skip_one(input: ParseStream) -> bool {
    let skipped = with_cursor(input, |cursor| match cursor.token_tree() {
        Some((_, rest)) => Ok(((), rest)),
        None => Err(Fail::unexpected(cursor)),
    });
    skipped.is_ok()
}
