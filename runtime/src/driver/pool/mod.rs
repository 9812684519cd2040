//! Which part of which segment a stream-ordered allocation gets.
//!
//! The book-keeping only: segments are the driver's, completions are objects. Storage is reused
//! where *every* completion that it waits for has happened, or lies on the very stream that asks.
//! A stream is identified by an id that is never given twice, an operation by its own object:
//! neither a stream's position nor a re-recorded event can stand for another.

use std::collections::BTreeMap;

use super::{DriverError, invalid};
use crate::table::SLOT_ALIGN;

/// Unit of growth, in bytes.
#[cfg(not(miri))]
pub(super) const SEGMENT: u64 = 2 << 20;
#[cfg(miri)]
pub(super) const SEGMENT: u64 = 64 << 10;

/// A completion that can be looked at.
pub(super) trait Complete: Clone {
    /// Whether it has happened.
    fn is_complete(&self) -> bool;
}

/// Storage that segments are made of, given back when dropped.
pub(super) trait Place {
    /// First address.
    fn base(&self) -> *mut u8;
}

/// Work that may still touch free storage: the stream it is on, and the end of it.
#[derive(Clone, Debug)]
pub(super) struct Pending<C> {
    pub(super) stream: u64,
    pub(super) done: C,
}

#[derive(Debug)]
enum State<C> {
    Used,
    /// Free once all of these have happened.
    Free(Vec<Pending<C>>),
}

#[derive(Debug)]
struct Extent<C> {
    bytes: u64,
    segment: u64,
    state: State<C>,
}

#[derive(Debug)]
struct Segment<P> {
    place: P,
    bytes: u64,
}

/// Segments of places `P`, cut into extents that completions `C` free.
#[derive(Debug)]
pub(super) struct Pool<P, C> {
    /// By base address.
    segments: BTreeMap<u64, Segment<P>>,
    /// By address; they tile the segments.
    extents: BTreeMap<u64, Extent<C>>,
    /// Address of each allocation, by id.
    live: BTreeMap<u64, u64>,
}

/// Where an allocation came to lie, and the completions that its predecessors were seen to have.
#[derive(Debug)]
pub(super) struct Grant<C> {
    pub(super) address: *mut u8,
    /// Bytes, rounded up.
    pub(super) bytes: u64,
    pub(super) after: Vec<C>,
}

/// A segment that went.
#[derive(Debug)]
pub(super) struct Idle<P, C> {
    pub(super) place: P,
    pub(super) bytes: u64,
    pub(super) after: Vec<C>,
}

impl<P, C> Default for Pool<P, C> {
    fn default() -> Self {
        Self {
            segments: BTreeMap::new(),
            extents: BTreeMap::new(),
            live: BTreeMap::new(),
        }
    }
}

impl<P: Place, C: Complete> Pool<P, C> {
    /// Storage for `bytes`, for work on `stream` from here on. `grow` makes a segment of the
    /// bytes it is given.
    pub(super) fn allocate(
        &mut self,
        id: u64,
        stream: u64,
        bytes: u64,
        grow: impl FnOnce(u64) -> Result<P, DriverError>,
    ) -> Result<Grant<C>, DriverError> {
        const CALL: &str = "allocate";
        if bytes == 0 {
            return Err(invalid(CALL, "a size of 0"));
        }
        let full = DriverError::OutOfMemory {
            call: CALL,
            requested: bytes,
        };
        let bytes = bytes
            .checked_next_multiple_of(SLOT_ALIGN)
            .ok_or(full.clone())?;
        let fits = self
            .extents
            .iter()
            .filter(|(_, e)| e.bytes >= bytes && e.usable(stream));
        let best = fits.min_by_key(|(_, e)| e.bytes).map(|(&at, _)| at);
        let at = match best {
            Some(at) => at,
            None => {
                let size = bytes.checked_next_multiple_of(SEGMENT).ok_or(full)?;
                let place = grow(size)?;
                let base = place.base().addr() as u64;
                self.segments.insert(base, Segment { place, bytes: size });
                let extent = Extent {
                    bytes: size,
                    segment: base,
                    state: State::Free(Vec::new()),
                };
                self.extents.insert(base, extent);
                base
            }
        };
        let extent = self.extents.get_mut(&at).ok_or(invalid(CALL, "the pool"))?;
        let State::Free(pending) = std::mem::replace(&mut extent.state, State::Used) else {
            return Err(invalid(CALL, "the pool"));
        };
        let after = pending.iter().map(|p| p.done.clone()).collect();
        let rest = extent.bytes - bytes;
        if rest > 0 {
            extent.bytes = bytes;
            // The rest still waits for all that the whole waited for.
            let rest = Extent {
                bytes: rest,
                segment: extent.segment,
                state: State::Free(pending),
            };
            self.extents.insert(at + bytes, rest);
        }
        self.live.insert(id, at);
        let (address, bytes) = self.find(id).ok_or(invalid(CALL, "the pool"))?;
        Ok(Grant {
            address,
            bytes,
            after,
        })
    }

