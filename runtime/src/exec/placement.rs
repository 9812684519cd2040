//! Where the resources of one graph lie at actual dims.
//!
//! A program has offsets for the dims' maxima. At smaller dims resources are shorter, and the same
//! plan fits into less: each slot moves down as far as those that lie wholly below it let it, longest
//! path first, so that what was apart stays apart and what began at one byte still does. Programs that
//! take turns in one memory have each isolation domain at one place, as their plans do. Nothing is
//! concluded from that here: the verifier judges the result as it judges a plan.

use std::collections::BTreeMap;

use super::Image;
use super::resolve::{ResolveError, sizes};
use crate::table::{Class, Program, Resource, SLOT_ALIGN, Slot, Source};

/// Slots in arena, store and pinned memory, laid end to end, and the bytes of each of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    slots: Box<[Slot]>,
    pub(crate) arena: u64,
    pub(crate) store: u64,
    pub(crate) pinned: u64,
}

impl Placement {
    /// As the program has it, for the dims' maxima.
    pub fn planned(program: &Program<'_>) -> Self {
        Self {
            slots: program.slots.into(),
            arena: program.arena,
            store: program.store,
            pinned: program.pinned,
        }
    }

    /// The same closer together, for `dims`: of each of the images, which take turns in one memory, so
    /// that each isolation domain has one place in all of them.
    ///
    /// # Errors
    /// Where an extent has no value, or a table names what is not there.
    pub fn fitted(images: &[Image], dims: &[u64]) -> Result<Vec<Self>, ResolveError> {
        let moved = images.iter().map(|image| {
            let bytes = sizes(image, dims)?;
            Ok(moved(image.source, image.program, &bytes))
        });
        let moved: Vec<Vec<Moved>> = moved.collect::<Result<_, _>>()?;
        let mut most = BTreeMap::new();
        for of in moved.iter().flatten() {
            let bytes: &mut u64 = most.entry(of.region).or_default();
            *bytes = of.length.max(*bytes);
        }
        let all = images.iter().zip(&moved);
        let all = all.map(|(image, moved)| placed(image.program, moved, &most));
        Ok(all.collect())
    }

    /// The program with these slots.
    pub fn of<'a>(&'a self, program: &Program<'a>) -> Program<'a> {
        Program {
            slots: &self.slots,
            arena: self.arena,
            store: self.store,
            pinned: self.pinned,
            ..*program
        }
    }

    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }
}

/// One of the three ranges, and an isolation domain in it.
type Region = (usize, u8);

/// The three ranges: what outlives runs lies behind the arena, and staging behind that.
fn region(of: &Resource<'_>) -> Region {
    match of.class {
        // Where it lies is the same for all, whatever its domain.
        Class::Resident | Class::Inout => (1, 0),
        Class::Staging => (2, of.domain),
        _ => (0, of.domain),
    }
}

/// The slots of one region, from 0 on.
struct Moved {
    region: Region,
    slots: Vec<(usize, Slot)>,
    length: u64,
}

fn moved(source: &Source<'_>, program: &Program<'_>, bytes: &[u64]) -> Vec<Moved> {
    let mut inside: BTreeMap<Region, Vec<usize>> = BTreeMap::new();
    for (i, of) in source.resources.iter().enumerate() {
        inside.entry(region(of)).or_default().push(i);
    }
    let each = inside.into_iter().map(|(region, inside)| {
        let old: Vec<Slot> = inside.iter().map(|&i| program.slots[i]).collect();
        let new: Vec<u64> = inside.iter().map(|&i| bytes[i]).collect();
        let (offsets, length) = compact(&old, &new);
        let new = offsets.into_iter().zip(new);
        let slots = new.map(|(offset, bytes)| Slot { offset, bytes });
        Moved {
            region,
            slots: inside.into_iter().zip(slots).collect(),
            length,
        }
    });
    each.collect()
}

