//! The record as a person reads it.

use std::fmt::{self, Display, Formatter};

use super::{Record, ResourceRecord};
use crate::fault::counted;
use crate::layout::{SLOT_ALIGN, sizes::rounded};
use crate::model::{Class, ResourceId, TaskId};

/// Entries of the long lists that are written out; the others are counted.
pub(super) const LONG: usize = 128;
/// The same for lists within a line.
pub(super) const SHORT: usize = 4;

impl Display for Record {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.body(f)?;
        super::words::words(f)
    }
}

impl Record {
    /// All but the words, which are the same in each record.
    pub(super) fn body(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "graph {}", self.graph)?;
        for (i, d) in self.dims.iter().enumerate() {
            let mark = if i == 0 { ":" } else { "," };
            write!(f, "{mark} {} in {}..={}", d.name, d.min, d.max)?;
        }
        writeln!(f)?;
        self.verdict(f)?;
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
        self.allocator(f)?;
        self.identity(f)?;
        self.guards(f)?;
        self.limits(f)
    }

    fn inventory(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\nresources: {}, each aligned to {SLOT_ALIGN} bytes",
            self.resources.len()
        )?;
        for (own, r) in (0..).map(ResourceId).zip(&self.resources).take(LONG) {
            let class = match r.class {
                Class::Input => "input",
                Class::InputMut => "input mut",
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
            let (law, bytes) = (r.law(), rounded(r.payload));
            writeln!(f, "    size      {law} bytes, {most}{bytes}")?;
            let (from, to) = (r.slot.offset, r.slot.offset.saturating_add(r.slot.bytes));
            let within = match r.class {
                Class::Staging => " in staging, behind arena and store: host memory",
                class if class.persists() => " in the store, behind the arena",
                _ => "",
            };
            writeln!(f, "    slot      {from}..{to}{within}")?;
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
            let mut updates = self.aliases.iter().filter(|alias| alias.in_place.is_some());
            match updates.clone().find(|alias| alias.later == own) {
                Some(alias) => {
                    let from = self.name(alias.earlier);
                    writeln!(f, "    created   in place, of `{from}`, by {first}")?;
                }
                None => writeln!(f, "    created   before {first} starts")?,
            }
            writeln!(f, "    first     {first}")?;
            writeln!(f, "    last      {last}")?;
            match updates.find(|alias| alias.earlier == own) {
                Some(alias) => {
                    let into = self.name(alias.later);
                    writeln!(
                        f,
                        "    released  not by itself: in place it becomes `{into}`"
                    )?;
                }
                None => writeln!(f, "    released  when {release}")?,
            }
        }
        more(f, self.resources.len(), LONG, "resource")
    }

    pub(super) fn tasks_of(&self, tasks: &[TaskId]) -> String {
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

    /// `4 * h * (w + 1)`, and `h + 1` of single bytes.
    pub(super) fn law(&self) -> String {
        let size = self.elem.size();
        if let ([extent], 1) = (&self.shape[..], size) {
            return extent.clone();
        }
        let first = (size > 1 || self.shape.is_empty()).then(|| size.to_string());
        let extents = self.shape.iter().map(|extent| match extent.contains(' ') {
            true => format!("({extent})"),
            false => extent.clone(),
        });
        first
            .into_iter()
            .chain(extents)
            .collect::<Vec<_>>()
            .join(" * ")
    }
}

/// What a user wrote, in one line.
pub(super) fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
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
    match count.saturating_sub(shown) {
        0 => Ok(()),
        rest => writeln!(f, "  and {}", counted(rest, &format!("more {what}"))),
    }
}