    /// Where an allocation is and how long, if `id` is one.
    pub(super) fn find(&self, id: u64) -> Option<(*mut u8, u64)> {
        let at = *self.live.get(&id)?;
        let extent = self.extents.get(&at)?;
        let base = self.segments.get(&extent.segment)?.place.base();
        Some((
            base.wrapping_add((at - extent.segment) as usize),
            extent.bytes,
        ))
    }

    /// Frees an allocation once `pending` has completed.
    pub(super) fn free(&mut self, id: u64, pending: Pending<C>) -> Result<(), DriverError> {
        const CALL: &str = "free";
        let mut at = self.live.remove(&id).ok_or(invalid(CALL, "the range"))?;
        let extent = self.extents.get_mut(&at).ok_or(invalid(CALL, "the pool"))?;
        extent.state = State::Free(vec![pending]);
        let segment = extent.segment;
        let free = |e: &Extent<C>| e.segment == segment && matches!(e.state, State::Free(_));
        if let Some((&before, _)) = self
            .extents
            .range(..at)
            .next_back()
            .filter(|(_, e)| free(e))
        {
            self.join(before, at);
            at = before;
        }
        if let Some((&after, _)) = self.extents.range(at + 1..).next().filter(|(_, e)| free(e)) {
            self.join(at, after);
        }
        Ok(())
    }

    /// Two free neighbours become one, which waits for what either waited for.
    fn join(&mut self, low: u64, high: u64) {
        let Some(upper) = self.extents.remove(&high) else {
            return;
        };
        let Some(lower) = self.extents.get_mut(&low) else {
            return;
        };
        if let (State::Free(mine), State::Free(theirs)) = (&mut lower.state, upper.state) {
            mine.extend(theirs);
            lower.bytes += upper.bytes;
        }
    }

    /// Where allocations are and how long.
    pub(super) fn used(&self) -> Vec<(*mut u8, u64)> {
        self.live.keys().filter_map(|&id| self.find(id)).collect()
    }

    /// Bytes that the pool holds, in use or not.
    pub(super) fn reserved(&self) -> u64 {
        self.segments.values().map(|s| s.bytes).sum()
    }

    /// Removes segments that no work can touch any more, wholly free and all completions seen,
    /// while more than `keep` bytes are held.
    pub(super) fn trim(&mut self, keep: u64) -> Vec<Idle<P, C>> {
        let idle = self.extents.iter().filter(|(at, e)| {
            let whole = self.segments.get(at).is_some_and(|s| s.bytes == e.bytes);
            whole && e.complete()
        });
        let idle: Vec<u64> = idle.map(|(&at, _)| at).collect();
        let (mut gone, mut held) = (Vec::new(), self.reserved());
        for at in idle {
            if held <= keep {
                break;
            }
            if let (Some(extent), Some(segment)) =
                (self.extents.remove(&at), self.segments.remove(&at))
            {
                let pending = match extent.state {
                    State::Used => Vec::new(),
                    State::Free(pending) => pending,
                };
                held -= segment.bytes;
                gone.push(Idle {
                    place: segment.place,
                    bytes: segment.bytes,
                    after: pending.into_iter().map(|p| p.done).collect(),
                });
            }
        }
        gone
    }
}

impl<C: Complete> Extent<C> {
    fn usable(&self, stream: u64) -> bool {
        match &self.state {
            State::Used => false,
            State::Free(pending) => pending
                .iter()
                .all(|p| p.stream == stream || p.done.is_complete()),
        }
    }

    fn complete(&self) -> bool {
        match &self.state {
            State::Used => false,
            State::Free(pending) => pending.iter().all(|p| p.done.is_complete()),
        }
    }
}

#[cfg(test)]
mod tests;
