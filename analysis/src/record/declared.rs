//! What the graph declares, in the record.

use std::fmt::{self, Formatter};

use super::Record;
use super::text::{LONG, SHORT, list, more};
use crate::declared::Issue;

impl Record {
    pub(super) fn declared(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let declared = &self.declared;
        if declared.is_empty() {
            return Ok(());
        }
        writeln!(f, "\ndeclared")?;
        if let Some(minimize) = &declared.minimize {
            writeln!(f, "  minimize       {minimize}")?;
        }
        if let Some(scope) = &declared.scope {
            writeln!(f, "  scope          {scope}")?;
        }
        if let Some(target) = declared.target {
            writeln!(f, "  target         {target}")?;
        }
        if let Some(issue) = declared.issue {
            let how = match issue {
                Issue::Streams => "each op by itself, to its stream",
                Issue::Graph => {
                    "a run is one launch where the device has graphs, with equal results"
                }
            };
            writeln!(f, "  issue          {issue}: {how}")?;
        }
        for tolerance in &declared.tolerances {
            let (output, text) = (&tolerance.output, &tolerance.text);
            writeln!(f, "  tolerance      `{output}`: {text}")?;
        }
        if !declared.finite.is_empty() {
            let names = declared.finite.iter().map(String::as_str);
            let names = list(names, 3 * SHORT);
            writeln!(f, "  finite         {names}, checked at every run")?;
        }
        let known = declared.costs.iter();
        let known = known.filter_map(|(name, cost)| Some((name, cost.as_ref()?)));
        let count = known.clone().count();
        for (name, cost) in known.take(LONG) {
            writeln!(f, "  cost           `{name}`: {} a launch", cost.text)?;
        }
        more(f, count, LONG, "costs")?;
        let unknown = declared.costs.iter().filter(|(_, cost)| cost.is_none());
        let unknown: Vec<_> = unknown.map(|(name, _)| name.as_str()).collect();
        if !unknown.is_empty() {
            let names = list(unknown.into_iter(), 3 * SHORT);
            writeln!(f, "  cost unknown   {names}")?;
        }
        Ok(())
    }
}
