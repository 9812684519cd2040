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
    /// All words in front of the place, as the `recompute let` of `recompute let x`.
    WordsBefore,
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
    /// Names that the edits make up, as they stand there: they may be taken.
    pub invented: Vec<String>,
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
        Self {
            text,
            edits,
            invented: Vec::new(),
        }
    }

    /// The same, where `names` are made up: [`settle`](Self::settle) finds others for those that
    /// are taken.
    pub fn inventing(self, names: impl IntoIterator<Item = String>) -> Self {
        let invented = names.into_iter().collect();
        Self { invented, ..self }
    }

    /// Gives what is made up names that are not `taken`.
    pub fn settle(&mut self, taken: &dyn Fn(&str) -> bool) {
        for at in 0..self.invented.len() {
            let name = self.invented[at].clone();
            let others = &self.invented;
            let mut numbered = (2u32..).map(|number| numbered(&name, number));
            let free = |n: &String| !taken(n) && !others.contains(n);
            let Some(free) = taken(&name).then(|| numbered.find(free)).flatten() else {
                continue;
            };
            self.text = renamed(&self.text, &name, &free);
            for edit in &mut self.edits {
                if let Change::Replace(text) | Change::Before(text) | Change::Behind(text) =
                    &mut edit.change
                {
                    *text = renamed(text, &name, &free);
                }
            }
            self.invented[at] = free;
        }
    }

    /// The same at places of another kind.
    pub fn map<Q>(self, place: &mut impl FnMut(P) -> Q) -> Fix<Q> {
        Fix {
            invented: self.invented,
            text: self.text,
            edits: self.edits.into_iter().map(|e| e.map(place)).collect(),
        }
    }
}

/// `blur_2` after `blur`, `Edges2` after `Edges`, whatever number stands there already.
fn numbered(name: &str, number: u32) -> String {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let (stem, had) = match stem.strip_suffix('_') {
        Some(plain) if stem.len() < name.len() => (plain, true),
        _ => (stem, false),
    };
    let camel = stem.starts_with(char::is_uppercase) && !had;
    let sign = if camel { "" } else { "_" };
    format!("{stem}{sign}{number}")
}

/// `text` with `to` wherever the word `from` stands.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let of_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(from) {
        let (before, behind) = (&rest[..at], &rest[at + from.len()..]);
        let inside = before.ends_with(of_word) || behind.starts_with(of_word);
        out.push_str(before);
        out.push_str(if inside { from } else { to });
        rest = behind;
    }
    out + rest
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

    #[test]
    fn what_is_made_up_is_free() {
        let labels = ["'blur", "'blur_2"].map(str::to_owned);
        let edits = [
            Edit::before(1, "'blur: "),
            Edit::before(2, "'blur_2: "),
            Edit::behind(3, " order 'blur -> 'blur_2;"),
        ];
        let words = "label the calls with `{}` and `{}`, and declare `{}`";
        let mut fix = Fix::new(words, edits).inventing(labels);
        fix.settle(&|name| ["'blur", "'blur_3"].contains(&name));
        assert_eq!(
            fix.text,
            "label the calls with `'blur_4:` and `'blur_2:`, and declare `order 'blur_4 -> 'blur_2;`"
        );
        assert_eq!(fix.edits[2].text(), " order 'blur_4 -> 'blur_2;");
        assert_eq!(numbered("Edges", 2), "Edges2");
        assert_eq!(numbered("Edges2", 3), "Edges3");
        assert_eq!(numbered("x_2", 3), "x_3");
    }
}
