//! Dims that a mend leaves unused: they go with it, since what is never used is refused.

use std::collections::BTreeMap;

use gpu_graph_analysis::fault::{Change, Edit, Fault, Fix, Part};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use super::SiteTable;
use crate::lower::text;
use crate::span::Region;

/// Lets the mends of `faults` that declare a resource with another type drop the dims that stand in
/// its type alone.
pub fn settle(faults: &mut [Fault], input: &TokenStream, sites: &mut SiteTable) {
    let declares = |edit: &Edit| edit.part == Part::TypeBehind;
    let mut edits = faults.iter().flat_map(|fault| &fault.fixes);
    if !edits.any(|fix| fix.edits.iter().any(declares)) {
        return;
    }
    let graphs = graphs(input);
    for fault in faults {
        for at in 0..fault.fixes.len() {
            let dims = emptied(&fault.fixes[at], &graphs, sites);
            if !dims.is_empty() {
                drop_dims(fault, at, &dims, sites);
            }
        }
    }
}

/// The dims that stand in no other type than the one that `fix` replaces, if it is of a graph.
fn emptied(fix: &Fix, graphs: &[Vec<TokenTree>], sites: &SiteTable) -> Vec<Ident> {
    let [
        Edit {
            at,
            part: Part::TypeBehind,
            change: Change::Replace(new),
        },
    ] = &fix.edits[..]
    else {
        return Vec::new();
    };
    let place = sites.region(*at).key();
    let is = |token: &TokenTree| Region::from(token.span()).key() == place;
    let found = graphs.iter().find_map(|tokens| {
        let at = tokens.iter().position(is)?;
        Some((tokens, at))
    });
    let Some((tokens, at)) = found else {
        return Vec::new();
    };
    let ends =
        |token: &&TokenTree| !matches!(token, TokenTree::Punct(p) if ";=".contains(p.as_char()));
    let ty: TokenStream = tokens[at + 1..].iter().take_while(ends).cloned().collect();
    let all = counts(tokens.iter().cloned().collect());
    let (old, new) = (counts(ty), new.parse().map(counts).unwrap_or_default());
    let dims = tokens.windows(2).filter_map(|pair| match pair {
        [TokenTree::Ident(word), TokenTree::Ident(dim)] if word == "dim" => Some(dim.clone()),
        _ => None,
    });
    let alone = dims.filter(|dim| {
        let name = text(dim);
        // It stands in its declaration besides.
        let here = old.get(&name).copied().unwrap_or(0);
        here > 0 && all.get(&name) == Some(&(here + 1)) && !new.contains_key(&name)
    });
    alone.collect()
}

/// What stands in the braces of each graph.
fn graphs(input: &TokenStream) -> Vec<Vec<TokenTree>> {
    let tokens: Vec<TokenTree> = input.clone().into_iter().collect();
    let bodies = tokens.windows(3).filter_map(|three| match three {
        [
            TokenTree::Ident(word),
            TokenTree::Ident(_),
            TokenTree::Group(body),
        ] if word == "graph" && body.delimiter() == Delimiter::Brace => {
            Some(body.stream().into_iter().collect())
        }
        _ => None,
    });
    bodies.collect()
}

/// How often each name stands in `tokens`.
fn counts(tokens: TokenStream) -> BTreeMap<String, usize> {
    fn count(tokens: TokenStream, names: &mut BTreeMap<String, usize>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => count(group.stream(), names),
                TokenTree::Ident(name) => *names.entry(text(&name)).or_default() += 1,
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    let mut names = BTreeMap::new();
    count(tokens, &mut names);
    names
}

/// Fix number `at` of `fault` drops `dims`, too.
fn drop_dims(fault: &mut Fault, at: usize, dims: &[Ident], sites: &mut SiteTable) {
    let fix = &mut fault.fixes[at];
    let said = fix.text.clone();
    for dim in dims {
        fix.text += &format!(" and drop the dim `{}`", text(dim));
        let site = sites.push(dim);
        fix.edits.push(Edit::remove(site).of(Part::Statement));
    }
    if let Some(help) = &mut fault.help {
        *help = help.replacen(&said, &fix.text, 1);
    }
}
