//! Offsets in the arena over the partial order of tasks.
//!
//! Two resources overlap only if one is wholly before the other by dependencies alone, or if a task
//! updates one into the other. Streams and the order of issue prove nothing here, so a layout holds
//! for every schedule.

mod bound;
mod budget;
mod fit;
mod groups;
pub mod sizes;
mod stagger;
mod sweep;

pub use bound::{Bound, bound};
pub use budget::{check as check_budget, fits as fits_budget};
pub use groups::{Group, Groups, Left, groups};

use crate::alias::{Demands, Merge};
use crate::frontier::Frontiers;
use crate::model::{Model, Region, Resource};
use crate::order::Precedence;
use crate::plan::Slot;

/// Sets of groups up to this size are compared in pairs; larger ones are swept once.
pub const PAIRWISE: usize = 2000;

/// Where everything lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// A slot for each resource.
    pub slots: Vec<Slot>,
    /// Bytes of one instance.
    pub arena: u64,
    /// Bytes of what outlives runs, behind the arena.
    pub store: u64,
    /// Bytes of one instance's staging, behind the store.
    pub pinned: u64,
    /// The lower bound of the arena: the sum of those of its domains, and where the largest is met.
    pub bound: Bound,
    /// Merges taken: operand and result lie in one slot.
    pub merges: Vec<Merge>,
    /// Legal merges that were left.
    pub left: Vec<Left>,
    /// Whether one pass was made (a large set) and not several.
    pub swept: bool,
    /// Bytes by which the arena grew, so that slots begin on different cache sets.
    pub padding: u64,
}

/// Lays out `model` under demands that hold. Sets of more than `pairwise` groups are swept once;
/// [`PAIRWISE`] is the usual limit. Slots are staggered unless the budget has no room for it.
pub fn layout(
    model: &Model,
    order: &Precedence,
    live: &Frontiers,
    demands: &Demands,
    merges: &[Merge],
    pairwise: usize,
) -> Layout {
    let lay = |stagger: bool| {
        let laid = Laid {
            model,
            order,
            live,
            demands,
            merges,
            pairwise,
            stagger,
            slots: vec![Slot::default(); model.resources.len()],
            swept: false,
            padding: 0,
        };
        laid.all()
    };
    let staggered = lay(true);
    if staggered.padding > 0 && !fits_budget(model, &staggered) {
        return lay(false);
    }
    staggered
}

/// A layout under construction, region by region.
struct Laid<'a> {
    model: &'a Model,
    order: &'a Precedence,
    live: &'a Frontiers,
    demands: &'a Demands,
    merges: &'a [Merge],
    pairwise: usize,
    stagger: bool,
    slots: Vec<Slot>,
    swept: bool,
    padding: u64,
}

impl Laid<'_> {
    fn all(mut self) -> Layout {
        let model = self.model;
        let all = sizes::all(model);
        let mut regions: Vec<Region> = model.resources.iter().map(Resource::region).collect();
        regions.sort_unstable();
        regions.dedup();
        let (mut arena, mut bound, mut taken) = (0u64, Bound::default(), None);
        for &region in regions.iter().filter(|r| !r.staging) {
            let (bytes, found, groups) = self.region(&all, region, arena);
            arena = arena.saturating_add(bytes);
            bound = bound.beside(found);
            taken.get_or_insert(groups);
        }
        let store = store(model, &all, arena, &mut self.slots);
        let kept = arena.saturating_add(store);
        let mut pinned = 0u64;
        for &region in regions.iter().filter(|r| r.staging) {
            let (bytes, _, groups) = self.region(&all, region, kept.saturating_add(pinned));
            pinned = pinned.saturating_add(bytes);
            taken.get_or_insert(groups);
        }
        // Merges do not depend on sizes, so each region has found the same ones.
        let mut groups = taken.unwrap_or_default();
        groups.taken.sort_by_key(|m| m.task);
        Layout {
            slots: self.slots,
            arena,
            store,
            pinned,
            bound,
            merges: groups.taken,
            left: groups.left,
            swept: self.swept,
            padding: self.padding,
        }
    }

    /// Gives the resources of `region` slots from `base` on; returns the bytes it takes.
    fn region(&mut self, all: &[u64], region: Region, base: u64) -> (u64, Bound, Groups) {
        let Self {
            order,
            live,
            demands,
            merges,
            ..
        } = *self;
        let inside = |r: &Resource| !r.class.persists() && r.region() == region;
        let resources = all.iter().zip(&self.model.resources);
        let bytes: Vec<u64> = resources
            .map(|(&bytes, r)| if inside(r) { bytes } else { 0 })
            .collect();
        let bound = bound(self.model, order, live, &bytes, demands, merges);
        let groups = groups(&bytes, demands, merges, live);
        let apart = groups.apart(demands);
        let swept = groups.list.len() > self.pairwise;
        let (offsets, end) = if swept {
            sweep::offsets(&groups.list, order, live, &apart)
        } else {
            let clash = fit::clashes(&groups.list, live, &apart);
            let tight = fit::offsets(&groups.list, order, live, &clash, bound.bytes);
            if self.stagger && !region.staging {
                let sizes: Vec<u64> = groups.list.iter().map(|g| g.bytes).collect();
                let staggered = stagger::offsets(&tight.0, &sizes, &clash);
                self.padding += staggered.1.saturating_sub(tight.1);
                staggered
            } else {
                tight
            }
        };
        self.swept |= swept;
        for (group, offset) in groups.list.iter().zip(offsets) {
            for member in group.members() {
                let member = member.0 as usize;
                if inside(&self.model.resources[member]) {
                    self.slots[member] = Slot {
                        offset: base.saturating_add(offset),
                        bytes: bytes[member],
                    };
                }
            }
        }
        (end, bound, groups)
    }
}

/// Gives each resource that outlives runs a slot of its own behind the arena, in order of
/// declaration, so that no plan of another variant or version moves it. Returns the bytes of all.
fn store(model: &Model, bytes: &[u64], arena: u64, slots: &mut [Slot]) -> u64 {
    let mut end = arena;
    for (r, resource) in model.resources.iter().enumerate() {
        if resource.class.persists() {
            slots[r] = Slot {
                offset: end,
                bytes: bytes[r],
            };
            end = end.saturating_add(bytes[r]);
        }
    }
    end - arena
}
