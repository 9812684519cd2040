//! Mends as changes of the text, which a tool, or a test, can apply.
//!
//! The words of a [`Fix`] take what is to be written from its edits, so that the help a user reads
//! and the change it stands for cannot disagree. Places are [`Site`]s, or whatever else says where
//! something stands before it has a site.

use crate::model::Site;

/// What an edit touches, seen from its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The place itself.
    Place,
    /// The word in front of the place, as the `let` of `let x`.
    WordBefore,
    /// The bracketed type behind the place, as the `[f32; n]` of `x: [f32; n]`.
    TypeBehind,
    /// The parentheses behind the place, as the parameters behind a kernel's name.
    Parameters,
    /// The inside of the first braces behind the place, as the clauses behind a kernel's name.
    Body,
    /// The entry that the place is or stands in, in a list with commas.
    Entry,
    /// The statement that the place stands in, with its semicolon and label, without documentation.
    Statement,
}

/// What is done there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change<P = Site> {
    /// The text stands instead of the part; without any text, the part goes.
    Replace(String),
    /// The text stands before the part, inside of it if that is a [`Body`](Part::Body).
    Before(String),
    /// The text stands behind the part.
    Behind(String),
    /// The part stands before the statement of another place.
    MoveBefore(P),
}

/// One change of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit<P = Site> {
    /// Where.
    pub at: P,
    /// Which part there.
    pub part: Part,
    /// What is done to it.
    pub change: Change<P>,
}

impl<P> Edit<P> {
    fn new(at: P, change: Change<P>) -> Self {
        Self {
            at,
            part: Part::Place,
            change,
        }
    }

    /// `text` instead of what is at `at`.
    pub fn replace(at: P, text: impl Into<String>) -> Self {
        Self::new(at, Change::Replace(text.into()))
    }

    /// Nothing instead of what is at `at`.
    pub fn remove(at: P) -> Self {
        Self::replace(at, "")
    }

    /// `text` right before what is at `at`.
    pub fn before(at: P, text: impl Into<String>) -> Self {
        Self::new(at, Change::Before(text.into()))
    }

    /// `text` right behind what is at `at`.
    pub fn behind(at: P, text: impl Into<String>) -> Self {
        Self::new(at, Change::Behind(text.into()))
    }

    /// The statement around `at` goes before the one around `to`.
    pub fn move_statement(at: P, to: P) -> Self {
        Self::new(at, Change::MoveBefore(to)).of(Part::Statement)
    }

    /// Of another part than the place itself.
    pub fn of(mut self, part: Part) -> Self {
        self.part = part;
        self
    }

    /// What it writes.
    pub fn text(&self) -> &str {
        match &self.change {
            Change::Replace(text) | Change::Before(text) | Change::Behind(text) => text,
            Change::MoveBefore(_) => "",
        }
    }

    /// The same at places of another kind.
    pub fn map<Q>(self, place: &mut impl FnMut(P) -> Q) -> Edit<Q> {
        Edit {
            at: place(self.at),
            part: self.part,
            change: match self.change {
                Change::Replace(text) => Change::Replace(text),
                Change::Before(text) => Change::Before(text),
                Change::Behind(text) => Change::Behind(text),
                Change::MoveBefore(to) => Change::MoveBefore(place(to)),
            },
        }
    }
}

/// Edits that together mend a fault, and how that is said.
///
/// ```
/// use gpu_graph_analysis::fault::{Edit, Fix};
/// use gpu_graph_analysis::model::Site;
/// let fix = Fix::new("did you mean `{}`?", [Edit::replace(Site(3), "blur")]);
/// assert_eq!(fix.text, "did you mean `blur`?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix<P = Site> {
    /// What a user reads.
    pub text: String,
    /// What is to be done, at least one edit.
    pub edits: Vec<Edit<P>>,
}

impl<P> Fix<P> {
    /// `edits`, said in `words`, where each `{}` becomes the text of the next edit.
    pub fn new(words: &str, edits: impl IntoIterator<Item = Edit<P>>) -> Self {
        let edits: Vec<_> = edits.into_iter().collect();
        debug_assert!(!edits.is_empty(), "no edits in `{words}`");
        let mut written = edits.iter().map(|edit| edit.text().trim());
        let mut parts = words.split("{}");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            text.push_str(written.next().unwrap_or_default());
            text.push_str(part);
        }
        Self { text, edits }
    }

    /// The same at places of another kind.
    pub fn map<Q>(self, place: &mut impl FnMut(P) -> Q) -> Fix<Q> {
        Fix {
            text: self.text,
            edits: self.edits.into_iter().map(|e| e.map(place)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_take_what_is_written_from_the_edits() {
        let edits = [Edit::before(1, "'a: "), Edit::replace(2, "{}")];
        let fix = Fix::new("write `{}` and `{}`", edits);
        assert_eq!(fix.text, "write `'a:` and `{}`");
        let moved = Fix::new("move it", [Edit::move_statement(1, 2)]).map(&mut |p| p + 1);
        assert_eq!(moved.edits, [Edit::move_statement(2, 3)]);
    }
}
