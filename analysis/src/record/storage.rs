//! The bytes of a plan in words, and what the bound below them rests on.

use std::fmt::{self, Formatter};

use super::Record;
use super::text::{SHORT, list};
use crate::layout::{At, DomainBound, sizes::rounded};

impl Record {
    pub(super) fn storage(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nstorage")?;
        writeln!(f, "  arena          {}", rounded(self.arena))?;
        if self.ring > 1 {
            let all = self.arena.saturating_mul(u64::from(self.ring));
            writeln!(
                f,
                "  lanes          {}, each with an arena: {} in all",
                self.ring,
                rounded(all)
            )?;
        }
        if let Some(budget) = self.budget {
            writeln!(f, "  budget         {}", rounded(budget))?;
        }
        write!(f, "  lower bound    {}, ", rounded(self.bound.bytes))?;
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
                    write!(f, "    {name:<12} {}, ", rounded(part.bytes))?;
                    self.domain_bound(f, part)?;
                }
            }
        }
        if self.store > 0 {
            let store = rounded(self.store);
            writeln!(
                f,
                "  store          {store} behind it, one copy of what outlives runs"
            )?;
        }
        if self.pinned > 0 {
            let pinned = rounded(self.pinned);
            writeln!(
                f,
                "  staging        {pinned} of host memory{}",
                if self.ring > 1 { " for each lane" } else { "" }
            )?;
        }
        if self.padding > 0 {
            let padding = rounded(self.padding);
            writeln!(
                f,
                "  padding        {padding} of the arena, so that slots of whole pages begin on different cache sets"
            )?;
        }
        if self.reserved > 0 {
            let reserved = rounded(self.reserved);
            writeln!(
                f,
                "  reserved       {reserved} of the arena for isolation domains in other combinations of variants; plans are weighed without that"
            )?;
        }
        if self.is_optimal() {
            let but = match (self.padding, self.reserved) {
                (0, 0) => "",
                (_, 0) => ", but for the padding",
                (0, _) => ", but for what is reserved",
                _ => ", but for the padding and what is reserved",
            };
            let why = match self.tight() <= self.bound.bytes {
                true => "the arena meets the bound",
                false => "an execution has all of the arena live at once",
            };
            writeln!(
                f,
                "  optimal        yes{}, for the order and the in-place updates of this plan: {why}{but}",
                self.of_sizes()
            )?;
        } else {
            let gap = rounded(self.tight().saturating_sub(self.least_arena()));
            writeln!(
                f,
                "  optimal        not shown: {gap} above the lower bound where the search ended"
            )?;
        }
        writeln!(
            f,
            "  without reuse  {}, the sum of all slots of the graph in the arena",
            rounded(self.logical())
        )?;
        let search = if self.swept {
            "one pass in issue order, best fit, each free block with the join of its users"
        } else {
            "greedy, then exact and local over the partial order, as far as its steps go"
        };
        writeln!(f, "  search         {search}")?;
        self.growth(f)
    }

    /// At which dims resources have the sizes that the record tells.
    pub(super) fn sizes(&self) -> String {
        let Some(values) = &self.largest_at else {
            return "each resource at the largest that the dims admit; no dims are known that give all of these at \
                    once, so every load may take less than bounds and peaks say, and none takes more"
                .to_owned();
        };
        let dims = self.dims.iter().zip(values);
        if dims.clone().all(|(dim, value)| dim.max == *value) {
            return "each resource at its largest, which is at the dims' maxima".to_owned();
        }
        let each = dims.map(|(dim, value)| format!("{} = {value}", dim.name));
        let each: Vec<String> = each.collect();
        let shown = each.iter().map(String::as_str);
        let text = list(shown, 3 * SHORT);
        format!("each resource at its largest, which is at {text}")
    }

    /// What a bound rests on, behind its bytes.
    fn domain_bound(&self, f: &mut Formatter<'_>, part: &DomainBound) -> fmt::Result {
        if part.listed < part.bytes {
            let listed = rounded(part.listed);
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
}
