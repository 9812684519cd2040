//! Offsets for sets small enough to compare in pairs.

use super::groups::Group;
use crate::frontier::Frontiers;
use crate::order::Precedence;
use crate::order::bits::BitRows;

/// Which gap a group takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    /// The smallest that fits.
    Best,
    /// The lowest that fits.
    First,
}

/// Which groups may not overlap: those that may be live at once, and those of `apart`.
pub(super) fn clashes(groups: &[Group], live: &Frontiers, apart: &[(usize, usize)]) -> BitRows {
    let mut clash = BitRows::new(groups.len(), groups.len());
    for (i, g) in groups.iter().enumerate() {
        for (j, h) in groups[..i].iter().enumerate() {
            if !g.apart(h, live) {
                clash.set(i, j);
                clash.set(j, i);
            }
        }
    }
    for &(i, j) in apart {
        clash.set(i, j);
        clash.set(j, i);
    }
    clash
}

/// The smallest arena over a few orders of placement, with its offsets. Stops at `bound`.
pub(super) fn offsets(
    groups: &[Group],
    order: &Precedence,
    live: &Frontiers,
    clash: &BitRows,
    bound: u64,
) -> (Vec<u64>, u64) {
    let bytes: Vec<u64> = groups.iter().map(|g| g.bytes).collect();
    let spans: Vec<(u32, u32)> = groups.iter().map(|g| g.interval(order, live)).collect();
    let area = |i: usize| u128::from(bytes[i]) * u128::from(spans[i].1 - spans[i].0);
    // Ties go to the earlier statement; the index only decides between equals in all else.
    let all: Vec<usize> = (0..groups.len()).collect();
    let mut by_size = all.clone();
    by_size.sort_by_key(|&i| (std::cmp::Reverse(bytes[i]), spans[i], i));
    let mut by_area = all.clone();
    by_area.sort_by_key(|&i| {
        let size = std::cmp::Reverse(bytes[i]);
        (std::cmp::Reverse(area(i)), size, spans[i], i)
    });
    let mut by_start = all;
    by_start.sort_by_key(|&i| (spans[i].0, std::cmp::Reverse(bytes[i]), spans[i].1, i));
    let mut best: Option<(Vec<u64>, u64)> = None;
    for sequence in [&by_size, &by_area, &by_start] {
        for gap in [Gap::Best, Gap::First] {
            let found = place(sequence, &bytes, clash, gap);
            if best.as_ref().is_none_or(|b| found.1 < b.1) {
                best = Some(found);
            }
            if best.as_ref().is_some_and(|b| b.1 <= bound) {
                break;
            }
        }
    }
    best.unwrap_or_default()
}

/// Puts each group in turn below, between or above those placed that it clashes with.
fn place(sequence: &[usize], bytes: &[u64], clash: &BitRows, rule: Gap) -> (Vec<u64>, u64) {
    let mut offsets = vec![0; bytes.len()];
    let mut placed: Vec<(u64, usize)> = Vec::with_capacity(bytes.len());
    let mut arena = 0u64;
    for &g in sequence {
        let (mut top, mut chosen, mut room) = (0u64, None, u64::MAX);
        let mut k = 0;
        while k < placed.len() {
            let (offset, other) = placed[k];
            k += 1;
            if !clash.get(g, other) {
                continue;
            }
            if offset > top && offset - top >= bytes[g] && offset - top < room {
                chosen = Some(top);
                room = offset - top;
                if rule == Gap::First {
                    break;
                }
            }
            top = top.max(offset.saturating_add(bytes[other]));
        }
        let offset = chosen.unwrap_or(top);
        offsets[g] = offset;
        arena = arena.max(offset.saturating_add(bytes[g]));
        let at = placed.partition_point(|p| *p < (offset, g));
        placed.insert(at, (offset, g));
    }
    (offsets, arena)
}
