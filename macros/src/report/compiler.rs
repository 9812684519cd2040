//! The source text as the compiler gives it.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use gpu_graph_analysis::model::Site;
use proc_macro2::{Span, TokenStream, TokenTree};

use super::SiteTable;
use super::site::{Combination, Origin};
use super::view::{Place, Point, SourceView};

/// Asks the compiler's spans. Outside of a procedural macro nothing is known.
pub struct Compiler<'a> {
    sites: &'a SiteTable,
    input: &'a TokenStream,
    call: OnceCell<Option<Text>>,
    tokens: OnceCell<Lines>,
}

/// Lines by file and number.
type Lines = BTreeMap<(String, usize), String>;

/// Text that begins at a place.
struct Text {
    place: Place,
    lines: Vec<String>,
}

impl<'a> Compiler<'a> {
    /// A view of what `input`, the macro's, was written as.
    pub fn new(sites: &'a SiteTable, input: &'a TokenStream) -> Self {
        Self {
            sites,
            input,
            call: OnceCell::new(),
            tokens: OnceCell::new(),
        }
    }

    /// A line of the macro call: its text is at hand in one piece, comments included.
    fn line_of_call(&self, file: &str, line: usize) -> Option<String> {
        let call = self.call.get_or_init(|| text(Span::call_site()));
        let call = call.as_ref().filter(|call| call.place.file == file)?;
        let index = line.checked_sub(call.place.start.line)?;
        let text = call.lines.get(index)?;
        let before = match index {
            0 => call.place.start.column - 1,
            _ => 0,
        };
        Some(" ".repeat(before) + text)
    }

    /// A line put together from the tokens on it, where the call was written by another macro.
    fn line_of_tokens(&self, file: &str, line: usize) -> Option<String> {
        let lines = self.tokens.get_or_init(|| {
            let mut lines = Lines::new();
            collect(self.input.clone(), &mut lines);
            lines
        });
        lines.get(&(file.to_owned(), line)).cloned()
    }
}

impl SourceView for Compiler<'_> {
    fn place(&self, site: Site) -> Option<Place> {
        let region = self.sites.region(site);
        let first = place(region.first)?;
        Some(match place(region.last) {
            Some(last) if last.file == first.file && last.end >= first.end => Place {
                end: last.end,
                ..first
            },
            _ => first,
        })
    }

    fn origin(&self, site: Site) -> Option<&Origin> {
        self.sites.origin(site)
    }

    fn combination(&self, number: usize) -> Option<&Combination> {
        self.sites.combination(number)
    }

    fn line(&self, file: &str, line: usize) -> Option<String> {
        self.line_of_call(file, line)
            .or_else(|| self.line_of_tokens(file, line))
    }
}

fn place(span: Span) -> Option<Place> {
    if !proc_macro::is_available() {
        return None;
    }
    let span = span.unwrap();
    let point = |at: proc_macro::Span| Point {
        line: at.line(),
        column: at.column(),
    };
    Some(Place {
        file: span.file(),
        start: point(span.start()),
        end: point(span.end()),
    })
}

fn text(span: Span) -> Option<Text> {
    let text = span.source_text()?;
    let lines = text.lines().map(str::to_owned).collect();
    let place = place(span)?;
    Some(Text { place, lines })
}

fn collect(tokens: TokenStream, lines: &mut Lines) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                put(group.span_open(), lines);
                collect(group.stream(), lines);
                put(group.span_close(), lines);
            }
            token => put(token.span(), lines),
        }
    }
}

/// Puts a token's text where it stands on its lines.
fn put(span: Span, lines: &mut Lines) {
    let Some(text) = text(span) else {
        return;
    };
    for (i, part) in text.lines.iter().enumerate() {
        let line = lines
            .entry((text.place.file.clone(), text.place.start.line + i))
            .or_default();
        let before = match i {
            0 => text.place.start.column - 1,
            _ => 0,
        };
        let there: Vec<char> = line.chars().collect();
        let end = before + part.chars().count();
        let left = there.iter().copied().chain(std::iter::repeat(' '));
        *line = left
            .take(before)
            .chain(part.chars())
            .chain(there.iter().copied().skip(end))
            .collect();
    }
}
