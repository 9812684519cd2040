//! Faults: what is refused, where, and what would mend it. Every text a user reads lives here or
//! beside the rule that finds it; the macro only renders.

use crate::model::Site;

/// Code of a fault, as in `GG0203`. Each has a page in `docs/errors`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub u16);

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GG{:04}", self.0)
    }
}

/// A place beside the main one, with what it has to do with the fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub site: Site,
    /// What is there, without a full stop.
    pub text: String,
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// A mend that compiles.
    pub help: Option<String>,
}
