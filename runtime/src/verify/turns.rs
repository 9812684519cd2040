//! What holds between programs that take turns in one memory, those of one graph's variants.

use super::Violation;
use super::storage::isolated;
use crate::table::{Class, MAX_DOMAINS, Program, Source};

/// Nothing, so far: the lowest byte, one past the highest, and a resource there.
const NOTHING: (u64, u64, u32) = (u64::MAX, 0, 0);

/// Holds programs that are proved each by itself against each other: no byte of arena or pinned memory is
/// used in two isolation domains, which have the same numbers in all sources, and the budget has room for
/// the largest of each.
///
/// # Errors
/// A [`Violation`], with the number of the program that it is found in.
pub const fn turns(all: &[(&Source<'_>, &Program<'_>)]) -> Result<(), (usize, Violation)> {
    let mut domains = [[NOTHING; MAX_DOMAINS]; 2];
    let (mut arena, mut store, mut pinned) = (0, 0, 0);
    let mut i = 0;
    while i < all.len() {
        let (source, program) = all[i];
        arena = most(arena, program.arena);
        store = most(store, program.store);
        pinned = most(pinned, program.pinned);
        if let Err(violation) = join(source, program, &mut domains) {
            return Err((i, violation));
        }
        // Of those before, none overlaps another.
        let [in_arena, staged] = &domains;
        if let Err(violation) = isolated(in_arena) {
            return Err((i, violation));
        }
        if let Err(violation) = isolated(staged) {
            return Err((i, violation));
        }
        let each = arena as u128 + pinned as u128;
        let taken = each * program.ring as u128 + store as u128;
        if let Some(budget) = source.budget
            && taken > budget as u128
        {
            let ring = program.ring;
            return Err((i, Violation::Budget { arena, ring }));
        }
        i += 1;
    }
    Ok(())
}

/// Widens the ranges of each domain, in the arena and in pinned memory, by the slots of one program.
const fn join(
    source: &Source<'_>,
    program: &Program<'_>,
    domains: &mut [[(u64, u64, u32); MAX_DOMAINS]; 2],
) -> Result<(), Violation> {
    let kept = program.arena.saturating_add(program.store);
    let mut r = 0;
    while r < source.resources.len() && r < program.slots.len() {
        let (of, slot) = (&source.resources[r], program.slots[r]);
        let (resource, domain) = (r as u32, of.domain as usize);
        if domain >= MAX_DOMAINS {
            return Err(Violation::Domain { resource });
        }
        let (memory, base) = match of.class {
            Class::Staging => (1, kept),
            _ => (0, 0),
        };
        if slot.bytes > 0 && !of.class.persists() {
            let start = slot.offset.saturating_sub(base);
            let range = &mut domains[memory][domain];
            if start < range.0 {
                range.0 = start;
            }
            range.1 = most(range.1, start.saturating_add(slot.bytes));
            range.2 = resource;
        }
        r += 1;
    }
    Ok(())
}

const fn most(a: u64, b: u64) -> u64 {
    if a > b { a } else { b }
}

/// Proves at build time that programs may take turns.
///
/// # Panics
/// With the [summary](Violation::summary) of what is wrong: at build time, an error.
#[track_caller]
pub const fn prove_turns(all: &[(&Source<'_>, &Program<'_>)]) {
    if let Err((_, violation)) = turns(all) {
        panic!("{}", violation.summary());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::table::{Elem, Resource, Slot};

    /// Slots of one or two units in two memories of four units each, the second behind a store.
    fn program(rng: &mut Rng) -> (Vec<Resource<'static>>, Vec<Slot>) {
        let resource = |_| {
            let memories = [
                (Class::Transient, 0),
                (Class::Resident, 4),
                (Class::Staging, 5),
            ];
            let (class, base) = memories[rng.below(3)];
            let (at, units) = (rng.below(3) as u64, rng.below(3) as u64);
            let of = Resource {
                name: "r",
                class,
                elem: Elem::U8,
                domain: rng.below(3) as u8,
                shape: &[],
            };
            let slot = Slot {
                offset: 256 * (base + at),
                bytes: 256 * units,
            };
            (of, slot)
        };
        (0..2).map(resource).unzip()
    }

    /// In one memory, bytes of one domain lie all below or all above those of another.
    fn apart(all: &[(Vec<Resource<'_>>, Vec<Slot>)], staging: bool) -> bool {
        let base = if staging { 5 * 256 } else { 0 };
        let each = all.iter().flat_map(|(of, slots)| of.iter().zip(slots));
        let inside = each.filter(|(of, slot)| {
            let here = matches!(of.class, Class::Staging) == staging && !of.class.persists();
            here && slot.bytes > 0
        });
        let mut lows = [u64::MAX; 3];
        let mut highs = [0; 3];
        for (of, slot) in inside {
            let d = usize::from(of.domain);
            lows[d] = lows[d].min(slot.offset - base);
            highs[d] = highs[d].max(slot.offset - base + slot.bytes);
        }
        let pairs = [(0, 1), (0, 2), (1, 2)];
        pairs
            .iter()
            .all(|&(a, b)| highs[a] <= lows[b] || highs[b] <= lows[a])
    }

    #[test]
    fn random_programs_that_take_turns_are_judged_as_by_their_bytes() {
        let mut rng = Rng(7);
        let mut found = [0; 2];
        for _ in 0..20_000 {
            let all: Vec<_> = (0..1 + rng.below(3)).map(|_| program(&mut rng)).collect();
            let sources = all.iter().map(|(resources, _)| Source {
                resources,
                ..Source::EMPTY
            });
            let programs = all.iter().map(|(_, slots)| Program {
                arena: 4 * 256,
                store: 256,
                pinned: 4 * 256,
                slots,
                ..Program::EMPTY
            });
            let (sources, programs): (Vec<_>, Vec<_>) = (sources.collect(), programs.collect());
            let pairs: Vec<_> = sources.iter().zip(&programs).collect();
            let right = apart(&all, false) && apart(&all, true);
            assert_eq!(turns(&pairs).is_ok(), right, "{all:?}");
            found[usize::from(right)] += 1;
        }
        assert!(found.iter().all(|count| *count > 1_000), "{found:?}");
    }

    #[test]
    fn a_budget_has_room_for_the_most_of_each() {
        let source = Source {
            budget: Some(2 * (768 + 512) + 256),
            ..Source::EMPTY
        };
        let of = |arena, pinned| Program {
            ring: 2,
            arena,
            store: 256,
            pinned,
            ..Program::EMPTY
        };
        let (a, b, more) = (of(768, 0), of(256, 512), of(256, 768));
        assert_eq!(turns(&[(&source, &a), (&source, &b)]), Ok(()));
        assert_eq!(turns(&[(&source, &more)]), Ok(()));
        let (arena, ring) = (768, 2);
        let beyond = Err((1, Violation::Budget { arena, ring }));
        assert_eq!(turns(&[(&source, &a), (&source, &more)]), beyond);
    }
}
