//! What was decided, in a compact form that is kept beside the tables of a graph, so that questions
//! about it can be answered when they are asked.

use std::fmt::{self, Write};

use super::{Record, ResourceRecord};
use crate::model::{Class, TaskId};
use crate::workspace::{Content, Sharing};

impl Record {
    /// Names, dependencies, live ranges and what was decided as lines of text, for the runtime's
    /// `Record::explain` and its report:
    ///
    /// ```text
    /// blur<TAB>0 2-4          each task, in statement order: its name, the tasks right before it
    /// 1<TAB>5 7<TAB>host<TAB>h, w + 1<TAB>
    ///                         each resource: first frontier, last frontier, what else is true of
    ///                         it (`host` reads it after the run, it is `kept`, an `escape`,
    ///                         `stable`), its extents, and its domain
    /// left<TAB>3 4 9<TAB>why  each in-place update that was left: operand, result, task, and why
    /// alias<TAB>3 4 9<TAB>demanded
    ///                         an occupant of storage and the next, the task that updates the one
    ///                         into the other if one does, and whether that is demanded
    /// bound<TAB>7<TAB>1-3<TAB>3 4
    ///                         the task at the lower bound (none: the host), what is live then, and
    ///                         the two that count once
    /// layout<TAB>4096<TAB>swept
    ///                         bytes of padding, and whether one pass was made
    /// saved<TAB>10            waits between streams that others made needless
    /// order<TAB>3 4<TAB>alone a demanded order, and whether nothing else orders the two
    /// workspace<TAB>scratch<TAB>5<TAB>zeroed<TAB>per task<TAB>9 5<TAB>11 6
    ///                         a workspace: name, resource, content, sharing, and of each use the
    ///                         task and its resource
    /// ```
    ///
    /// Tasks are numbers; `2-4` is all from 2 to 4. Without runs, tasks that all read what many
    /// others wrote would take a square of them.
    pub fn facts(&self) -> String {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.tasks.len()];
        for (a, b) in &self.dependencies {
            before[b.0 as usize].push(a.0);
        }
        let mut out = String::new();
        for (name, before) in self.tasks.iter().zip(&mut before) {
            before.sort_unstable();
            out += name;
            out.push('\t');
            list(&mut out, before);
            out.push('\n');
        }
        for r in &self.resources {
            r.facts(&mut out);
        }
        // Writing to a string cannot fail.
        let _ = self.decided(&mut out);
        out
    }

    fn decided(&self, out: &mut String) -> fmt::Result {
        for left in &self.left {
            let m = left.merge;
            let (x, y, t) = (m.operand.0, m.result.0, m.task.0);
            writeln!(out, "left\t{x} {y} {t}\t{}", self.why_left(left))?;
        }
        for alias in &self.aliases {
            write!(out, "alias\t{} {}", alias.earlier.0, alias.later.0)?;
            if let Some(TaskId(t)) = alias.in_place {
                write!(out, " {t}")?;
            }
            writeln!(out, "\t{}", word(alias.demanded, "demanded"))?;
        }
        let at = self.bound.at.map_or_else(String::new, |t| t.0.to_string());
        write!(out, "bound\t{at}\t")?;
        let live: Vec<u32> = self.bound.live.iter().map(|r| r.0).collect();
        list(out, &live);
        match self.bound.merge {
            Some(m) => writeln!(out, "\t{} {}", m.operand.0, m.result.0)?,
            None => writeln!(out, "\t")?,
        }
        let swept = word(self.swept, "swept");
        writeln!(out, "layout\t{}\t{swept}", self.padding)?;
        writeln!(out, "saved\t{}", self.saved)?;
        for order in &self.orders {
            let (a, b) = (order.before.0, order.after.0);
            writeln!(out, "order\t{a} {b}\t{}", word(order.alone, "alone"))?;
        }
        for w in &self.workspaces {
            let content = match w.content {
                Content::Dead => "dead",
                Content::Zeroed => "zeroed",
                Content::Preserved => "preserved",
            };
            let sharing = match w.sharing {
                Sharing::Exclusive => "exclusive",
                Sharing::PerTask => "per task",
            };
            let (name, r) = (&w.name, w.resource.0);
            write!(out, "workspace\t{name}\t{r}\t{content}\t{sharing}")?;
            for u in &w.uses {
                write!(out, "\t{} {}", u.task.0, u.resource.0)?;
            }
            out.push('\n');
        }
        Ok(())
    }
}

impl ResourceRecord {
    fn facts(&self, out: &mut String) {
        for tasks in [&self.frontier.first, &self.frontier.last] {
            let mut tasks: Vec<u32> = tasks.iter().map(|&TaskId(t)| t).collect();
            tasks.sort_unstable();
            list(out, &tasks);
            out.push('\t');
        }
        let words = [
            (self.frontier.host, "host"),
            (self.frontier.kept, "kept"),
            (self.class == Class::Escape, "escape"),
            (self.stable, "stable"),
        ];
        let words: Vec<_> = words.iter().filter(|w| w.0).map(|w| w.1).collect();
        *out += &words.join(" ");
        out.push('\t');
        *out += &self.shape.join(", ");
        out.push('\t');
        *out += self.domain.as_deref().unwrap_or("");
        out.push('\n');
    }
}

fn word(is: bool, word: &str) -> &str {
    if is { word } else { "" }
}

/// `0 2-4`, of sorted numbers.
fn list(out: &mut String, numbers: &[u32]) {
    let mut runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let mut gap = "";
    while let Some([first, rest @ ..]) = runs.next() {
        let _ = match rest.last() {
            None => write!(out, "{gap}{first}"),
            Some(last) => write!(out, "{gap}{first}-{last}"),
        };
        gap = " ";
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn neighbours_become_runs() {
        let list = |numbers: &[u32]| {
            let mut out = String::new();
            super::list(&mut out, numbers);
            out
        };
        assert_eq!(list(&[]), "");
        assert_eq!(list(&[7]), "7");
        assert_eq!(list(&[0, 2, 3, 4, 6]), "0 2-4 6");
    }
}
