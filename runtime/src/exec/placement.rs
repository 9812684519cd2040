//! Where the resources of one graph lie at actual dims.
//!
//! A program has offsets for the largest sizes. At other dims other resources are large, and the same
//! program fits into less: each region of memory is laid out anew, tightly over the order that the
//! program's streams and events give its launches, and by moving its slots down as they lie; the
//! smallest is taken. Programs that take turns in one memory have each isolation domain at one place, as
//! their plans do. Nothing is concluded from that here: the verifier judges the result as it judges a
//! plan.
//!
//! ```text
//!   lives     which resources may be live at once, by the clocks of the program
//!   tight     first fit, in several sequences, of what must not overlap
//!   compact   slots as they lie, each as low as those below it let it
//! ```

mod compact;
mod lives;
mod tight;

use std::collections::BTreeMap;

use self::compact::compact;
use self::lives::Lives;
use self::tight::Tight;
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
    /// As the program has it, for the largest sizes.
    pub fn planned(program: &Program<'_>) -> Self {
        Self {
            slots: program.slots.into(),
            arena: program.arena,
            store: program.store,
            pinned: program.pinned,
        }
    }

    /// The same placed anew, for `dims`: of each of the images, which take turns in one memory, so
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
    let mut sizes = program.slots.iter().zip(bytes);
    let shrunk = sizes.any(|(slot, &bytes)| aligned(bytes) < aligned(slot.bytes));
    let lives = shrunk.then(|| Lives::new(source, program)).flatten();
    let each = inside.into_iter().map(|(region, inside)| {
        let old: Vec<Slot> = inside.iter().map(|&i| program.slots[i]).collect();
        let new: Vec<u64> = inside.iter().map(|&i| bytes[i]).collect();
        let (offsets, length) = match region.0 {
            1 => behind_each_other(&new),
            _ => smallest(lives.as_ref(), source, &inside, &old, &new),
        };
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
    let mut base = 0u64;
    for (range, end) in ends.iter_mut().enumerate() {
        for of in moved.iter().filter(|of| of.region.0 == range) {
            let before = most.range((range, 0)..of.region);
            // What has no bytes lies where the range begins.
            let start = match of.length {
                0 => 0,
                _ => before.fold(0u64, |sum, (_, bytes)| sum.saturating_add(*bytes)),
            };
            for &(i, Slot { offset, bytes }) in &of.slots {
                let offset = offset.saturating_add(start).saturating_add(base);
                slots[i] = Slot { offset, bytes };
            }
            *end = (*end).max(start.saturating_add(of.length));
        }
        base = end.saturating_add(base);
    }
    let [arena, store, pinned] = ends;
    Placement {
        slots,
        arena,
        store,
        pinned,
    }
}

/// What outlives runs shares nothing, and lies in order of declaration.
fn behind_each_other(bytes: &[u64]) -> (Vec<u64>, u64) {
    let mut end = 0;
    let offsets = bytes.iter().map(|&bytes| {
        let at = end;
        end = aligned(bytes).saturating_add(end);
        at
    });
    (offsets.collect(), end)
}

/// Offsets from 0 for the resources `inside` a region, which had the slots `old` and now have `new`
/// bytes, and where the last one ends.
fn smallest(
    lives: Option<&Lives>,
    source: &Source<'_>,
    inside: &[usize],
    old: &[Slot],
    new: &[u64],
) -> (Vec<u64>, u64) {
    let moved = compact(old, new);
    let tight = lives.and_then(|lives| Tight::new(lives, source, inside, old, new));
    let tight = tight.map(|tight| tight.place());
    match tight {
        Some(tight) if tight.1 < moved.1 => tight,
        _ => moved,
    }
}

/// Saturates, as all sums here do: sizes that no memory has are the verifier's to refuse.
fn aligned(bytes: u64) -> u64 {
    let next = bytes.checked_next_multiple_of(SLOT_ALIGN);
    next.unwrap_or(u64::MAX - (SLOT_ALIGN - 1))
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
    bytes.saturating_add(step.unwrap_or(0))
}
