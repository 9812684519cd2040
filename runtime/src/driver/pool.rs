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
#[allow(dead_code, reason = "the host needs none of it")]
pub(super) struct Grant<C> {
    pub(super) address: *mut u8,
    /// Bytes, rounded up.
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

    /// Removes the segments that no work can touch any more: wholly free, all completions seen.
    pub(super) fn trim(&mut self) -> Vec<(u64, P)> {
        let idle = self.extents.iter().filter(|(at, e)| {
            self.segments.get(at).is_some_and(|s| s.bytes == e.bytes) && e.complete()
        });
        let idle: Vec<u64> = idle.map(|(&at, _)| at).collect();
        let mut gone = Vec::new();
        for at in idle {
            self.extents.remove(&at);
            if let Some(segment) = self.segments.remove(&at) {
                gone.push((segment.bytes, segment.place));
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
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;

    impl Complete for Rc<Cell<bool>> {
        fn is_complete(&self) -> bool {
            self.get()
        }
    }

    type Done = Rc<Cell<bool>>;

    /// A segment at an address of that number.
    #[derive(Debug, PartialEq)]
    struct At(u64);

    impl Place for At {
        fn base(&self) -> *mut u8 {
            std::ptr::without_provenance_mut(self.0 as usize)
        }
    }

    fn pool() -> Pool<At, Done> {
        Pool::default()
    }

    fn grow(base: u64) -> impl FnOnce(u64) -> Result<At, DriverError> {
        move |_| Ok(At(base))
    }

    fn never(bytes: u64) -> Result<At, DriverError> {
        Err(DriverError::OutOfMemory {
            call: "grow",
            requested: bytes,
        })
    }

    fn pending(stream: u64) -> (Done, Pending<Done>) {
        let done = Done::default();
        (Rc::clone(&done), Pending { stream, done })
    }

    #[test]
    fn m05_a_merged_extent_waits_for_both_completions() {
        let mut pool = pool();
        let half = SEGMENT / 2;
        pool.allocate(1, 1, half, grow(SEGMENT)).unwrap();
        pool.allocate(2, 2, half, never).unwrap();
        let (a, on_a) = pending(1);
        let (b, on_b) = pending(2);
        pool.free(1, on_a).unwrap();
        pool.free(2, on_b).unwrap();
        for (first, second) in [(&a, &b), (&b, &a)] {
            first.set(true);
            second.set(false);
            assert!(pool.allocate(3, 3, SEGMENT, never).is_err());
            assert!(pool.trim().is_empty());
        }
        a.set(true);
        b.set(true);
        assert_eq!(
            pool.allocate(3, 3, SEGMENT, never).unwrap().address,
            At(SEGMENT).base()
        );
    }

    #[test]
    fn m06_neighbours_freed_on_different_streams_coalesce() {
        let mut pool = pool();
        for id in 0..4 {
            pool.allocate(id, id, SEGMENT / 4, grow(SEGMENT)).unwrap();
        }
        for id in [2, 0, 3, 1] {
            let (done, pending) = pending(id);
            done.set(true);
            pool.free(id, pending).unwrap();
        }
        assert_eq!(
            pool.allocate(9, 9, SEGMENT, never).unwrap().address,
            At(SEGMENT).base()
        );
    }

    #[test]
    fn m07_only_the_very_stream_reuses_before_completion() {
        let mut pool = pool();
        pool.allocate(1, 1, SEGMENT, grow(SEGMENT)).unwrap();
        let (_done, on_1) = pending(1);
        pool.free(1, on_1).unwrap();
        assert!(pool.allocate(2, 2, 256, never).is_err());
        assert!(pool.allocate(2, 1, 256, never).is_ok());
        // The rest of what was split still waits.
        assert!(pool.allocate(3, 2, 256, never).is_err());
    }

    #[test]
    fn m04_trim_keeps_what_work_may_touch() {
        let mut pool = pool();
        pool.allocate(1, 1, 300, grow(SEGMENT)).unwrap();
        assert!(pool.trim().is_empty());
        let (done, on_1) = pending(1);
        pool.free(1, on_1).unwrap();
        assert!(pool.trim().is_empty());
        done.set(true);
        assert_eq!(pool.trim(), [(SEGMENT, At(SEGMENT))]);
    }

    #[test]
    fn wrong_ids_and_sizes_are_refused() {
        let mut pool = pool();
        assert!(matches!(
            pool.allocate(1, 1, 0, never),
            Err(DriverError::Invalid { .. })
        ));
        assert!(matches!(
            pool.allocate(1, 1, u64::MAX, never),
            Err(DriverError::OutOfMemory { .. })
        ));
        assert!(matches!(
            pool.free(1, pending(1).1),
            Err(DriverError::Invalid { .. })
        ));
    }
}
