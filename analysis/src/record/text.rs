//! The record as a person reads it.

use std::fmt::{self, Display, Formatter};

use super::{Candidate, Record, ResourceRecord};
use crate::alias::{Blocker, Eligibility};
use crate::fault::counted;
use crate::layout::SLOT_ALIGN;
use crate::layout::{At, DomainBound, sizes::amount};
use crate::model::{Class, ResourceId, TaskId};

/// Entries of the long lists that are written out; the others are counted.
pub(super) const LONG: usize = 128;
/// The same for lists within a line.
pub(super) const SHORT: usize = 4;

impl Display for Record {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "graph {}", self.graph)?;
        for (i, d) in self.dims.iter().enumerate() {
            let mark = if i == 0 { ":" } else { "," };
            write!(f, "{mark} {} in {}..={}", d.name, d.min, d.max)?;
        }
        writeln!(f)?;
        self.declared(f)?;
        self.storage(f)?;
        self.peak(f)?;
        self.policy(f)?;
        self.inventory(f)?;
        self.workspaces(f)?;
        self.shared(f)?;
        self.apart(f)?;
        self.issue(f)?;
        self.schedule(f)?;
        self.identity(f)?;
        self.guards(f)?;
        self.limits(f)
    }
}

impl Record {
    fn storage(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nstorage")?;
        writeln!(f, "  arena          {}", amount(self.arena))?;
        if self.ring > 1 {
            let all = self.arena.saturating_mul(u64::from(self.ring));
            writeln!(
                f,
                "  lanes          {}, each with an arena: {} in all",
                self.ring,
                amount(all)
            )?;
        }
        if let Some(budget) = self.budget {
            writeln!(f, "  budget         {}", amount(budget))?;
        }
        write!(f, "  lower bound    {}, ", amount(self.bound.bytes))?;
        match &self.bound.parts[..] {
            [] => writeln!(f, "nothing is live")?,
            [part] => self.domain_bound(f, part)?,
            parts => {
                let domains = parts.len();
                writeln!(
                    f,
                    "the sum of {domains} isolation domains, which share nothing"
                )?;
                for part in parts {
                    let name = self.domain_of(part).unwrap_or("in none");
                    write!(f, "    {name:<12} {}, ", amount(part.bytes))?;
                    self.domain_bound(f, part)?;
                }
            }
        }
        if self.store > 0 {
            let store = amount(self.store);
            writeln!(
                f,
                "  store          {store} behind it, one copy of what outlives runs"
            )?;
        }
        if self.pinned > 0 {
            let pinned = amount(self.pinned);
            writeln!(
                f,
                "  staging        {pinned} of host memory{}",
                if self.ring > 1 { " for each lane" } else { "" }
            )?;
        }
        if self.padding > 0 {
            let padding = amount(self.padding);
            writeln!(
                f,
                "  padding        {padding} of the arena, so that slots of whole pages begin on different cache sets"
            )?;
        }
        if self.is_optimal() {
            let but = if self.padding > 0 {
                ", but for the padding"
            } else {
                ""
            };
            let why = match self.arena <= self.bound.bytes.saturating_add(self.padding) {
                true => "the arena meets the bound",
                false => "an execution has all of the arena live at once",
            };
            writeln!(
                f,
                "  optimal        yes, for the order and the in-place updates of this plan: {why}{but}"
            )?;
        } else {
            let tight = self.arena.saturating_sub(self.padding);
            let gap = amount(tight.saturating_sub(self.least_arena()));
            writeln!(
                f,
                "  optimal        not shown: {gap} above the lower bound where the search ended"
            )?;
        }
        writeln!(
            f,
            "  without reuse  {}, the sum of all slots of the graph in the arena",
            amount(self.logical())
        )?;
        let search = if self.swept {
            "one pass in issue order, best fit, each free block with the join of its users"
        } else {
            "greedy, then exact and local over the partial order, as far as its steps go"
        };
        writeln!(f, "  search         {search}")?;
        self.growth(f)
    }

