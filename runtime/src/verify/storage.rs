//! Slots: bounds, alignment, demands on where resources are, and the budget.

use super::cut::Cuts;
use super::{Table, Violation};
use crate::table::{MAX_STREAMS, Program, SLOT_ALIGN, Source};

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
    // Run `ring` uses the first instance again, and its gate reaches back `depth` runs.
    if ring < depth {
        return Err(Violation::ShortRing { ring, depth });
    }
    let limit = match source.budget {
        Some(bytes) if bytes < i64::MAX as u64 => bytes,
        _ => i64::MAX as u64,
    };
    if program.arena as u128 * ring as u128 > limit as u128 {
        return Err(Violation::Budget {
            arena: program.arena,
            ring,
        });
    }
    if program.slots.len() > source.resources.len() {
        return Err(Violation::Dangling {
            table: Table::Slots,
            entry: source.resources.len() as u32,
        });
    }
    let mut r = 0;
    while r < source.resources.len() {
        let resource = r as u32;
        if r >= program.slots.len() || !program.slots[r].offset.is_multiple_of(SLOT_ALIGN) {
            return Err(Violation::SlotAlign { resource });
        }
        let slot = &program.slots[r];
        if slot.offset as u128 + slot.bytes as u128 > program.arena as u128 {
            return Err(Violation::SlotBounds { resource });
        }
        if cuts.bytes[r] > slot.bytes {
            return Err(Violation::SlotSize { resource });
        }
        r += 1;
    }
    let mut i = 0;
    while i < source.aliases.len() {
        let (a, b) = source.aliases[i];
        if a as usize >= program.slots.len() || b as usize >= program.slots.len() {
            return Err(Violation::Dangling {
                table: Table::Aliases,
                entry: i as u32,
            });
        }
        if program.slots[a as usize].offset != program.slots[b as usize].offset {
            return Err(Violation::NotAliased { a, b });
        }
        i += 1;
    }
    let mut i = 0;
    while i < source.separate.len() {
        let (a, b) = source.separate[i];
        if a as usize >= program.slots.len() || b as usize >= program.slots.len() {
            return Err(Violation::Dangling {
                table: Table::Separate,
                entry: i as u32,
            });
        }
        let (at_a, at_b) = (
            program.slots[a as usize].offset,
            program.slots[b as usize].offset,
        );
        let (len_a, len_b) = (cuts.bytes[a as usize], cuts.bytes[b as usize]);
        let apart = at_a + len_a <= at_b || at_b + len_b <= at_a;
        if !apart && len_a > 0 && len_b > 0 {
            return Err(Violation::NotSeparate { a, b });
        }
        i += 1;
    }
    Ok(())
}
