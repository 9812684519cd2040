//! The record as a graph in the DOT language.

use std::fmt::Write;

use super::Record;
use crate::model::TaskId;

/// Tasks drawn; the others are counted.
const TASKS: usize = 512;

impl Record {
    /// Tasks in issue order with their streams; dependencies solid, edges that streams add dashed,
    /// shared storage dotted, from the last users of one resource to the first of the next.
    pub fn dot(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_dot(&mut out);
        out
    }

    fn write_dot(&self, out: &mut String) -> std::fmt::Result {
        let mut drawn = vec![false; self.tasks.len()];
        writeln!(out, "digraph {} {{", quoted(&self.graph))?;
        writeln!(out, "  node [shape=box];")?;
        for &t in self.sequence.iter().take(TASKS) {
            drawn[t as usize] = true;
            let stream = self.stream_of[t as usize];
            let label = format!("{}\nstream {stream}", self.tasks[t as usize]);
            writeln!(out, "  t{t} [label={}];", quoted(&label))?;
        }
        let shown = |a: TaskId, b: TaskId| drawn[a.0 as usize] && drawn[b.0 as usize];
        for &(a, b) in self.dependencies.iter().filter(|e| shown(e.0, e.1)) {
            writeln!(out, "  t{} -> t{};", a.0, b.0)?;
        }
        for &(a, b) in self.stream_order.iter().filter(|e| shown(e.0, e.1)) {
            writeln!(out, "  t{} -> t{} [style=dashed];", a.0, b.0)?;
        }
        let mut aliases = 0;
        for alias in &self.aliases {
            let last = &self.resources[alias.earlier.0 as usize].frontier.last;
            let first = &self.resources[alias.later.0 as usize].frontier.first;
            let (Some(&a), Some(&b)) = (last.first(), first.first()) else {
                continue;
            };
            if shown(a, b) && aliases < TASKS {
                aliases += 1;
                let label = format!(
                    "{} takes {}",
                    self.name(alias.later),
                    self.name(alias.earlier)
                );
                let style = "style=dotted, constraint=false";
                writeln!(
                    out,
                    "  t{} -> t{} [{style}, label={}];",
                    a.0,
                    b.0,
                    quoted(&label)
                )?;
            }
        }
        let (tasks, pairs) = (
            self.tasks.len().saturating_sub(TASKS),
            self.aliases.len() - aliases,
        );
        if tasks + pairs > 0 {
            writeln!(
                out,
                "  // not drawn: {tasks} tasks, {pairs} pairs that share storage"
            )?;
        }
        writeln!(out, "}}")
    }
}

/// A quoted string of the language.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('\n', "\\n"))
}
