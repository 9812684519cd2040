//! Faults: what is refused, where, and what would mend it.
//!
//! Every text a user reads is made here, one constructor for each way to be wrong, grouped as the
//! codes are ([`names`], [`profiles`], [`cuda`], [`storage`], [`workspaces`],
//! [`recompute`], [`calls`], [`scalars`], [`moves`] and
//! [`escapes`], [`sizes`], [`facade`], [`stages`], [`variants`], [`formulas`], [`unknown`]), or beside the phase
//! that finds it (order, alias, workspaces, budget). The macro only renders. [`ALL`] is the registry
//! of codes.
//!
//! A message states the fact: lowercase, no full stop, names in backticks. Notes say what is behind
//! it, the help is a mend: [`Fault::fix`] where it can be applied as it stands, and is by a test,
//! which expands again and finds nothing; [`Fault::help`] where only advice is possible.

pub mod calls;
mod code;
pub mod cuda;
pub mod escapes;
pub mod facade;
mod fix;
pub mod formulas;
pub mod moves;
pub mod names;
pub(crate) mod narrow;
pub mod profiles;
mod raw;
pub mod recompute;
pub mod scalars;
pub mod sizes;
pub mod stages;
pub mod storage;
mod suggest;
pub mod unknown;
pub mod variants;
pub mod workspaces;

pub use code::*;
pub use fix::{Change, Edit, Fix, Part};
pub use raw::raw;
pub use suggest::{closest, shortened};

use crate::model::Site;

/// A place beside the main one, with what it has to do with the fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub site: Site,
    /// What is there, without a full stop.
    pub text: String,
}

/// One fault.
///
/// ```
/// use gpu_graph_analysis::fault::{self, Fault};
/// use gpu_graph_analysis::model::Site;
/// let fault = Fault::new(fault::SYNTAX, Site(0), "a dim needs a range")
///     .fix("write `h {}`", [fault::Edit::behind(Site(0), " in 1..=4096")]);
/// assert_eq!(fault.code.to_string(), "GG0101");
/// assert_eq!(fault.help.as_deref(), Some("write `h in 1..=4096`"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a fault that nobody reports is lost"]
pub struct Fault {
    /// Its code.
    pub code: Code,
    /// The smallest place that is wrong.
    pub site: Site,
    /// What is wrong: lowercase, names in backticks, no full stop.
    pub message: String,
    /// Said at `site` itself, where that adds something; may be empty.
    pub here: String,
    /// Other places that explain it.
    pub labels: Vec<Label>,
    /// Facts behind it.
    pub notes: Vec<String>,
    /// What would mend it; where there are several ways, all of them in one text.
    pub help: Option<String>,
    /// The ways in [`help`](Self::help) that are changes of the text. Each of them compiles.
    pub fixes: Vec<Fix>,
}

impl Fault {
    /// A fault with nothing beside its message.
    pub fn new(code: Code, site: Site, message: impl Into<String>) -> Self {
        Self {
            code,
            site,
            message: message.into(),
            here: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            fixes: Vec::new(),
        }
    }

    /// It says that the type of what is at `site` is not the one that is needed.
    pub fn is_of_type(&self, site: Site) -> bool {
        self.site == site && [ELEM, RANK, EXTENT].contains(&self.code)
    }

    /// Says `text` at the main place.
    pub fn here(mut self, text: impl Into<String>) -> Self {
        self.here = text.into();
        self
    }

