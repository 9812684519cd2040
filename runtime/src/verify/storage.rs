//! Slots: bounds, alignment, demands on where resources are, and the budget.

use super::cut::Cuts;
use super::{Table, Violation};
use crate::table::{Class, MAX_DOMAINS, MAX_STREAMS, Program, SLOT_ALIGN, Slot, Source};

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
    let (arena, store, pinned) = (
        program.arena as u128,
        program.store as u128,
        program.pinned as u128,
    );
    let all = (arena + pinned) * ring as u128 + store;
    if all > limit as u128 || arena + store + pinned > i64::MAX as u128 {
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
    let (kept, end) = (
        program.arena + program.store,
        program.arena + program.store + program.pinned,
    );
    // Lowest and highest byte of each isolation domain in the arenas, and again in pinned memory.
    let mut domains = [(u64::MAX, 0, 0); 2 * MAX_DOMAINS];
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
        let (first, last) = match class {
            Class::Resident | Class::Inout => (0, kept),
            Class::Staging => (kept, end),
            _ => (0, program.arena),
        };
        if offset < first || offset as u128 + bytes as u128 > last as u128 {
            return Err(Violation::SlotBounds { resource });
        }
        let domain = source.resources[r].domain as usize;
        if domain >= MAX_DOMAINS {
            return Err(Violation::Domain { resource });
        }
        if bytes > 0 && !class.persists() {
            let pinned = matches!(class, Class::Staging) as usize;
            let range = &mut domains[2 * domain + pinned];
            if offset < range.0 {
                range.0 = offset;
            }
            if offset + bytes > range.1 {
                range.1 = offset + bytes;
            }
            range.2 = resource;
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
    tri!(isolated(&domains));
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

/// No two of the ranges overlap: each is the first byte, one past the last, and a resource there.
pub(super) const fn isolated(ranges: &[(u64, u64, u32)]) -> Result<(), Violation> {
    let mut a = 0;
    while a < ranges.len() {
        let mut b = 0;
        while b < a {
            if ranges[a].0 < ranges[b].1 && ranges[b].0 < ranges[a].1 {
                let resource = ranges[a].2;
                return Err(Violation::Domain { resource });
            }
            b += 1;
        }
        a += 1;
    }
    Ok(())
}
