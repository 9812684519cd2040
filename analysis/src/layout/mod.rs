//! Offsets in the arena over the partial order of tasks.
//!
//! Two resources overlap only if one is wholly before the other by the order, or if a task updates one
//! into the other. The order is that of the dependencies, and where a policy says so that of added
//! edges and streams; the order of issue proves nothing here.
//!
//! ```text
//!   groups     what lies at one offset: in-place chains, demanded aliases
//!   ranges     chains as live ranges, and which is over before which
//!   place      offsets, a lower bound, and whether none is smaller      (sweep: large sets)
//!   stagger    slots of whole pages a little apart
//!   occupants  who takes storage after whom, in what was laid out
//!   turns      domains where all combinations of variants have them
//! ```

mod bound;
mod budget;
mod groups;
mod occupants;
mod ranges;
pub mod sizes;
mod slot;
mod stagger;
mod sweep;
mod turns;

pub(crate) use bound::held;
pub use bound::{At, Bound, DomainBound};
pub(crate) use budget::{amount_of as budget_of, listed, need, summands};
pub use budget::{check as check_budget, fits as fits_budget};
pub use groups::{Groups, Left, Why};
pub use occupants::occupants;
pub use ranges::{Part, Range, Ranges};
pub use slot::{SLOT_ALIGN, Slot};
pub(crate) use stagger::is_padded;

use crate::frontier::Frontiers;
use crate::model::{Model, RegionBytes};
use crate::order::Precedence;
use crate::place::{Limits, place};

/// Sets of ranges up to this size are compared in pairs and searched; larger ones are swept once.
pub const PAIRWISE: usize = 2000;

/// How far a layout is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Steps of [`place`](mod@crate::place) for each region of memory. Each greedy placement takes
    /// twice the number of pairs that clash, so the more there are, the less is searched.
    pub steps: u64,
}

impl Effort {
    /// For each plan that is weighed: greedy.
    pub const WEIGHED: Self = Self { steps: 20_000 };
    /// For the plan that is taken, inside a macro, where this code runs unoptimised.
    pub const TAKEN: Self = Self { steps: 1_000_000 };
}

/// What lies between slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spacing {
    /// Behind those of whole pages a few lines, so that they begin on different cache sets, unless the
    /// budget has no room for that.
    #[default]
    Staggered,
    /// Nothing.
    Tight,
}

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
    /// What each domain takes of arena and staging.
    pub regions: RegionBytes,
    /// Bytes of the arena in which other combinations of variants have domains.
    pub reserved: u64,
    /// The lower bound of the arena without its padding.
    pub bound: Bound,
    /// Whether one pass was made (a large set) and nothing searched.
    pub swept: bool,
    /// Steps of the search for it.
    pub steps: u64,
    /// Bytes by which the arena grew, so that slots begin on different cache sets.
    pub padding: u64,
    /// The same without room between slots, where there is some.
    pub tight: Option<Box<Layout>>,
}

impl Layout {
    /// In no execution is more live at once in an arena. What is live at one moment is live together by
    /// twos, and of such sets the one with the most bytes is what the bound lists, unless the layout
    /// is swept: then all that is live has room in the arena.
    pub fn most_live(&self) -> u64 {
        let listed = self.bound.parts.iter().map(|part| part.listed);
        match self.arena {
            u64::MAX => self.arena,
            arena if self.swept => arena.saturating_sub(self.padding.saturating_add(self.reserved)),
            _ => listed.fold(0, u64::saturating_add),
        }
    }
}

/// Lays out `ranges`.
pub fn layout(
    model: &Model,
    sizes: &[u64],
    order: &Precedence,
    live: &Frontiers,
    ranges: &Ranges,
    effort: Effort,
    spacing: Spacing,
) -> Layout {
    let tight: Vec<Placed> = ranges
        .parts
        .iter()
        .map(|part| placed(part, order, live, effort))
        .collect();
    let staggered: Vec<(Vec<u64>, u64)> = ranges
        .parts
        .iter()
        .zip(&tight)
        .map(|(part, placed)| {
            let as_is = part.region.staging
                || placed.swept
                || placed.end == u64::MAX
                || spacing == Spacing::Tight;
            match as_is {
                true => (placed.offsets.clone(), placed.end),
                false => stagger::offsets(part, &placed.offsets),
            }
        })
        .collect();
    let mut laid = gather(model, sizes, ranges, &tight, &staggered);
    let close: Vec<_> = tight.iter().map(|p| (p.offsets.clone(), p.end)).collect();
    if close != staggered {
        let close = gather(model, sizes, ranges, &tight, &close);
        if laid.padding > 0 && !fits_budget(model, &laid) {
            return close;
        }
        laid.tight = Some(Box::new(close));
    }
    laid
}