    /// What a bound rests on, behind its bytes.
    fn domain_bound(&self, f: &mut Formatter<'_>, part: &DomainBound) -> fmt::Result {
        if part.listed < part.bytes {
            let listed = amount(part.listed);
            write!(f, "which a search has shown beyond {listed}, ")?;
        }
        match part.at {
            At::Task(t) => write!(f, "live while `{}` runs: ", self.task(t))?,
            At::Host => write!(f, "live when the host reads the outputs: ")?,
            At::Pairs => write!(f, "no two of which can share storage: ")?,
        }
        let first = part.live.iter().filter_map(|slot| slot.first());
        let whole = part.live.iter().flatten();
        let names = match part.at {
            At::Pairs => list(first.map(|&r| self.name(r)), 3 * SHORT),
            _ => list(whole.map(|&r| self.name(r)), 3 * SHORT),
        };
        writeln!(f, "{names}")?;
        let pairs = part.live.iter().filter(|slot| slot.len() > 1);
        for slot in pairs.filter(|_| part.at != At::Pairs) {
            let names = list(slot.iter().map(|&r| self.name(r)), SHORT);
            writeln!(
                f,
                "                 {names} count once: one becomes the other"
            )?;
        }
        Ok(())
    }

    /// The isolation domain of what a bound lists, if it is declared in one.
    pub(super) fn domain_of(&self, part: &DomainBound) -> Option<&str> {
        let first = part.live.first()?.first()?;
        self.resources[first.0 as usize].domain.as_deref()
    }

    fn inventory(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\nresources: {}, each aligned to {SLOT_ALIGN} bytes",
            self.resources.len()
        )?;
        for r in self.resources.iter().take(LONG) {
            let class = match r.class {
                Class::Input => "input",
                Class::Transient => "transient",
                Class::Output => "output",
                Class::Resident => "resident input",
                Class::Inout if self.is_workspace(r) => "preserved workspace",
                Class::Inout => "inout",
                Class::Workspace => "workspace",
                Class::Staging => "staging",
                Class::Escape => "escape",
                Class::Reconstructable => "reconstructable",
            };
            let shape = r.shape.join(", ");
            write!(f, "  {}: {class} [{}; {shape}]", r.name, r.elem)?;
            match &r.domain {
                Some(domain) => writeln!(f, " in domain {domain}")?,
                None => writeln!(f)?,
            }
            let most = if r.is_fixed() { "" } else { "at most " };
            let (law, bytes) = (r.law(), amount(r.payload));
            writeln!(f, "    size      {law} bytes, {most}{bytes}")?;
            let (from, to) = (r.slot.offset, r.slot.offset.saturating_add(r.slot.bytes));
            writeln!(f, "    slot      {from}..{to}")?;
            if r.stable {
                writeln!(f, "    address   the same in every run, as demanded")?;
            }
            let first = self.tasks_of(&r.frontier.first);
            let last = self.tasks_of(&r.frontier.last);
            let (last, release) = if r.frontier.host {
                let lane = if self.ring > 1 { " of this lane" } else { "" };
                let release = format!("the next run{lane} begins");
                (format!("{last}, then the host"), release)
            } else {
                (last.clone(), format!("all of {last} complete"))
            };
            if r.frontier.kept {
                writeln!(f, "    created   with the loaded graph, in its store")?;
                writeln!(f, "    first     {first}")?;
                writeln!(f, "    last      {}", self.tasks_of(&r.frontier.last))?;
                writeln!(f, "    released  with the loaded graph")?;
                continue;
            }
            writeln!(f, "    created   before {first} starts")?;
            writeln!(f, "    first     {first}")?;
            writeln!(f, "    last      {last}")?;
            writeln!(f, "    released  when {release}")?;
        }
        more(f, self.resources.len(), LONG, "resources")
    }

    fn shared(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let pairs = counted(self.aliases.len(), "pair");
        writeln!(f, "\nshared storage: {pairs} of one occupant and the next")?;
        for alias in self.aliases.iter().take(LONG) {
            let (e, l) = (self.name(alias.earlier), self.name(alias.later));
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
                    None => writeln!(
                        f,
                        "unconditional, {last} before {first} by dependencies alone"
                    )?,
                    Some(edges) => writeln!(f, "conditioned, {edges}")?,
                }
            }
        }
        more(f, self.aliases.len(), LONG, "pairs")?;
        for left in self.left.iter().take(LONG) {
            let m = left.merge;
            let (x, y, t) = (self.name(m.operand), self.name(m.result), self.task(m.task));
            let why = self.why_left(left);
            writeln!(f, "  not taken: `{y}` in place of `{x}` at `{t}`: {why}")?;
        }
        more(f, self.left.len(), LONG, "in-place updates not taken")
    }

    fn apart(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let c = &self.candidates;
        let count = c.listed.len() + c.unlisted;
        let pairs = counted(count, "pair");
        write!(f, "\nnot shared: {pairs} of equal size")?;
        if (c.examined as u64) < c.total {
            write!(f, " among the first {} of {}", c.examined, c.total)?;
            write!(f, "; the others were not looked at")?;
        }
        writeln!(f)?;
        for candidate in &c.listed {
            let (a, b) = (self.name(candidate.a), self.name(candidate.b));
            writeln!(f, "  `{a}` and `{b}`: {}", self.why(candidate))?;
        }
        more(f, count, c.listed.len(), "pairs")
    }

    fn why(&self, candidate: &Candidate) -> String {
        if candidate.separate {
            return "kept apart by `separate`".to_owned();
        }
        match &candidate.eligibility {
            Eligibility::Unconditional { first } => {
                let first = self.name(*first);
                format!("could share, `{first}` lives first; the layout does without")
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
                let unasked = match self.declared.minimize {
                    None => "no such edge is added unasked",
                    Some(_) => "no such edge is added",
                };
                format!("conditioned, `{first}` first if {edges}{but}; {unasked}")
            }
            Eligibility::Refused { forward, backward } => {
                let forward = self.blocked(*forward, candidate.a, candidate.b);
                let backward = self.blocked(*backward, candidate.b, candidate.a);
                let why = match forward == backward {
                    true => format!("refused, {forward}"),
                    false => format!("refused, {forward}; {backward}"),
                };
                match &candidate.update {
                    Some((task, edges)) if !edges.is_empty() => {
                        let (task, edges) = (self.task(*task), self.edges(edges));
                        format!("{why}; in place at `{task}` if {edges}")
                    }
                    _ => why,
                }
            }
        }
    }

    fn edges(&self, edges: &[(TaskId, TaskId)]) -> String {
        let edge =
            |&(a, b): &(TaskId, TaskId)| format!("`{}` before `{}`", self.task(a), self.task(b));
        short(edges.iter().map(edge))
    }

    /// Why `earlier` cannot be over before `later` begins.
    fn blocked(&self, blocker: Blocker, earlier: ResourceId, later: ResourceId) -> String {
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
                "`{}` needs `{}` after `{}` begins `{}`",
                self.task(user),
                self.name(earlier),
                self.task(start),
                self.name(later)
            ),
        }
    }

    fn limits(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nlimits")?;
        for line in [
            "completion is that of the launch: a kernel starts no work that outlives it",
            "sizes are logical and at the dims' maxima; what a device reserves or commits is another matter",
            "the lower bound is that of this order and these in-place updates; others may do with less",
            "not considered: moving to other memory, the timing of actions",
        ] {
            writeln!(f, "  {line}")?;
        }
        Ok(())
    }

    fn tasks_of(&self, tasks: &[TaskId]) -> String {
        if tasks.is_empty() {
            return "no task".to_owned();
        }
        list(tasks.iter().map(|&t| self.task(t)), SHORT)
    }
}

