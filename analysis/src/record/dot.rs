//! The record as a graph in the DOT language.

use std::fmt::Write;

use super::Record;
use crate::model::{Class, TaskId};

/// Tasks drawn; the others are counted.
const TASKS: usize = 512;

/// What the styles mean, below the graph.
const LEGEND: &str = "solid: dependency, bold: demanded order alone, dashed: order on one stream, \
                      orange: added by the policy, dotted: storage passed on";

impl Record {
    /// Tasks in issue order with kernels and streams, and the host where it reads outputs.
    /// Dependencies solid, demanded orders bold where nothing else orders the two, edges that streams
    /// add dashed, those that the policy adds in orange, shared storage dotted, from the last users of one resource to the first of the
    /// next; what becomes another resource in place is said in its task.
    pub fn dot(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_dot(&mut out);
        out
    }

    fn write_dot(&self, out: &mut String) -> std::fmt::Result {
        let mut drawn = vec![false; self.tasks.len()];
        writeln!(out, "digraph {} {{", quoted(&self.graph))?;
        writeln!(
            out,
            "  graph [label={}, labelloc=b, fontsize=10];",
            quoted(LEGEND)
        )?;
        writeln!(out, "  node [shape=box];")?;
        let mut updates: Vec<Vec<String>> = vec![Vec::new(); self.tasks.len()];
        for alias in &self.aliases {
            if let Some(task) = alias.in_place {
                let (later, earlier) = (self.name(alias.later), self.name(alias.earlier));
                updates[task.0 as usize].push(format!("\n{later} in place of {earlier}"));
            }
        }
        for &t in self.sequence.iter().take(TASKS) {
            drawn[t as usize] = true;
            let mut label = self.tasks[t as usize].clone();
            if let Some(kernel) = self.unnamed(t as usize) {
                label += &format!("\n{kernel}");
            }
            label += &format!("\nstream {}", self.stream_of[t as usize]);
            label += &updates[t as usize].concat();
            writeln!(out, "  t{t} [label={}];", quoted(&label))?;
        }
        let shown = |a: TaskId, b: TaskId| drawn[a.0 as usize] && drawn[b.0 as usize];
        let demanded = |edge: &(TaskId, TaskId)| {
            let mut alone = self.orders.iter().filter(|o| o.alone);
            alone.any(|o| (o.before, o.after) == *edge)
        };
        for edge in self.dependencies.iter().filter(|e| shown(e.0, e.1)) {
            let style = if demanded(edge) { " [style=bold]" } else { "" };
            writeln!(out, "  t{} -> t{}{style};", edge.0.0, edge.1.0)?;
        }
        for &(a, b) in self.stream_order.iter().filter(|e| shown(e.0, e.1)) {
            writeln!(out, "  t{} -> t{} [style=dashed];", a.0, b.0)?;
        }
        for &(a, b) in self.added.iter().filter(|e| shown(e.0, e.1)) {
            writeln!(out, "  t{} -> t{} [style=dashed, color=orange3];", a.0, b.0)?;
        }
        self.write_host(out, &drawn)?;
        let mut aliases = 0;
        for alias in self.aliases.iter().filter(|a| a.in_place.is_none()) {
            let last = &self.resources[alias.earlier.0 as usize].frontier.last;
            let first = &self.resources[alias.later.0 as usize].frontier.first;
            let (Some(&a), Some(&b)) = (last.first(), first.first()) else {
                continue;
            };
            if shown(a, b) && aliases < TASKS {
                aliases += 1;
                let (later, earlier) = (self.name(alias.later), self.name(alias.earlier));
                let label = quoted(&format!("{later} takes {earlier}"));
                let style = "style=dotted, color=gray40, constraint=false";
                writeln!(out, "  t{} -> t{} [{style}, label={label}];", a.0, b.0)?;
            }
        }
        let tasks = self.tasks.len().saturating_sub(TASKS);
        let apart = self.aliases.iter().filter(|a| a.in_place.is_none());
        let pairs = apart.count() - aliases;
        if tasks + pairs > 0 {
            writeln!(
                out,
                "  // not drawn: {tasks} tasks, {pairs} pairs that share storage"
            )?;
        }
        writeln!(out, "}}")
    }

    /// The host, and what it reads after the tasks that come last.
    fn write_host(&self, out: &mut String, drawn: &[bool]) -> std::fmt::Result {
        let outputs = self.resources.iter().filter(|r| r.class == Class::Output);
        let reads = outputs.flat_map(|r| r.frontier.last.iter().map(move |t| (t.0, &r.name)));
        let reads: Vec<_> = reads.filter(|(t, _)| drawn[*t as usize]).collect();
        if !reads.is_empty() {
            writeln!(out, "  host [label=\"host\", shape=ellipse];")?;
        }
        for (t, name) in reads {
            writeln!(out, "  t{t} -> host [label={}];", quoted(name))?;
        }
        Ok(())
    }
}

/// A quoted string of the language.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('\n', "\\n"))
}
