//! Why something could not be read.

use gpu_graph_analysis::fault::{Edit, Fault, Fix, Part, formulas, names, scalars, stages};
use proc_macro2::{Delimiter, Spacing};
use syn::buffer::Cursor;

use crate::report::SiteTable;
use crate::span::Region;

/// What reading gives.
pub type Result<T> = std::result::Result<T, Fail>;

/// A fault before its places have sites.
pub struct Fail(Box<Inner>);

struct Inner {
    kind: Kind,
    between: bool,
    keyword: Option<String>,
    region: Region,
    labels: Vec<(Region, String)>,
    notes: Vec<String>,
    mends: Vec<Mend>,
    beside: Vec<Fail>,
}

enum Mend {
    Advice(String),
    Fix(Fix<Region>),
}

enum Kind {
    Syntax(String),
    NotYet(String),
    Outside(String),
    Repeated(String, Region, Part),
    Computed,
    Misplaced(String, String),
}

impl Fail {
    /// The input does not follow the grammar at `region`.
    pub fn new(region: impl Into<Region>, message: impl Into<String>) -> Self {
        Self::of(region, Kind::Syntax(message.into()))
    }

    /// `word` is known, and cannot be used yet.
    pub fn not_yet(region: impl Into<Region>, word: impl Into<String>) -> Self {
        Self::of(region, Kind::NotYet(word.into()))
    }

    /// What the statement `word` sets is set at `first` already.
    pub fn repeated(region: impl Into<Region>, word: &str, first: impl Into<Region>) -> Self {
        let first = first.into();
        Self::of(
            region,
            Kind::Repeated(word.to_owned(), first, Part::Statement),
        )
    }

    /// What the clause `word` says is said at `first` already.
    pub fn repeated_clause(
        region: impl Into<Region>,
        word: &str,
        first: impl Into<Region>,
    ) -> Self {
        let first = first.into();
        Self::of(region, Kind::Repeated(word.to_owned(), first, Part::Entry))
    }

    /// What `word` says is said of a graph, and stands `inside` something else.
    pub fn misplaced(region: impl Into<Region>, word: &str, inside: &str) -> Self {
        Self::of(region, Kind::Misplaced(word.to_owned(), inside.to_owned()))
    }

    /// An argument is computed from a scalar, or from what only a scalar can be.
    pub fn computed(region: impl Into<Region>) -> Self {
        Self::of(region, Kind::Computed)
    }

    /// What stands where `cursor` is, is no part of an expression kernel.
    pub fn outside(cursor: Cursor) -> Self {
        let (region, found) = found(cursor);
        Self::outside_of(region, found)
    }

    /// `what` at `region` is no part of an expression kernel.
    pub fn outside_of(region: impl Into<Region>, what: impl Into<String>) -> Self {
        Self::of(region, Kind::Outside(what.into()))
    }

    fn of(region: impl Into<Region>, kind: Kind) -> Self {
        Self(Box::new(Inner {
            kind,
            between: false,
            keyword: None,
            region: region.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            mends: Vec::new(),
            beside: Vec::new(),
        }))
    }

    /// Something stands where nothing can.
    pub fn unexpected(cursor: Cursor) -> Self {
        let (region, found) = found(cursor);
        Self::new(region, format!("unexpected {found}"))
    }

    /// `what` should stand where `cursor` is.
    pub fn expected(cursor: Cursor, what: &str) -> Self {
        let (region, found) = found(cursor);
        Self::new(region, format!("expected {what}, found {found}"))
    }

    /// With another place.
    pub fn label(mut self, region: impl Into<Region>, text: impl Into<String>) -> Self {
        self.0.labels.push((region.into(), text.into()));
        self
    }

