//! Slots: bounds, alignment, demands on where resources are, and the budget.

use super::cut::Cuts;
use super::{Table, Violation};
use crate::table::{Class, MAX_STREAMS, Program, SLOT_ALIGN, Slot, Source};

/// Checks everything about slots and instances that does not depend on the order of ops.
pub(super) const fn check(
    source: &Source<'_>,
    program: &Program<'_>,
    cuts: &Cuts<'_>,
) -> Result<(), Violation> {
    let (depth, ring, streams) = (source.depth, program.ring, program.streams);
    let all = ring as u64 * streams as u64;
    if depth < 1 || ring < 1 || streams < 1 || all > MAX_STREAMS as u64 {
        return Err(Violation::Streams {
            depth,
            ring,
            streams,
        });
    }
    // Run `ring` uses the first instance again, and its gates reach back `depth` runs.
    if ring != depth {
        return Err(Violation::Ring { ring, depth });
    }
    let limit = match source.budget {
        Some(bytes) if bytes < i64::MAX as u64 => bytes,
        _ => i64::MAX as u64,
    };
    let all = program.arena as u128 * ring as u128 + program.store as u128;
    if all > limit as u128 || program.arena as u128 + program.store as u128 > i64::MAX as u128 {
        return Err(Violation::Budget {
            arena: program.arena,
            ring,
        });
    }
    let (slots, resources) = (program.slots, source.resources.len());
    let count = slots.len();
    if count > resources {
        return Err(Violation::Dangling {
            table: Table::Slots,
            entry: resources as u32,
        });
    }
    let end = program.arena + program.store;
    // Slots of the store lie one behind the other, so that none shares a byte with another.
    let mut stored = program.arena;
    let mut r = 0;
    while r < resources {
        let resource = r as u32;
        if r >= count || slots[r].offset & (SLOT_ALIGN - 1) != 0 {
            return Err(Violation::SlotAlign { resource });
        }
        let Slot { offset, bytes } = slots[r];
        let class = source.resources[r].class;
        let last = if class.persists() { end } else { program.arena };
        if offset as u128 + bytes as u128 > last as u128 {
            return Err(Violation::SlotBounds { resource });
        }
        if class.persists() {
            if offset < stored || program.arena & (SLOT_ALIGN - 1) != 0 {
                return Err(Violation::SlotShared { resource });
            }
            stored = offset + bytes;
            if matches!(class, Class::Inout) && ring > 1 {
                return Err(Violation::SharedUpdate { resource });
            }
        }
        if cuts.bytes[r] > bytes {
            return Err(Violation::SlotSize { resource });
        }
        r += 1;
    }
    let mut i = 0;
    while i < source.aliases.len() {
        let (a, b) = source.aliases[i];
        if a as usize >= count || b as usize >= count {
            return Err(Violation::Dangling {
                table: Table::Aliases,
                entry: i as u32,
            });
        }
        if slots[a as usize].offset != slots[b as usize].offset {
            return Err(Violation::NotAliased { a, b });
        }
        i += 1;
    }
    let mut i = 0;
    while i < source.separate.len() {
        let (a, b) = source.separate[i];
        if a as usize >= count || b as usize >= count {
            return Err(Violation::Dangling {
                table: Table::Separate,
                entry: i as u32,
            });
        }
        let (at_a, at_b) = (slots[a as usize].offset, slots[b as usize].offset);
        let (len_a, len_b) = (cuts.bytes[a as usize], cuts.bytes[b as usize]);
        let apart = at_a + len_a <= at_b || at_b + len_b <= at_a;
        if !apart && len_a > 0 && len_b > 0 {
            return Err(Violation::NotSeparate { a, b });
        }
        i += 1;
    }
    Ok(())
}
