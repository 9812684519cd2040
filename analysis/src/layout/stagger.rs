//! Moves slots a little apart, so that those of whole pages do not all begin on the same cache sets.
//!
//! A processor finds a line of its first cache by the low twelve bits of the address, and some guess
//! the way by a hash of the next sixteen. Where every slot is a multiple of 4096 bytes long, as with
//! extents that are powers of two, a kernel that walks several of them in step meets itself there:
//! the loads of each evict what the others are about to use. `docs/benchmarks.md` has the figures.

use crate::order::bits::BitRows;

/// What low address bits select a cache set.
const PAGE: u64 = 4096;
/// Bytes left behind a slot of whole pages, the first of which that is small enough: a few lines, and
/// where there is room for it some pages too, so that the higher bits differ as well.
const STEPS: [u64; 2] = [(1 << 16) + PAGE + 256, 256];
/// The padding is at most this part of what it pads.
const SHARE: u64 = 64;

/// New offsets for groups of `bytes` that lie at `offsets`, and the new arena. Of two that clash the
/// lower one stays below, so what was apart stays apart; padding adds at most a 64th of the arena.
pub(super) fn offsets(offsets: &[u64], bytes: &[u64], clash: &BitRows) -> (Vec<u64>, u64) {
    let mut sequence: Vec<usize> = (0..offsets.len()).collect();
    sequence.sort_by_key(|&g| (offsets[g], g));
    let mut moved = vec![0u64; offsets.len()];
    let mut arena = 0u64;
    for (at, &g) in sequence.iter().enumerate() {
        let below = sequence[..at].iter().filter(|&&h| clash.get(g, h));
        let ends = below.map(|&h| moved[h].saturating_add(padded(bytes[h])));
        moved[g] = ends.max().unwrap_or(0);
        arena = arena.max(moved[g].saturating_add(bytes[g]));
    }
    (moved, arena)
}

/// With what is left behind it.
fn padded(bytes: u64) -> u64 {
    let step = STEPS.into_iter().find(|step| step * SHARE <= bytes);
    let step = step.filter(|_| bytes.is_multiple_of(PAGE));
    bytes.saturating_add(step.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::{BitRows, STEPS, offsets};

    fn all_clash(groups: usize) -> BitRows {
        let mut clash = BitRows::new(groups, groups);
        for i in 0..groups {
            (0..groups)
                .filter(|&j| j != i)
                .for_each(|j| clash.set(i, j));
        }
        clash
    }

    #[test]
    fn slots_of_whole_pages_begin_on_different_sets() {
        for (size, step) in [(1 << 30, STEPS[0]), (1 << 20, STEPS[1])] {
            let found = offsets(&[0, size, 2 * size], &[size; 3], &all_clash(3));
            let apart = [0, size + step, 2 * (size + step)];
            assert_eq!(found, (apart.to_vec(), 3 * size + 2 * step));
        }
    }

    #[test]
    fn other_and_small_slots_stay_where_they_are() {
        for size in [4096, 12_288, (1 << 20) + 256] {
            let at = [0, size, 2 * size];
            assert_eq!(
                offsets(&at, &[size; 3], &all_clash(3)),
                (at.to_vec(), 3 * size)
            );
        }
    }

    #[test]
    fn what_shares_storage_still_may() {
        // 0 and 2 do not clash and lie at one place; 1 lies above both.
        let (size, mut clash) = (1 << 20, BitRows::new(3, 3));
        let step = STEPS[1];
        for (i, j) in [(0, 1), (1, 2)] {
            clash.set(i, j);
            clash.set(j, i);
        }
        let (moved, arena) = offsets(&[0, size, 0], &[size; 3], &clash);
        assert_eq!((moved, arena), (vec![0, size + step, 0], 2 * size + step));
    }
}
