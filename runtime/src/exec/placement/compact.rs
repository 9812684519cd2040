//! Slots as they lie, moved down: each as far as those that lie wholly below it let it, longest path
//! first, so that what was apart stays apart and what began at one byte still does.

use super::{aligned, taken};
use crate::table::Slot;

/// Offsets from 0 for slots that now have `bytes`, none of them more than it had, and where the last
/// one ends.
pub(super) fn compact(slots: &[Slot], bytes: &[u64]) -> (Vec<u64>, u64) {
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
            below = below.max(taken(bytes[lower]).saturating_add(offsets[lower]));
            next += 1;
        }
        offsets[i] = below;
        length = length.max(aligned(bytes[i]).saturating_add(below));
    }
    (offsets, length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::table::SLOT_ALIGN;

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
