//! Moves slots a little apart, so that those of whole pages do not all begin on the same cache sets.
//!
//! A processor finds a line of its first cache by the low twelve bits of the address, and some guess
//! the way by a hash of the next sixteen. Where every slot is a multiple of 4096 bytes long, as with
//! extents that are powers of two, a kernel that walks several of them in step meets itself there:
//! the loads of each evict what the others are about to use. `docs/benchmarks.md` has the figures. Where
//! bytes of the arena are to be few, or a budget has no room for it, slots lie close all the same.

use super::ranges::{Part, Range};

/// What low address bits select a cache set.
const PAGE: u64 = 4096;
/// Bytes left behind a slot of whole pages, the first of which that is small enough: a few lines, and
/// where there is room for it some pages too, so that the higher bits differ as well.
const STEPS: [u64; 2] = [(1 << 16) + PAGE + 256, 256];
/// The padding is at most this part of what it pads.
const SHARE: u64 = 64;

/// New offsets for the ranges of `part`, which lie at `offsets`, and where they end. Of two that clash
/// the lower one stays below, so what was apart stays apart; padding adds at most a 64th of the whole.
pub(super) fn offsets(part: &Part, offsets: &[u64]) -> (Vec<u64>, u64) {
    let ranges = &part.ranges;
    let end = |offsets: &[u64]| {
        let ends = ranges
            .iter()
            .zip(offsets)
            .map(|(r, o)| o.saturating_add(r.bytes));
        ends.max().unwrap_or(0)
    };
    let padded: Vec<u64> = ranges.iter().map(|range| padded(range.bytes)).collect();
    let as_is = |(range, padded): (&Range, &u64)| *padded == range.bytes;
    if ranges.iter().zip(&padded).all(as_is) {
        return (offsets.to_vec(), end(offsets));
    }
    let mut sequence: Vec<usize> = (0..ranges.len()).collect();
    sequence.sort_by_key(|&r| (offsets[r], ranges[r].group, r));
    let mut moved = vec![0u64; ranges.len()];
    let mut ends = vec![0u64; ranges.len()];
    let mut done = 0;
    // Those of one group move together.
    for group in sequence.chunk_by(|&a, &b| ranges[a].group == ranges[b].group) {
        let (mut at, mut k) = (0, done);
        // The highest first: behind it there are few that reach further.
        while k > 0 {
            k -= 1;
            let below = sequence[k];
            if ends[below] > at && group.iter().any(|&r| part.clash(r, below)) {
                at = ends[below];
            }
        }
        for &r in group {
            (moved[r], ends[r]) = (at, at.saturating_add(padded[r]));
        }
        done += group.len();
    }
    let end = end(&moved);
    (moved, end)
}

/// Whether something is left behind a slot of so many bytes.
pub(crate) fn is_padded(bytes: u64) -> bool {
    padded(bytes) != bytes
}

/// With what is left behind it.
fn padded(bytes: u64) -> u64 {
    let step = STEPS.into_iter().find(|step| step * SHARE <= bytes);
    let step = step.filter(|_| bytes.is_multiple_of(PAGE));
    bytes.saturating_add(step.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::{STEPS, offsets};
    use crate::layout::ranges::{Part, Range};
    use crate::model::{Region, ResourceId};
    use crate::order::bits::BitRows;

    /// Ranges of `bytes`, those of `over` over one before the other.
    fn part(bytes: &[u64], over: &[(usize, usize)]) -> Part {
        let range = |(at, &bytes): (usize, &u64)| Range {
            group: at,
            chain: vec![ResourceId(at as u32)],
            bytes,
        };
        let mut rows = BitRows::new(bytes.len(), bytes.len());
        over.iter().for_each(|&(a, b)| rows.set(a, b));
        Part {
            region: Region::default(),
            ranges: bytes.iter().enumerate().map(range).collect(),
            apart: Vec::new(),
            over: Some(rows),
        }
    }

    #[test]
    fn slots_of_whole_pages_begin_on_different_sets() {
        for (size, step) in [(1 << 30, STEPS[0]), (1 << 20, STEPS[1])] {
            let found = offsets(&part(&[size; 3], &[]), &[0, size, 2 * size]);
            let apart = [0, size + step, 2 * (size + step)];
            assert_eq!(found, (apart.to_vec(), 3 * size + 2 * step));
        }
    }

    #[test]
    fn other_and_small_slots_stay_where_they_are() {
        for size in [4096, 12_288, (1 << 20) + 256] {
            let at = [0, size, 2 * size];
            let found = offsets(&part(&[size; 3], &[]), &at);
            assert_eq!(found, (at.to_vec(), 3 * size));
        }
    }

    #[test]
    fn what_shares_storage_still_may() {
        // 0 and 2 do not clash and lie at one place; 1 lies above both.
        let (size, step) = (1 << 20, STEPS[1]);
        let (moved, arena) = offsets(&part(&[size; 3], &[(0, 2)]), &[0, size, 0]);
        assert_eq!((moved, arena), (vec![0, size + step, 0], 2 * size + step));
    }

    #[test]
    fn what_lies_at_one_offset_still_does() {
        // 0 and 2 are one group, and 3 clashes with 2 alone.
        let (size, step) = (1 << 20, STEPS[1]);
        let mut part = part(&[size; 4], &[(0, 2), (0, 3)]);
        part.ranges[2].group = 0;
        let (moved, _) = offsets(&part, &[size, 0, size, 2 * size]);
        assert_eq!(moved, [size + step, 0, size + step, 2 * (size + step)]);
    }
}
