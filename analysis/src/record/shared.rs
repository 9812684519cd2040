//! What shares storage in words, and why the rest does not.

use std::fmt::{self, Formatter};

use super::text::{LONG, more, short};
use super::{Candidate, Planned, Record};
use crate::alias::{Blocker, Eligibility};
use crate::fault::counted;
use crate::model::{Class, ResourceId, TaskId};

impl Record {
    pub(super) fn shared(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let pairs = counted(self.aliases.len(), "pair");
        writeln!(f, "\nshared storage: {pairs} of one occupant and the next")?;
        for alias in self.aliases.iter().take(LONG) {
            let (e, l) = (self.name(alias.earlier), self.name(alias.later));
            let given = self.given();
            let asked = if alias.demanded { ", demanded" } else { "" };
            write!(f, "  `{l}` after `{e}`{asked}: ")?;
            if let Some(t) = alias.in_place {
                let t = self.task(t);
                write!(f, "in place, `{t}` ends the one and begins the other")?;
                match self.condition(alias) {
                    None => writeln!(f)?,
                    Some(edges) => writeln!(f, "; conditioned, {edges}")?,
                }
            } else {
                let last = &self.resources[alias.earlier.0 as usize].frontier.last;
                let first = &self.resources[alias.later.0 as usize].frontier.first;
                let (last, first) = (self.tasks_of(last), self.tasks_of(first));
                match self.condition(alias) {
                    None => writeln!(f, "unconditional, {last} before {first} by {given}")?,
                    Some(edges) => writeln!(f, "conditioned, {edges}")?,
                }
            }
        }
        more(f, self.aliases.len(), LONG, "pair")?;
        for left in self.left.iter().take(LONG) {
            let m = left.merge;
            let (x, y, t) = (self.name(m.operand), self.name(m.result), self.task(m.task));
            let why = self.why_left(left);
            writeln!(f, "  not taken: `{y}` in place of `{x}` at `{t}`: {why}")?;
        }
        more(f, self.left.len(), LONG, "in-place update")
    }

    pub(super) fn apart(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let c = &self.candidates;
        let count = c.total as usize;
        writeln!(f, "\nnot shared: {} of one size", counted(count, "pair"))?;
        for candidate in &c.listed {
            let (a, b) = (self.name(candidate.a), self.name(candidate.b));
            writeln!(f, "  `{a}` and `{b}`: {}", self.why(candidate))?;
        }
        more(f, count, c.listed.len(), "pair")
    }

    fn why(&self, candidate: &Candidate) -> String {
        if candidate.separate {
            return "kept apart by `separate`".to_owned();
        }
        let ranges = candidate.ranges.iter().flatten().map(|&[first, last]| {
            let (first, last) = (self.name(first), self.name(last));
            format!("`{last}` in the place of `{first}`")
        });
        let ranges: Vec<String> = ranges.collect();
        let with = match &ranges[..] {
            [] => String::new(),
            all => format!(" with {}", all.join(" and ")),
        };
        match &candidate.eligibility {
            Eligibility::Unconditional { first } => {
                let first = self.name(*first);
                format!("could share{with}, `{first}` lives first; the layout does without")
            }
            Eligibility::InPlace { task, .. } => {
                let left = self.left.iter().find(|left| left.merge.task == *task);
                let why = left.map_or_else(String::new, |left| self.why_left(left));
                format!(
                    "could share in place at `{}`, not taken: {why}",
                    self.task(*task)
                )
            }
            Eligibility::Conditioned { first, edges } => {
                let (first, edges) = (self.name(*first), self.edges(edges));
                let but = candidate.barred.map_or_else(String::new, |(x, y)| {
                    let (x, y) = (self.name(x), self.name(y));
                    format!(", but through demanded aliases `{x}` and `{y}` would share, too, and cannot")
                });
                let plan = match (candidate.planned, &self.declared.minimize) {
                    (Planned::Ordered, _) => "the plan orders that, and the layout does without",
                    (Planned::Opposed, _) => "the plan orders the opposite",
                    (Planned::Open, None) => "no such edge is added unasked",
                    (Planned::Open, Some(_)) => "no such edge is added",
                };
                format!("conditioned{with}, `{first}` first if {edges}{but}; {plan}")
            }
            Eligibility::Refused { forward, backward } => {
                let [there, back] = candidate.does;
                let [a, b] = [(0, candidate.a), (1, candidate.b)]
                    .map(|(i, r)| candidate.ranges[i].unwrap_or([r; 2]));
                let forward = self.blocked(*forward, [a[1], b[0]], there);
                let backward = self.blocked(*backward, [b[1], a[0]], back);
                let why = match forward == backward {
                    true => forward,
                    false => format!("{forward}; {backward}"),
                };
                if let Some((task, edges)) = &candidate.withheld {
                    return self.withheld(candidate, *task, edges);
                }
                match &candidate.update {
                    Some((task, edges)) if !edges.is_empty() => {
                        let (task, edges) = (self.task(*task), self.edges(edges));
                        format!("refused, unless in place at `{task}`, which takes {edges}: {why}")
                    }
                    _ => format!("refused{with}, {why}"),
                }
            }
        }
    }

    /// Of an input and what `task` makes of it, which could be in its place after these `edges`.
    fn withheld(&self, of: &Candidate, task: TaskId, edges: &[(TaskId, TaskId)]) -> String {
        let first = self.resources[of.a.0 as usize].class == Class::Input;
        let (x, y) = if first { (of.a, of.b) } else { (of.b, of.a) };
        let (x, y, task) = (self.name(x), self.name(y), self.task(task));
        let takes = match edges {
            [] => String::new(),
            edges => format!(", which takes {}", self.edges(edges)),
        };
        format!(
            "refused, `{x}` is the caller's: as an `input mut`, `{task}` could update it into `{y}`{takes}"
        )
    }

    fn edges(&self, edges: &[(TaskId, TaskId)]) -> String {
        let edge =
            |&(a, b): &(TaskId, TaskId)| format!("`{}` before `{}`", self.task(a), self.task(b));
        short(edges.iter().map(edge))
    }

    /// Why the earlier cannot be over before the later begins, with what tasks do to them.
    fn blocked(
        &self,
        blocker: Blocker,
        [earlier, later]: [ResourceId; 2],
        [uses, begins]: [&str; 2],
    ) -> String {
        match blocker {
            Blocker::Same => "they are one resource".to_owned(),
            Blocker::Output => match self.resources[earlier.0 as usize].class {
                Class::Escape => format!("`{}` escapes", self.name(earlier)),
                _ => format!("the host reads `{}` after the run", self.name(earlier)),
            },
            Blocker::Region => {
                let [x, y] = [earlier, later].map(|r| self.resources[r.0 as usize].frontier.region);
                match x.domain == y.domain {
                    true => "one of them is staging".to_owned(),
                    false => "they belong to different isolation domains".to_owned(),
                }
            }
            Blocker::Kept(kept) => format!("`{}` outlives the run", self.name(kept)),
            Blocker::Reversed { user, start } if user == start => {
                format!("`{}` needs both", self.task(user))
            }
            Blocker::Reversed { user, start } => format!(
                "`{}` still {uses} `{}` when `{}` {begins} `{}`",
                self.task(user),
                self.name(earlier),
                self.task(start),
                self.name(later)
            ),
        }
    }
}