/// The ranges of one region, placed from 0 on.
struct Placed {
    offsets: Vec<u64>,
    end: u64,
    bound: DomainBound,
    swept: bool,
    steps: u64,
}

fn placed(part: &Part, order: &Precedence, live: &Frontiers, effort: Effort) -> Placed {
    let (at_task, at) = bound::at_one_task(part, order, live);
    let held = (bound::bytes(&at_task), at);
    let bound = |clique: &[&Range], proved| {
        DomainBound::new(part.region, clique, proved, held, order, live)
    };
    let Some(problem) = part.problem() else {
        let (offsets, end) = sweep::offsets(part, order, live);
        return Placed {
            offsets,
            end,
            bound: bound(&at_task, 0),
            swept: true,
            steps: 0,
        };
    };
    let limits = Limits {
        steps: Some(effort.steps),
        capacity: None,
    };
    match place(&problem, &limits) {
        Ok(found) => {
            let mut clique: Vec<&Range> = found.clique.iter().map(|&at| &part.ranges[at]).collect();
            // Of two that weigh the same, one that a task has live says more.
            if held.0 == bound::bytes(&clique) {
                clique = at_task;
            }
            Placed {
                offsets: found.offsets,
                end: found.peak,
                bound: bound(&clique, found.lower_bound),
                swept: false,
                steps: found.steps,
            }
        }
        // Demands that contradict each other are refused before. What is left are sizes that no memory
        // has: nothing is added up, and whoever asks for so much is told by the largest.
        Err(_) => {
            let largest = part.ranges.iter().max_by_key(|range| range.bytes);
            let clique: Vec<&Range> = largest.into_iter().collect();
            Placed {
                offsets: vec![0; part.ranges.len()],
                end: u64::MAX,
                bound: bound(&clique, 0),
                swept: false,
                steps: 0,
            }
        }
    }
}

/// Regions one behind the other: domains, the store, staging.
fn gather(
    model: &Model,
    sizes: &[u64],
    ranges: &Ranges,
    tight: &[Placed],
    offsets: &[(Vec<u64>, u64)],
) -> Layout {
    let mut slots: Vec<Slot> = sizes
        .iter()
        .map(|&bytes| Slot { offset: 0, bytes })
        .collect();
    let all = || ranges.parts.iter().zip(offsets);
    let (mut arena, mut padding) = (0u64, 0u64);
    let mut regions = RegionBytes::default();
    for ((part, (offsets, end)), tight) in all().zip(tight) {
        regions.take(part.region, *end);
        if !part.region.staging {
            put(&mut slots, part, offsets, arena);
            arena = arena.saturating_add(*end);
            padding = padding.saturating_add(end.saturating_sub(tight.end));
        }
    }
    // What outlives runs has slots of its own in order of declaration, so that no plan of another
    // variant or version moves it.
    let kept: Vec<usize> = (0..sizes.len())
        .filter(|&r| model.resources[r].class.persists())
        .collect();
    let store = kept
        .iter()
        .fold(0u64, |sum, &r| sum.saturating_add(sizes[r]));
    let behind = arena.saturating_add(store);
    let mut pinned = 0u64;
    for (slot, of) in slots.iter_mut().zip(&model.resources) {
        // What has no bytes is in no range.
        if of.region().staging {
            slot.offset = behind;
        }
    }
    for (part, (offsets, end)) in all() {
        if part.region.staging {
            put(&mut slots, part, offsets, behind.saturating_add(pinned));
            pinned = pinned.saturating_add(*end);
        }
    }
    let mut at = arena;
    for r in kept {
        slots[r].offset = at;
        at = at.saturating_add(sizes[r]);
    }
    let in_arena = tight.iter().zip(&ranges.parts);
    let in_arena = in_arena.filter(|(_, part)| !part.region.staging);
    Layout {
        slots,
        arena,
        store,
        pinned,
        regions,
        reserved: 0,
        bound: Bound::of(in_arena.map(|(placed, _)| placed.bound.clone()).collect()),
        swept: tight.iter().any(|placed| placed.swept),
        steps: tight.iter().map(|placed| placed.steps).sum(),
        padding,
        tight: None,
    }
}

fn put(slots: &mut [Slot], part: &Part, offsets: &[u64], base: u64) {
    for (range, offset) in part.ranges.iter().zip(offsets) {
        for member in &range.chain {
            slots[member.0 as usize].offset = base.saturating_add(*offset);
        }
    }
}
