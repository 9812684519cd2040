//! What rendering needs to know of the source text.

use gpu_graph_analysis::model::Site;

use super::site::{Combination, Origin};

/// A position: line and column, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

/// Where a site is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Its file, as the compiler shows it.
    pub file: String,
    /// Its first character.
    pub start: Point,
    /// Behind its last character.
    pub end: Point,
}

/// The source text, as far as it is known.
pub trait SourceView {
    /// Where `site` is, if that is known.
    fn place(&self, site: Site) -> Option<Place>;

    /// The text of a line, if that is known.
    fn line(&self, file: &str, line: usize) -> Option<String>;

    /// From where the place of `site` was looked at.
    fn origin(&self, site: Site) -> Option<&Origin>;

    /// The combination of variants of that number.
    fn combination(&self, number: usize) -> Option<&Combination>;
}
