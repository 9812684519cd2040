//! What an allocator of physical memory is to know, in a few lines; the data has each step of it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Formatter};

use super::Record;
use super::text::short;
use crate::layout::{SLOT_ALIGN, sizes::rounded};
use crate::model::Class;

impl Record {
    pub(super) fn allocator(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nfor an allocator")?;
        writeln!(f, "  alignment      {SLOT_ALIGN} bytes")?;
        let in_run = || {
            let all = self.resources.iter();
            all.filter(|r| !r.class.persists() && r.slot.bytes > 0)
        };
        let mut classes: BTreeMap<Reverse<u64>, usize> = BTreeMap::new();
        for r in in_run() {
            *classes.entry(Reverse(r.slot.bytes)).or_default() += 1;
        }
        let each = classes
            .iter()
            .map(|(bytes, count)| format!("{count} of {}", rounded(bytes.0)));
        let (count, each) = (classes.len(), short(each));
        let staged = in_run().filter(|r| r.class == Class::Staging).count();
        let staging = match staged {
            0 => String::new(),
            n => format!("; {n} of these in staging, which is host memory"),
        };
        match count {
            0 => writeln!(f, "  size classes   0, as no run has storage")?,
            _ => writeln!(
                f,
                "  size classes   {count}, the largest first: {each}{staging}"
            )?,
        }
        let taken = &self.policy.rivals[self.policy.plan].figures;
        writeln!(
            f,
            "  demand         at most {} live as tasks are issued; the JSON has each step",
            rounded(taken.in_turn)
        )?;
        let reused: BTreeSet<_> = self.aliases.iter().map(|alias| alias.later).collect();
        let (all, reused) = (in_run().count(), reused.len());
        writeln!(
            f,
            "  trace          {} begin where nothing was and {reused} where others were; the JSON has each event",
            all.saturating_sub(reused)
        )
    }
}