    /// Says `text` at another place.
    pub fn label(mut self, site: Site, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            site,
            text: text.into(),
        });
        self
    }

    /// Adds a fact behind it.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds advice: a way to mend it that is no change of the text alone, because what to write
    /// is the user's to decide.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        self.help = Some(match self.help.take() {
            Some(other) => format!("{other}, or {text}"),
            None => text,
        });
        self
    }

    /// Adds a mend as edits, said in `words`; see [`Fix::new`].
    pub fn fix(self, words: &str, edits: impl IntoIterator<Item = Edit>) -> Self {
        self.with(Fix::new(words, edits))
    }

    /// Adds `fix`, if there is one, and the advice.
    pub(crate) fn fix_or(self, fix: Option<Fix>, advice: impl Into<String>) -> Self {
        let fault = match fix {
            Some(fix) => self.with(fix),
            None => self,
        };
        fault.help(advice)
    }

    /// Gives what the mends make up names that are not `taken`.
    pub fn settle(&mut self, taken: &dyn Fn(&str) -> bool) {
        for fix in &mut self.fixes {
            let said = fix.text.clone();
            fix.settle(taken);
            if let Some(help) = &mut self.help {
                *help = help.replacen(&said, &fix.text, 1);
            }
        }
    }

    /// The same fault was found again, as `other`: a mend that gives a dim other bounds mends both.
    pub fn also(&mut self, other: &Fault) {
        for fix in &mut self.fixes {
            let joined = other.fixes.iter().find_map(|o| narrow::joined([fix, o]));
            if let Some(joined) = joined {
                if let Some(help) = &mut self.help {
                    *help = help.replacen(&fix.text, &joined.text, 1);
                }
                *fix = joined;
            }
        }
    }

    /// The same slip stands at `at`, too: one mend is of all places.
    pub fn everywhere(&mut self, at: Site) {
        for fix in &mut self.fixes {
            let Some(written) = fix.edits.first().map(|edit| edit.text().to_owned()) else {
                continue;
            };
            fix.edits.push(Edit::replace(at, written.clone()));
            let places = format!("`{written}` in each of {} places", fix.edits.len());
            let text = match fix.text.starts_with("did you mean ") {
                true => format!("did you mean {places}?"),
                false => format!("write {places}"),
            };
            if let Some(help) = &mut self.help {
                *help = help.replacen(&fix.text, &text, 1);
            }
            fix.text = text;
        }
    }

    /// Takes away the mends that are `wrong`, which do not go where it is reported.
    pub fn without(mut self, wrong: impl Fn(&Fix) -> bool) -> Self {
        let (wrong, fixes): (Vec<_>, Vec<_>) = self.fixes.into_iter().partition(wrong);
        self.fixes = fixes;
        for Fix { text, .. } in wrong {
            let rest = |help: String| {
                let help = help.replacen(&format!("{text}, or "), "", 1);
                let help = help.replacen(&format!(", or {text}"), "", 1);
                (help != text).then_some(help)
            };
            self.help = self.help.take().and_then(rest);
        }
        self
    }

    /// Adds a mend that was made before.
    pub fn with(self, fix: Fix) -> Self {
        let mut fault = self.help(fix.text.clone());
        fault.fixes.push(fix);
        fault
    }
}

/// `1 pair`, `2 pairs`.
/// `1 thing`, `2 things`.
pub fn counted(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

/// `` `1` row ``, `` `n` rows ``.
pub(crate) fn numbered(count: &str, what: &str) -> String {
    let s = if count == "1" { "" } else { "s" };
    format!("`{count}` {what}{s}")
}

/// `a`, `b` and `c`, each in backticks, the list cut after `most`.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>, most: usize) -> String {
    let names: Vec<_> = names.into_iter().collect();
    let shown = names.len().min(most);
    let more = names.len() - shown;
    let mut text = String::new();
    for (i, name) in names.iter().take(shown).enumerate() {
        let last = i + 1 == shown && more == 0;
        text += if i == 0 {
            ""
        } else if last {
            " and "
        } else {
            ", "
        };
        text += &format!("`{name}`");
    }
    if more > 0 {
        text += &format!(" and {more} more");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_order_and_have_one_title_each() {
        assert!(ALL.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let mut titles: Vec<_> = ALL.iter().map(|(_, title)| *title).collect();
        titles.sort_unstable();
        titles.dedup();
        assert_eq!(titles.len(), ALL.len());
        assert!(
            titles
                .iter()
                .all(|t| t.starts_with(|c: char| c.is_lowercase() || c == '`'))
        );
    }

    #[test]
    fn a_mend_that_is_taken_away_leaves_the_others() {
        let edit = |text: &str| [Edit::replace(Site(0), text)];
        let fault = || Fault::new(SYNTAX, Site(0), "m").fix("write `{}`", edit("a"));
        let two = || fault().help("ask").fix("say `{}`", edit("b"));
        let without = |fault: Fault, text: &str| fault.without(|f| f.text == text).help;
        assert_eq!(without(fault(), "write `a`"), None);
        assert_eq!(
            without(two(), "write `a`").as_deref(),
            Some("ask, or say `b`")
        );
        assert_eq!(
            without(two(), "say `b`").as_deref(),
            Some("write `a`, or ask")
        );
        assert_eq!(two().without(|_| true).fixes, []);
    }

    #[test]
    fn lists_read_as_text() {
        assert_eq!(list(["a"], 3), "`a`");
        assert_eq!(list(["a", "b", "c"], 3), "`a`, `b` and `c`");
        assert_eq!(list(["a", "b", "c", "d"], 2), "`a`, `b` and 2 more");
    }
}
