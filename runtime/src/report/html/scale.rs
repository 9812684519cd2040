//! Where offsets come to lie in the arena map.

/// Pixels of the whole map, if no band were too low to be seen.
const HEIGHT: f64 = 440.0;
/// Pixels that the lowest bands may add to it.
const ROOM: f64 = 520.0;
/// Pixels of a band that shows a name, and of one that nothing lies in.
const NAMED: f64 = 13.0;
const HOLE: f64 = 2.0;

/// From bytes to pixels. To scale, but that a band between two neighbouring borders of slots is never
/// too low to be seen.
pub(super) struct Scale {
    /// Borders in bytes, ascending, each with its pixel.
    borders: Vec<(u64, f64)>,
    /// No band had to be made higher.
    pub(super) even: bool,
}

impl Scale {
    /// The scale of slots from `from` to `to`.
    pub(super) fn new(slots: impl Iterator<Item = (u64, u64)>) -> Self {
        let mut slots: Vec<(u64, u64)> = slots.filter(|(from, to)| from < to).collect();
        slots.sort_unstable();
        let mut borders: Vec<u64> = slots.iter().flat_map(|&(from, to)| [from, to]).collect();
        borders.sort_unstable();
        borders.dedup();
        let span = match borders[..] {
            [first, .., last] => last - first,
            _ => 1,
        };
        let bands = borders.len().saturating_sub(1).max(1);
        let least = (ROOM / bands as f64).clamp(1.0, NAMED);
        let (mut at, mut even, mut placed) = (0.0, true, Vec::new());
        // Of the slots up to the band, the largest end: below it something lies.
        let (mut end, mut slots) = (0, slots.into_iter().peekable());
        for (i, &border) in borders.iter().enumerate() {
            if let Some(before) = i.checked_sub(1) {
                while let Some((_, to)) = slots.next_if(|slot| slot.0 <= borders[before]) {
                    end = end.max(to);
                }
                let height = (border - borders[before]) as f64 / span as f64 * HEIGHT;
                let hole = end <= borders[before];
                let least = if hole { HOLE.min(least) } else { least };
                // Half a pixel more or less is not seen, nor how low a hole is.
                even &= hole || height + 0.5 >= least;
                at += height.max(least);
            }
            placed.push((border, at));
        }
        Self {
            borders: placed,
            even,
        }
    }

    /// Pixels from the top to a border of a slot.
    pub(super) fn at(&self, border: u64) -> f64 {
        match self.borders.binary_search_by_key(&border, |b| b.0) {
            Ok(found) => self.borders[found].1,
            Err(0) => 0.0,
            Err(next) => self.borders[next - 1].1,
        }
    }

    /// Pixels of the map.
    pub(super) fn height(&self) -> f64 {
        self.borders.last().map_or(0.0, |b| b.1)
    }

    /// Borders that are at least `gap` pixels apart, to be written beside the map.
    pub(super) fn marks(&self, gap: f64) -> Vec<(u64, f64)> {
        let mut marks: Vec<(u64, f64)> = Vec::new();
        let last = self.borders.last().copied();
        for &(border, at) in &self.borders {
            let free = marks.last().is_none_or(|m| at - m.1 >= gap);
            let end = last.is_some_and(|l| l.0 != border && l.1 - at < gap);
            if free && !end {
                marks.push((border, at));
            }
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_slots_are_to_scale() {
        let scale = Scale::new([(0, 256), (256, 512), (0, 512)].into_iter());
        assert!(scale.even);
        assert_eq!(
            (scale.at(0), scale.at(256), scale.at(512)),
            (0.0, 220.0, 440.0)
        );
        assert_eq!(scale.marks(20.0).len(), 3);
    }

    #[test]
    fn a_small_slot_beside_a_large_one_is_seen() {
        let scale = Scale::new([(0, 256), (256, 1 << 30)].into_iter());
        assert!(!scale.even);
        assert_eq!(scale.at(256), NAMED);
        assert_eq!(scale.marks(20.0).len(), 2);
    }

    #[test]
    fn a_hole_takes_less_room_than_a_slot() {
        let scale = Scale::new([(0, 1 << 30), ((1 << 30) + 256, 1 << 31)].into_iter());
        let hole = scale.at((1 << 30) + 256) - scale.at(1 << 30);
        assert!(scale.even && hole == HOLE);
    }

    #[test]
    fn a_thousand_bands_keep_within_the_room() {
        let slots = (0..1000).map(|i| (i * i * 256, (i + 1) * (i + 1) * 256));
        assert!(Scale::new(slots).height() < HEIGHT + 1000.0);
        assert_eq!(Scale::new(std::iter::empty()).height(), 0.0);
    }
}
