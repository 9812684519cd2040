//! What was decided, in a compact form that is kept beside the tables of a graph, so that questions
//! about it can be answered when they are asked.

use std::fmt::Write;

use super::Record;
use crate::model::TaskId;

impl Record {
    /// Names, dependencies and live ranges as lines of text, for the runtime's `Record::explain`:
    ///
    /// ```text
    /// blur<TAB>0 2-4          each task, in statement order: its name, the tasks right before it
    /// 1<TAB>5 7<TAB>host      each resource: first frontier, last frontier, and whether the host
    ///                         reads it after the run
    /// 3 4 9<TAB>why           each in-place update that was left: operand, result, task, and why
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
            for (tasks, end) in [(&r.frontier.first, "\t"), (&r.frontier.last, "")] {
                let mut tasks: Vec<u32> = tasks.iter().map(|&TaskId(t)| t).collect();
                tasks.sort_unstable();
                list(&mut out, &tasks);
                out += end;
            }
            out += if r.frontier.host { "\thost\n" } else { "\n" };
        }
        for left in &self.left {
            let m = left.merge;
            let (x, y, t) = (m.operand.0, m.result.0, m.task.0);
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{x} {y} {t}\t{}", self.why_left(left));
        }
        out
    }
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
