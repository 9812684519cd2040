//! One layout beside those of other combinations of variants, which take turns in the same memory.
//!
//! Nothing is unmapped between two runs, so no byte may be of one domain in this run and of another in
//! the next. Each domain has one place for all combinations, as large as any of them needs.

use super::Layout;
use crate::model::{Model, RegionBytes};

impl Layout {
    /// Moves the regions to where `all` has them, which has room for each of them. Where there is one
    /// domain, nothing moves.
    pub(crate) fn spread(&mut self, model: &Model, all: &RegionBytes) {
        let [arena, pinned] = [false, true].map(|staging| self.extent(all, staging));
        let reserved = arena.saturating_sub(self.arena);
        for (slot, of) in self.slots.iter_mut().zip(&model.resources) {
            let region = of.region();
            // What has no bytes lies where its memory begins.
            let within = match self.regions.of(region) {
                0 => 0,
                _ => all.start(region).saturating_sub(self.regions.start(region)),
            };
            let by = match (of.class.persists(), region.staging) {
                (true, _) => reserved,
                (_, true) => reserved.saturating_add(within),
                (_, false) => within,
            };
            slot.offset = slot.offset.saturating_add(by);
        }
        self.reserved = reserved;
        (self.arena, self.pinned) = (arena, pinned);
        self.tight = None;
    }

    /// Where the last region of one memory ends that this layout uses, where all lie as `all` says.
    fn extent(&self, all: &RegionBytes, staging: bool) -> u64 {
        let own = self.regions.iter().filter(|(r, _)| r.staging == staging);
        let end = own
            .last()
            .map(|(r, bytes)| all.start(r).saturating_add(bytes));
        end.unwrap_or(0)
    }
}