/// Regions one behind the other, each with room for `most`.
fn placed(program: &Program<'_>, moved: &[Moved], most: &BTreeMap<Region, u64>) -> Placement {
    let mut slots: Box<[Slot]> = program.slots.into();
    let mut ends = [0u64; 3];
    let mut base = 0;
    for (range, end) in ends.iter_mut().enumerate() {
        for of in moved.iter().filter(|of| of.region.0 == range) {
            let before = most.range((range, 0)..of.region);
            // What has no bytes lies where the range begins.
            let start = match of.length {
                0 => 0,
                _ => before.map(|(_, bytes)| bytes).sum::<u64>(),
            };
            for &(i, Slot { offset, bytes }) in &of.slots {
                let offset = base + start + offset;
                slots[i] = Slot { offset, bytes };
            }
            *end = (*end).max(start + of.length);
        }
        base += *end;
    }
    let [arena, store, pinned] = ends;
    Placement {
        slots,
        arena,
        store,
        pinned,
    }
}

/// Offsets from 0 for slots that now have `bytes`, none of them more than it had, and where the last
/// one ends.
fn compact(slots: &[Slot], bytes: &[u64]) -> (Vec<u64>, u64) {
    let end = |i: usize| slots[i].offset.saturating_add(slots[i].bytes);
    let mut by_offset: Vec<usize> = (0..slots.len()).collect();
    by_offset.sort_by_key(|&i| (slots[i].offset, end(i)));
    let mut by_end = by_offset.clone();
    by_end.sort_by_key(|&i| (end(i), slots[i].offset));
    let mut offsets = vec![0; slots.len()];
    // Those that end at or below an offset begin there or before, so they have theirs already.
    let (mut below, mut length, mut next) = (0u64, 0u64, 0);
    for &i in &by_offset {
        while let Some(&lower) = by_end.get(next)
            && end(lower) <= slots[i].offset
            && lower != i
        {
            below = below.max(offsets[lower] + taken(bytes[lower]));
            next += 1;
        }
        offsets[i] = below;
        length = length.max(below + aligned(bytes[i]));
    }
    (offsets, length)
}

fn aligned(bytes: u64) -> u64 {
    bytes.next_multiple_of(SLOT_ALIGN)
}

/// Slots of whole pages begin a few lines apart, as the planner has them: a kernel that walks
/// several in step would else meet itself on the same cache sets. `tests/placement.rs` holds the two
/// together.
fn taken(bytes: u64) -> u64 {
    const PAGE: u64 = 4096;
    const STEPS: [u64; 2] = [(1 << 16) + PAGE + 256, 256];
    const SHARE: u64 = 64;
    let bytes = aligned(bytes);
    let step = STEPS.into_iter().find(|step| step * SHARE <= bytes);
    let step = step.filter(|_| bytes.is_multiple_of(PAGE));
    bytes + step.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn what_is_apart_stays_apart_and_what_begins_together_still_does() {
        let mut rng = Rng(1);
        let (mut shared, mut moved) = (0, 0);
        for _ in 0..2_000 {
            let slots: Vec<Slot> = (0..1 + rng.below(12))
                .map(|_| Slot {
                    offset: 256 * rng.below(12) as u64,
                    bytes: 256 * rng.below(6) as u64,
                })
                .collect();
            let bytes = slots.iter().map(|s| rng.below(s.bytes as usize + 1) as u64);
            let bytes: Vec<u64> = bytes.collect();
            let (offsets, length) = compact(&slots, &bytes);
            let most = slots.iter().map(|s| s.offset + s.bytes).max();
            assert!(Some(length) <= most, "{slots:?} {bytes:?}");
            for i in 0..slots.len() {
                assert!(offsets[i] % SLOT_ALIGN == 0 && offsets[i] <= slots[i].offset);
                assert!(offsets[i] + bytes[i] <= length);
                moved += u32::from(offsets[i] < slots[i].offset);
                for j in 0..slots.len() {
                    let (a, b) = (slots[i], slots[j]);
                    if a.offset == b.offset && a.bytes > 0 && b.bytes > 0 {
                        assert_eq!(offsets[i], offsets[j], "{slots:?} {bytes:?}");
                        shared += 1;
                    }
                    if i != j && a.offset + a.bytes <= b.offset && a.bytes > 0 {
                        assert!(offsets[i] + bytes[i] <= offsets[j], "{slots:?} {bytes:?}");
                    }
                }
            }
        }
        assert!(shared > 1_000 && moved > 1_000, "{shared} {moved}");
    }
}
