//! Workspaces.

use gpu_graph_analysis::fault::{Edit, closest};
use gpu_graph_analysis::model::{Class, Elem};
use gpu_graph_analysis::workspace::{Content, Sharing};
use proc_macro2::{Delimiter, Ident, Span};
use syn::Token;
use syn::parse::ParseStream;

use super::declare::{domain, filled};
use super::extent::extent_as;
use super::fail::{Fail, Result};
use super::stmt::Head;
use super::stream::{any_ident, name, next_word, punct, within};
use super::tensor::tensor;
use crate::ast::{Body, Declare, ElemType, Extent, Stmt, Tensor, Workspace};
use crate::span::Region;

/// `ws: bytes(4 * n) zeroed per_task`, or with a tensor type.
pub fn workspace(body: &mut Body, head: Head, input: ParseStream) -> Result<()> {
    let name = name(input, "the name of a workspace")?;
    punct::<Token![:]>(input, ":")?;
    let (tensor, unknown) = size(input)?;
    let mut workspace = Workspace {
        unknown,
        content: (Content::Dead, None),
        sharing: (Sharing::Exclusive, None),
        region: tensor.region,
    };
    let (mut in_domain, mut refused) = (None, Vec::new());
    while let Some(word) = next_word(input) {
        let said = match &*word {
            "in" => {
                let (named, region) = domain(input)?;
                workspace.region = workspace.region.to(region);
                in_domain = Some(named);
                continue;
            }
            "zeroed" => content(&mut workspace, Content::Zeroed, input),
            "preserved" => content(&mut workspace, Content::Preserved, input),
            "exclusive" => sharing(&mut workspace, Sharing::Exclusive, input),
            "per_task" => sharing(&mut workspace, Sharing::PerTask, input),
            other => match meant(other, input) {
                Some(meant) => Err(misspelt(meant, input)),
                None => break,
            },
        };
        refused.extend(said.err());
    }
    if let ((Content::Preserved, Some(kept)), (Sharing::PerTask, Some(word))) =
        (workspace.content, workspace.sharing)
    {
        refused.push(
            Fail::new(word, "what is preserved is one storage for all its users")
                .label(kept, "preserved here")
                .fix("drop `per_task`", [Edit::remove(word.into())]),
        );
    }
    let mut declare = Declare {
        attrs: head.attrs,
        label: head.label,
        class: Class::Workspace,
        name,
        tensor,
        ring: None,
        domain: in_domain,
        workspace: Some(workspace),
        call: None,
        matched: false,
    };
    let read = filled(&mut declare, input);
    body.stmts.push(Stmt::Declare(declare));
    let mut refused = refused.into_iter();
    match refused.next() {
        Some(first) => Err(first.beside(refused)),
        None => read,
    }
}

/// Words behind its type.
const WORDS: [&str; 4] = ["zeroed", "preserved", "exclusive", "per_task"];

/// The one of them that `word`, the next one, was to be.
fn meant(word: &str, input: ParseStream) -> Option<&'static str> {
    let (_, rest) = input.cursor().ident()?;
    // Behind a semicolon that is missing stands another statement.
    let ends = rest.eof() || rest.ident().is_some() || input.peek2(Token![;]);
    let cut = word.len() > 2;
    let longer = WORDS
        .into_iter()
        .find(|known| cut && known.starts_with(word));
    longer.or_else(|| closest(word, WORDS)).filter(|_| ends)
}

/// Takes the next word, which was to be `meant`.
fn misspelt(meant: &str, input: ParseStream) -> Fail {
    let Some(word) = any_ident(input) else {
        return Fail::expected(input.cursor(), "a word");
    };
    let edit = Edit::replace((&word).into(), meant);
    Fail::new(&word, format!("unknown word `{word}`")).fix("did you mean `{}`?", [edit])
}

/// Its type, and the word `unknown` where its bytes are said to be that.
fn size(input: ParseStream) -> Result<(Tensor, Option<Span>)> {
    if input.peek(syn::token::Bracket) {
        return Ok((tensor(input)?, None));
    }
    let what = "a size, as in `bytes(4 * n)`, or a tensor type";
    if next_word(input).as_deref() != Some("bytes") {
        return Err(Fail::expected(input.cursor(), what));
    }
    let Some(word) = any_ident(input) else {
        return Err(Fail::expected(input.cursor(), what));
    };
    let inside = within(
        input,
        Delimiter::Parenthesis,
        "a number of bytes, as in `(4 * n)`",
        bound,
    )?;
    let (extents, unknown) = match inside.value {
        Ok(extent) => (vec![extent], None),
        Err(unknown) => (Vec::new(), Some(unknown.span())),
    };
    let elem = ElemType {
        elem: Elem::U8,
        span: word.span(),
    };
    let region = Region::from(&word).to(inside.region);
    let tensor = Tensor {
        elem,
        extents,
        region,
    };
    Ok((tensor, unknown))
}

/// A number of bytes, or the word that says that it is not known.
fn bound(input: ParseStream) -> Result<std::result::Result<Extent, Ident>> {
    if next_word(input).as_deref() == Some("unknown")
        && input.cursor().ident().is_some_and(|(_, rest)| rest.eof())
        && let Some(word) = any_ident(input)
    {
        return Ok(Err(word));
    }
    extent_as(input, "a number of bytes").map(Ok)
}

fn content(workspace: &mut Workspace, content: Content, input: ParseStream) -> Result<()> {
    let (word, first) = taken(workspace, input, workspace.content.1)?;
    if let Some(first) = first {
        return Err(twice(&word, first, "what its users find"));
    }
    workspace.content = (content, Some(word.span()));
    Ok(())
}

fn sharing(workspace: &mut Workspace, sharing: Sharing, input: ParseStream) -> Result<()> {
    let (word, first) = taken(workspace, input, workspace.sharing.1)?;
    if let Some(first) = first {
        return Err(twice(&word, first, "how its users go together"));
    }
    workspace.sharing = (sharing, Some(word.span()));
    Ok(())
}

/// Takes the next word, behind which others go.
fn taken(
    workspace: &mut Workspace,
    input: ParseStream,
    first: Option<Span>,
) -> Result<(Ident, Option<Span>)> {
    let Some(word) = any_ident(input) else {
        return Err(Fail::expected(input.cursor(), "a word"));
    };
    workspace.region = workspace.region.to(&word);
    Ok((word, first))
}

fn twice(word: &Ident, first: Span, what: &str) -> Fail {
    Fail::new(word, format!("`{word}` says a second time {what}"))
        .label(first, "first said here")
        .fix("drop it", [Edit::remove(word.into())])
}
