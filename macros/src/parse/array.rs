//! Tensor types as other languages write them: what was meant, as far as that can be seen.

use gpu_graph_analysis::model::Elem;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::buffer::Cursor;

use super::tensor::{ELEMS, is_reserved};
use super::words::is_keyword;
use crate::ast::{ElemType, Extent, ExtentKind, Tensor};
use crate::span::Region;

/// `[[f32; w]; h]` or `[h, w; f32]` at `cursor`: where it stands, and how it is written here.
pub fn rewritten(cursor: Cursor) -> Option<(Region, String)> {
    let (inside, span, _) = cursor.group(Delimiter::Bracket)?;
    let (left, right) = halves(&inside.token_stream())?;
    if let [TokenTree::Ident(elem)] = &left[..]
        && (known(elem).is_some() || is_reserved(&elem.to_string()))
    {
        return None; // it is written right so far
    }
    let (elem, extents) = parts(&left, &right)?;
    let text = format!("[{elem}; {}]", extents.join(", "));
    Some((Region::from(span.open()).to(span.close()), text))
}

/// What stands before the first `;`, and behind it.
fn halves(tokens: &TokenStream) -> Option<(Vec<TokenTree>, Vec<TokenTree>)> {
    let mut left: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let at = left.iter().position(|token| is(token, ';'))?;
    let right = left.split_off(at).into_iter().skip(1).collect();
    Some((left, right))
}

fn is(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// Element type and extents, slowest first.
fn parts(left: &[TokenTree], right: &[TokenTree]) -> Option<(String, Vec<String>)> {
    match (left, right) {
        ([TokenTree::Group(inner)], _) if inner.delimiter() == Delimiter::Bracket => {
            let (left, right_inner) = halves(&inner.stream())?;
            let (elem, inner) = parts(&left, &right_inner)?;
            let mut extents = listed(right);
            extents.extend(inner);
            Some((elem, extents))
        }
        ([TokenTree::Ident(elem)], _) if known(elem).is_some() => {
            Some((elem.to_string(), listed(right)))
        }
        (_, [TokenTree::Ident(elem)]) if known(elem).is_some() => {
            Some((elem.to_string(), listed(left)))
        }
        _ => None,
    }
}

/// What stands between commas.
fn listed(tokens: &[TokenTree]) -> Vec<String> {
    let entries = tokens.split(|token| is(token, ','));
    let text = |entry: &[TokenTree]| entry.iter().cloned().collect::<TokenStream>().to_string();
    entries
        .map(text)
        .filter(|entry| !entry.is_empty())
        .collect()
}

fn known(name: &Ident) -> Option<Elem> {
    let name = name.to_string();
    let row = ELEMS.iter().find(|(elem, _)| *elem == name);
    row.map(|(_, elem)| *elem)
}

/// What a type that could not be read names, for stubs: its element type, if it is one of the
/// language, and the names in it that may be dims.
pub fn guess(cursor: Cursor) -> Option<(Option<Elem>, Tensor)> {
    let (inside, span, _) = cursor.group(Delimiter::Bracket)?;
    let region = Region::from(span.open()).to(span.close());
    let mut names = Vec::new();
    collect(inside.token_stream(), &mut names);
    let found = names.iter().find_map(known);
    let extents = names.into_iter().filter(|name| {
        let text = name.to_string();
        known(name).is_none() && !is_reserved(&text) && !is_keyword(&text)
    });
    let extents = extents.map(|name| Extent {
        region: Region::from(&name),
        kind: ExtentKind::Name(name),
    });
    let tensor = Tensor {
        elem: ElemType {
            elem: found.unwrap_or(Elem::F32),
            span: region.first,
        },
        extents: extents.collect(),
        region,
    };
    Some((found, tensor))
}

fn collect(tokens: TokenStream, names: &mut Vec<Ident>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => names.push(name),
            TokenTree::Group(group) => collect(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
