//! Resources, workspaces, and where they lie.

use std::collections::BTreeSet;

use super::Known;
use crate::report::{
    Alias, Bound, Class, Element, Growth, Left, Peaks, Proof, Region, Resource, Sizes, Storage,
    Use, Workspace,
};
use crate::table::{self, Elem, SLOT_ALIGN};

impl Known<'_> {
    pub(super) fn resources(&self) -> Vec<Resource> {
        let each = self.source.resources.iter().enumerate();
        each.map(|(r, of)| self.resource(r, of)).collect()
    }

    fn resource(&self, r: usize, of: &table::Resource<'_>) -> Resource {
        let (slot, marks) = (self.program.slots[r], &self.noted.marks[r]);
        let live = &self.facts.live[r];
        let tasks = |tasks: &[usize]| tasks.iter().map(|&t| t as u32).collect();
        Resource {
            name: of.name.to_owned(),
            class: match of.class {
                _ if marks.escape => Class::Escape,
                _ if marks.reconstructable => Class::Reconstructable,
                table::Class::Input => Class::Input,
                table::Class::InputMut => Class::InputMut,
                table::Class::Transient => Class::Transient,
                table::Class::Output => Class::Output,
                table::Class::Resident => Class::Resident,
                table::Class::Inout => Class::Inout,
                table::Class::Workspace => Class::Workspace,
                table::Class::Staging => Class::Staging,
            },
            element: element(of.elem),
            shape: marks.shape.iter().map(|&s| s.to_owned()).collect(),
            law: law(of.elem.size(), &marks.shape),
            payload: marks.payload.unwrap_or(slot.bytes),
            bytes: slot.bytes,
            alignment: SLOT_ALIGN,
            region: self.region(r),
            offset: slot.offset,
            domain: marks.domain.map(str::to_owned),
            first: tasks(&live.first),
            last: tasks(&live.last),
            host: live.host,
            stable: marks.stable,
        }
    }

    pub(super) fn storage(&self, resources: &[Resource]) -> Storage {
        let program = self.program;
        // What is made again is there because storage is shared.
        let again = self.source.again.iter();
        let again =
            again.flat_map(|(t, _)| self.source.accesses_of(&self.source.tasks[*t as usize]));
        let again = again.filter(|a| a.mode != table::Mode::Read);
        let again: BTreeSet<u32> = again.map(|a| a.resource).collect();
        let in_arena = (0..).zip(resources);
        let in_arena = in_arena.filter(|(r, of)| of.region == Region::Arena && !again.contains(r));
        let unshared = in_arena.fold(0, |sum: u64, (_, of)| sum.saturating_add(of.bytes));
        let (bytes, padding) = (self.record.lower_bound, self.noted.padding);
        let reserved = self.noted.reserved;
        // An execution that has so much live at once needs an arena of that.
        let most = self.noted.peaks.get("greatest").map_or(0, |p| p.bytes.low);
        let needed = bytes.max(most).saturating_add(padding);
        let needed = needed.saturating_add(reserved);
        Storage {
            arena: program.arena,
            store: program.store,
            staging: program.pinned,
            instances: program.ring,
            budget: self.source.budget,
            unshared,
            padding,
            reserved,
            lower_bound: Bound {
                bytes,
                parts: self.noted.bound.clone(),
            },
            optimal: program.arena <= needed,
            search: self.said("  search         ").unwrap_or("").to_owned(),
            sizes: self.sizes(),
            growth: self.growth(),
        }
    }

    fn sizes(&self) -> Option<Sizes> {
        Some(Sizes {
            at: self.noted.largest_at.clone(),
            means: self.said("  sizes          ")?.to_owned(),
        })
    }

    fn growth(&self) -> Option<Growth> {
        let (policy, means) = self.said("  growth         ")?.split_once(": ")?;
        Some(Growth {
            policy: policy.to_owned(),
            means: means.to_owned(),
        })
    }

    pub(super) fn peaks(&self) -> Option<Peaks> {
        let of = |name| self.noted.peaks.get(name).cloned();
        Some(Peaks {
            least: of("least")?,
            greatest: of("greatest")?,
            workspaces: of("workspaces"),
        })
    }

    /// The rest of the line of the record's text that begins so.
    pub(super) fn said(&self, begin: &str) -> Option<&'static str> {
        let mut lines = self.record.text.lines();
        lines.find_map(|line| line.strip_prefix(begin))
    }

    pub(super) fn workspaces(&self, resources: &[Resource]) -> Vec<Workspace> {
        let all = self.noted.workspaces.iter().map(|w| {
            let of = &resources[w.resource as usize];
            let rooms = w.uses.iter().map(|&(_, r)| &resources[r as usize]);
            Workspace {
                name: w.name.to_owned(),
                content: w.content,
                sharing: w.sharing,
                law: of.law.clone(),
                payload: of.payload,
                bytes: together(rooms),
                uses: w
                    .uses
                    .iter()
                    .map(|&(task, resource)| Use { task, resource })
                    .collect(),
            }
        });
        all.collect()
    }

    pub(super) fn aliases(&self) -> Vec<Alias> {
        let tasks = |tasks: &[usize]| tasks.iter().map(|&t| t as u32).collect();
        let all = self.noted.aliases.iter();
        let alias = all.map(|alias| {
            let last = tasks(&self.facts.live[alias.earlier as usize].last);
            let first = tasks(&self.facts.live[alias.later as usize].first);
            let missing = alias.missing.clone();
            Alias {
                earlier: alias.earlier,
                later: alias.later,
                proof: match alias.task {
                    Some(task) => Proof::InPlace { task, missing },
                    None if missing.is_empty() => Proof::Unconditional { last, first },
                    None => Proof::Conditional {
                        last,
                        first,
                        missing,
                    },
                },
                demanded: alias.demanded,
            }
        });
        alias.collect()
    }

    pub(super) fn left(&self) -> Vec<Left> {
        let all = self.facts.left.iter().map(|(update, why)| Left {
            task: update.task as u32,
            operand: update.operand as u32,
            result: update.result as u32,
            reason: (*why).to_owned(),
        });
        all.collect()
    }
}