    /// With a fact.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.0.notes.push(text.into());
        self
    }

    /// With advice, where what to write is the user's to decide.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.0.mends.push(Mend::Advice(text.into()));
        self
    }

    /// With a mend as edits, said in `words`; see [`Fix::new`].
    pub fn fix(mut self, words: &str, edits: impl IntoIterator<Item = Edit<Region>>) -> Self {
        self.0.mends.push(Mend::Fix(Fix::new(words, edits)));
        self
    }

    /// Only a separator is missing: what follows can be read.
    pub fn between(mut self) -> Self {
        self.0.between = true;
        self
    }

    /// See [`between`](Self::between).
    pub fn is_between(&self) -> bool {
        self.0.between
    }

    /// With others that were found in the same construct.
    pub fn beside(mut self, others: impl IntoIterator<Item = Fail>) -> Self {
        self.0.beside.extend(others);
        self
    }

    /// Takes what was found beside it.
    pub fn take_beside(&mut self) -> Vec<Fail> {
        std::mem::take(&mut self.0.beside)
    }

    /// The keyword stands for a name that is used, perhaps in several places.
    pub fn for_name(mut self, keyword: &str) -> Self {
        self.0.keyword = Some(keyword.to_owned());
        self
    }

    /// See [`for_name`](Self::for_name).
    pub fn keyword(&self) -> Option<&str> {
        self.0.keyword.as_deref()
    }

    /// The name stands where `other` was found, too: one mend is of all places.
    pub fn also(&mut self, other: &Fail) {
        for mend in &mut self.0.mends {
            if let Mend::Fix(fix) = mend
                && let Some(written) = fix.edits.first().map(|edit| edit.text().to_owned())
            {
                fix.edits
                    .push(Edit::replace(other.0.region, written.clone()));
                fix.text = format!("write `{written}` in each of {} places", fix.edits.len());
            }
        }
    }

    /// The fault to report.
    pub fn into_fault(self, sites: &mut SiteTable) -> Fault {
        let inner = *self.0;
        let site = sites.push(inner.region);
        let mut fault = match inner.kind {
            Kind::Syntax(message) => names::syntax(site, message),
            Kind::NotYet(word) => names::not_yet(site, &word),
            Kind::Computed => scalars::computed(site),
            Kind::Misplaced(word, inside) => stages::misplaced(site, &word, &inside),
            Kind::Outside(what) => formulas::outside(site, &what),
            Kind::Repeated(word, first, part) => {
                names::repeated(site, &word, sites.push(first), part)
            }
        };
        for (region, text) in inner.labels {
            fault = fault.label(sites.push(region), text);
        }
        for note in inner.notes {
            fault = fault.note(note);
        }
        for mend in inner.mends {
            fault = match mend {
                Mend::Advice(text) => fault.help(text),
                Mend::Fix(fix) => fault.with(fix.map(&mut |region| sites.push(region))),
            };
        }
        fault
    }
}

impl From<syn::Error> for Fail {
    fn from(error: syn::Error) -> Self {
        Self::new(error.span(), error.to_string())
    }
}

/// The token at `cursor`, and what to call it.
fn found(cursor: Cursor) -> (Region, String) {
    if let Some((label, _)) = cursor.lifetime() {
        return ((&label).into(), format!("`{label}`"));
    }
    if let Some((name, _)) = cursor.ident() {
        return ((&name).into(), format!("`{name}`"));
    }
    if let Some((literal, _)) = cursor.literal() {
        let text = literal.to_string();
        let short = text.len() <= 40 && !text.contains('\n');
        let found = if short {
            format!("`{text}`")
        } else {
            "a literal".to_owned()
        };
        return (literal.span().into(), found);
    }
    if cursor.punct().is_some() {
        return found_punct(cursor);
    }
    for (delimiter, open) in [
        (Delimiter::Parenthesis, "`(`"),
        (Delimiter::Bracket, "`[`"),
        (Delimiter::Brace, "`{`"),
    ] {
        if let Some((_, span, _)) = cursor.group(delimiter) {
            return (span.open().into(), open.to_owned());
        }
    }
    // The span of an end is that of the delimiter that closes.
    let span = cursor.span();
    let found = match span.source_text() {
        Some(text) if matches!(&*text, ")" | "]" | "}") => format!("`{text}`"),
        _ => "the end".to_owned(),
    };
    (span.into(), found)
}

/// An operator of one or more characters, as Rust would read it.
fn found_punct(mut cursor: Cursor) -> (Region, String) {
    let mut region: Option<Region> = None;
    let mut text = String::new();
    while let Some((punct, rest)) = cursor.punct() {
        let span = punct.span();
        region = Some(region.map_or_else(|| span.into(), |r| r.to(span)));
        text.push(punct.as_char());
        cursor = rest;
        if punct.spacing() == Spacing::Alone || text.len() == 3 {
            break;
        }
    }
    let region = region.unwrap_or_else(|| cursor.span().into());
    (region, format!("`{text}`"))
}
