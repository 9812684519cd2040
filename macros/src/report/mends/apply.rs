//! Edits, applied to the text that their places point into.

use std::ops::Range;

use gpu_graph_analysis::fault::{Change, Edit, Fix, Part};
use gpu_graph_analysis::model::Site;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::SiteTable;

/// `text` with the edits of `fix`.
pub fn apply(text: &str, fix: &Fix, sites: &SiteTable) -> String {
    let tokens: TokenStream = text.parse().expect("it was read before");
    let source = Source { text, tokens };
    let mut changes = Vec::new();
    for edit in &fix.edits {
        source.changes(edit, sites, &mut changes);
    }
    changes.sort_by_key(|(range, _)| (range.start, range.end));
    // Two entries of one list may both take the comma between them.
    changes.dedup_by(|next, kept| {
        let both = next.1.is_empty() && kept.1.is_empty() && next.0.start < kept.0.end;
        if both {
            kept.0.end = kept.0.end.max(next.0.end);
        }
        both
    });
    // From the end, so that what is before stays where it is.
    let mut text = text.to_owned();
    for (range, with) in changes.iter().rev() {
        text.replace_range(range.clone(), with);
    }
    text
}

struct Source<'a> {
    text: &'a str,
    tokens: TokenStream,
}

/// Tokens side by side, and which of them a place begins with.
struct Level {
    delimiter: Delimiter,
    tokens: Vec<TokenTree>,
    at: usize,
}

impl Source<'_> {
    fn changes(&self, edit: &Edit, sites: &SiteTable, out: &mut Vec<(Range<usize>, String)>) {
        let place = range(edit.at, sites);
        let part = self.part(&place, edit.part);
        match &edit.change {
            Change::Replace(text) => out.push((part, text.clone())),
            Change::Before(text) if edit.part == Part::Body => {
                let comma = if self.text[part.clone()].trim().is_empty() {
                    ""
                } else {
                    ", "
                };
                out.push((part.start..part.start, format!(" {text}{comma}")));
            }
            Change::Before(text) => out.push((part.start..part.start, text.clone())),
            Change::Behind(text) => out.push((part.end..part.end, text.clone())),
            Change::MoveBefore(to) => {
                let to = self.part(&range(*to, sites), Part::Statement);
                out.push((
                    to.start..to.start,
                    format!("{}\n", &self.text[part.clone()]),
                ));
                out.push((part, String::new()));
            }
        }
    }

    fn part(&self, place: &Range<usize>, part: Part) -> Range<usize> {
        let levels = levels(&self.tokens, place);
        let inner = levels.last().expect("the outermost is always there");
        let token = |i: usize| inner.tokens[i].span().byte_range();
        match part {
            Part::Place => place.clone(),
            Part::WordBefore => token(inner.at - 1),
            Part::WordsBefore => {
                let word = |t: &TokenTree| matches!(t, TokenTree::Ident(_));
                let words = inner.tokens[..inner.at].iter().rev();
                let count = words.take_while(|t| word(t)).count();
                token(inner.at - count).start..token(inner.at - 1).end
            }
            Part::TypeBehind => {
                assert_eq!(inner.tokens[inner.at + 1].to_string(), ":");
                let mut ty = token(inner.at + 2);
                // `bytes(4 * n)` of a workspace.
                if let Some(TokenTree::Group(size)) = inner.tokens.get(inner.at + 3)
                    && size.delimiter() == Delimiter::Parenthesis
                {
                    ty.end = size.span_close().byte_range().end;
                }
                ty
            }
            Part::Parameters => {
                let behind = &inner.tokens[inner.at + 1];
                assert!(
                    matches!(behind, TokenTree::Group(g) if g.delimiter() == Delimiter::Parenthesis)
                );
                token(inner.at + 1)
            }
            Part::Body => {
                let mut behind = inner.tokens[inner.at..].iter();
                let inside = behind.find_map(|token| match token {
                    TokenTree::Group(g) if g.delimiter() == Delimiter::Brace => {
                        Some(g.span_open().byte_range().end..g.span_close().byte_range().start)
                    }
                    _ => None,
                });
                inside.expect("braces stand behind the place")
            }
            Part::Entry => entry(inner),
            Part::Statement => {
                let mut outward = levels.iter().rev();
                let level = outward.find(|l| l.delimiter == Delimiter::Brace);
                statement(level.expect("a statement stands in braces"))
            }
        }
    }
}

fn range(site: Site, sites: &SiteTable) -> Range<usize> {
    let region = sites.region(site);
    region.first.byte_range().start..region.last.byte_range().end
}

/// The groups around `place`, the outermost first.
fn levels(tokens: &TokenStream, place: &Range<usize>) -> Vec<Level> {
    let (mut levels, mut stream) = (Vec::new(), tokens.clone());
    let mut delimiter = Delimiter::None;
    loop {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let span = |t: &TokenTree| t.span().byte_range();
        let at = tokens.iter().position(|t| span(t).end > place.start);
        let at = at.unwrap_or(tokens.len());
        let inside = tokens.get(at).and_then(|token| match token {
            TokenTree::Group(g) => {
                let within = g.span_open().byte_range().end <= place.start
                    && place.end <= g.span_close().byte_range().start;
                within.then(|| (g.delimiter(), g.stream()))
            }
            _ => None,
        });
        levels.push(Level {
            delimiter,
            tokens,
            at,
        });
        match inside {
            Some((next, inner)) => (delimiter, stream) = (next, inner),
            None => return levels,
        }
    }
}

fn is(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(p) if p.as_char() == sign)
}

/// With the comma behind it, or else the one before it.
fn entry(level: &Level) -> Range<usize> {
    let span = |i: usize| level.tokens[i].span().byte_range();
    let before = level.tokens[..level.at].iter().rposition(|t| is(t, ','));
    let behind = level.tokens[level.at..].iter().position(|t| is(t, ','));
    let first = before.map_or(0, |comma| comma + 1);
    match (before, behind) {
        (_, Some(comma)) => span(first).start..span(level.at + comma).end,
        (Some(comma), None) => span(comma).start..span(level.tokens.len() - 1).end,
        (None, None) => span(first).start..span(level.tokens.len() - 1).end,
    }
}

fn statement(level: &Level) -> Range<usize> {
    let ends = |t: &TokenTree| {
        is(t, ';') || matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace)
    };
    let before = level.tokens[..level.at].iter().rposition(ends);
    let mut first = before.map_or(0, |end| end + 1);
    while is(&level.tokens[first], '#') {
        first += 2;
    }
    let end = level.tokens[level.at..].iter().position(ends);
    let last = end.map_or(level.tokens.len() - 1, |end| level.at + end);
    let span = |i: usize| level.tokens[i].span().byte_range();
    span(first).start..span(last).end
}