/// Bytes that resources take together: what two of them share counts once.
pub(super) fn together<'a>(resources: impl Iterator<Item = &'a Resource>) -> u64 {
    let mut slots: Vec<_> = resources.map(|r| (r.offset, r.end())).collect();
    slots.sort_unstable();
    let (mut bytes, mut end) = (0, 0);
    for (from, to) in slots {
        bytes += to.saturating_sub(from.max(end));
        end = end.max(to);
    }
    bytes
}

/// `4 * h * (w + 1)`, and `h + 1` of single bytes.
fn law(size: u64, shape: &[&str]) -> String {
    if let ([extent], 1) = (shape, size) {
        return (*extent).to_owned();
    }
    let first = (size > 1 || shape.is_empty()).then(|| size.to_string());
    let extents = shape.iter().map(|extent| match extent.contains(' ') {
        true => format!("({extent})"),
        false => (*extent).to_owned(),
    });
    first
        .into_iter()
        .chain(extents)
        .collect::<Vec<_>>()
        .join(" * ")
}

fn element(elem: Elem) -> Element {
    match elem {
        Elem::F32 => Element::F32,
        Elem::F64 => Element::F64,
        Elem::I8 => Element::I8,
        Elem::I16 => Element::I16,
        Elem::I32 => Element::I32,
        Elem::I64 => Element::I64,
        Elem::U8 => Element::U8,
        Elem::U16 => Element::U16,
        Elem::U32 => Element::U32,
        Elem::U64 => Element::U64,
        Elem::F16 => Element::F16,
        Elem::BF16 => Element::Bf16,
    }
}
