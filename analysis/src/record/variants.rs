//! The records of a graph's variants, as one text.

use std::fmt::{self, Display, Formatter};

use super::Record;
use crate::layout::sizes::rounded;

/// The records of all combinations of a graph's variants, under their names.
pub struct Variants<'a>(pub Vec<(&'a str, &'a Record)>);

impl Display for Variants<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Some((_, first)) = self.0.first() else {
            return Ok(());
        };
        let most = self.0.iter().map(|(_, record)| record.arena).max();
        let combinations = self.0.len();
        writeln!(
            f,
            "graph {}: {combinations} combinations of variants",
            first.graph
        )?;
        writeln!(f, "\nstorage of all")?;
        writeln!(f, "  arena          {}", rounded(most.unwrap_or(0)))?;
        for (name, record) in &self.0 {
            writeln!(f, "    {name}: {}", rounded(record.arena))?;
        }
        writeln!(
            f,
            "  one range      a run is of one combination, and begins when the run before it on \
             the instance is over"
        )?;
        for (name, record) in &self.0 {
            writeln!(f, "\nvariant {name}")?;
            record.body(f)?;
        }
        super::words::words(f)
    }
}

impl Variants<'_> {
    /// Each as a graph of its own in the DOT language, one behind the other.
    pub fn dot(&self) -> String {
        let all = self.0.iter().map(|(name, record)| {
            let dot = record.dot();
            format!("// {name}\n{dot}")
        });
        all.collect()
    }
}