impl ResourceRecord {
    /// No dim is in its extents.
    fn is_fixed(&self) -> bool {
        let mut letters = self.shape.iter().flat_map(|extent| extent.chars());
        !letters.any(|c| c.is_alphabetic() || c == '_')
    }

    /// `4 * h * (w + 1)`.
    pub(super) fn law(&self) -> String {
        let mut law = self.elem.size().to_string();
        for extent in &self.shape {
            let atom = !extent.contains(' ');
            law += &if atom {
                format!(" * {extent}")
            } else {
                format!(" * ({extent})")
            };
        }
        law
    }
}

pub(super) fn list<'a>(names: impl Iterator<Item = &'a str>, most: usize) -> String {
    crate::fault::list(names, most)
}

/// The first few, and how many more there are.
pub(super) fn short(all: impl ExactSizeIterator<Item = String>) -> String {
    let rest = all.len().saturating_sub(SHORT);
    let mut shown: Vec<String> = all.take(SHORT).collect();
    if rest > 0 {
        shown.push(format!("{rest} more"));
    }
    shown.join(", ")
}

pub(super) fn more(f: &mut Formatter<'_>, count: usize, shown: usize, what: &str) -> fmt::Result {
    if count > shown {
        writeln!(f, "  and {} more {what}", count - shown)?;
    }
    Ok(())
}
