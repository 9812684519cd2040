//! What was decided about a graph, and why.

use std::fmt;

/// The decision record of a graph, made at build time. [`Display`](fmt::Display) is the text.
///
/// ```
/// # use gpu_graph_runtime::graph::Record;
/// const RECORD: Record = Record::new("graph Blur\n", "digraph Blur {}\n");
/// assert_eq!(RECORD.to_string(), "graph Blur\n");
/// assert!(RECORD.dot().starts_with("digraph"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Record {
    text: &'static str,
    dot: &'static str,
}

impl Record {
    #[doc(hidden)]
    pub const fn new(text: &'static str, dot: &'static str) -> Self {
        Self { text, dot }
    }

    /// The record as text, for people and for comparison.
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// The graph in DOT: tasks, dependencies, streams, storage.
    pub const fn dot(&self) -> &'static str {
        self.dot
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}
