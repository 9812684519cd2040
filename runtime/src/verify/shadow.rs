//! Who owns each byte of the arena, who wrote it last and who has read it since.
//!
//! State is kept per piece of a resource; the arena is a map from ranges to the piece that holds
//! them. A piece is live while it holds all of its bytes. Only a piece's first write walks the
//! map, and each walk removes the ranges it takes over, so the cost is linear in the writes.

use super::Violation;
use super::cut::Cuts;
use super::sort::sort;
use super::starts::Starts;
use crate::table::Slot;

/// The shadow of one instance's arena.
pub(super) struct Shadow<'w> {
    /// First piece of each resource.
    first: &'w [u64],
    streams: usize,
    /// Per piece: the task that wrote last, counted from 1, and in the low bit whether it is live.
    writer: &'w mut [u64],
    /// Per piece: the streams that have read it since.
    readers: &'w mut [u64],
    /// Per piece and stream: tick of the last of those reads.
    read_at: &'w mut [u64],
    /// Per piece border: its rank among the borders in the arena.
    rank: &'w mut [u64],
    /// Per rank that starts a range: rank of its end, and in the low half the piece that holds it,
    /// counted from 1.
    held: &'w mut [u64],
    starts: Starts<'w>,
    /// Per task: stream in the high half, tick on it in the low half; 0 before its launch.
    place: &'w mut [u64],
}

/// What a task is when it touches the shadow.
#[derive(Clone, Copy)]
pub(super) struct Toucher<'c> {
    pub(super) task: u32,
    pub(super) resource: u32,
    /// Per stream: the tick up to which all has completed before this task starts.
    pub(super) clock: &'c [u64],
}

/// A place of task or read, from stream and tick.
pub(super) const fn place(stream: usize, tick: u64) -> u64 {
    (stream as u64) << 32 | tick
}

/// Whether what happened at `place` has completed in `clock`.
pub(super) const fn covers(clock: &[u64], place: u64) -> bool {
    clock[(place >> 32) as usize] >= place & 0xffff_ffff
}

impl<'w> Shadow<'w> {
    /// Words for that many pieces, resources, tasks and streams.
    pub(super) const fn words(
        pieces: usize,
        resources: usize,
        tasks: usize,
        streams: usize,
    ) -> usize {
        let borders = pieces + resources;
        pieces * (2 + streams) + 5 * borders + Starts::words(borders) + tasks
    }

    /// An arena that nothing holds. `words` are zero and as many as [`Self::words`] says.
    pub(super) const fn new(
        cuts: &Cuts<'w>,
        slots: &[Slot],
        tasks: usize,
        streams: usize,
        words: &'w mut [u64],
    ) -> Self {
        let resources = cuts.bytes.len();
        let pieces = cuts.first[resources] as usize;
        let borders = pieces + resources;
        let (writer, rest) = words.split_at_mut(pieces);
        let (readers, rest) = rest.split_at_mut(pieces);
        let (read_at, rest) = rest.split_at_mut(pieces * streams);
        let (rank, rest) = rest.split_at_mut(borders);
        let (held, rest) = rest.split_at_mut(borders);
        let (starts, rest) = rest.split_at_mut(Starts::words(borders));
        let (place, rest) = rest.split_at_mut(tasks);
        let (keys, rest) = rest.split_at_mut(borders);
        let (ids, tmp) = rest.split_at_mut(borders);

        // Piece `p` of resource `r` lies between borders `p + r` and `p + r + 1`.
        let mut border = 0;
        let mut r = 0;
        while r < resources {
            let mut p = cuts.first[r] as usize;
            while p < cuts.first[r + 1] as usize {
                keys[border] = slots[r].offset + cuts.start[p];
                ids[border] = border as u64;
                border += 1;
                p += 1;
            }
            keys[border] = slots[r].offset + cuts.bytes[r];
            ids[border] = border as u64;
            border += 1;
            r += 1;
        }
        sort(keys, ids, tmp);
        let mut ranks = 0;
        let mut i = 0;
        while i < borders {
            if i > 0 && keys[ids[i] as usize] != keys[ids[i - 1] as usize] {
                ranks += 1;
            }
            rank[ids[i] as usize] = ranks;
            i += 1;
        }
        let mut starts = Starts::new(starts, borders);
        if borders > 0 {
            starts.insert(0);
            held[0] = ranks << 32;
        }
        let first = cuts.first;
        Self {
            first,
            streams,
            writer,
            readers,
            read_at,
            rank,
            held,
            starts,
            place,
        }
    }

    /// Stream and tick of a launched task, or 0.
    pub(super) const fn placed(&self, task: usize) -> u64 {
        self.place[task]
    }

    /// `task` is launched.
    pub(super) const fn launch(&mut self, task: usize, place: u64) {
        self.place[task] = place;
    }

    /// The task that wrote a piece last, counted from 1, or `None` if the piece is not live.
    pub(super) const fn version(&self, piece: usize) -> Option<u64> {
        if self.writer[piece] & 1 == 1 {
            Some(self.writer[piece] >> 1)
        } else {
            None
        }
    }

    /// The task sees version `expect` of `piece`, and its writer has completed.
    pub(super) const fn see(
        &self,
        by: &Toucher<'_>,
        piece: usize,
        expect: u64,
    ) -> Result<(), Violation> {
        let (task, resource) = (by.task, by.resource);
        let found = self.writer[piece] >> 1;
        if self.writer[piece] & 1 == 0 {
            return Err(Violation::Absent { task, resource });
        }
        if found != expect {
            let (expected, found) = (expect as u32 - 1, found as u32 - 1);
            return Err(Violation::WrongVersion {
                task,
                resource,
                expected,
                found,
            });
        }
        if !covers(by.clock, self.place[found as usize - 1]) {
            return Err(Violation::Race {
                task,
                resource,
                other: found as u32 - 1,
            });
        }
        Ok(())
    }

    /// The task reads `piece`.
    pub(super) const fn read(&mut self, by: &Toucher<'_>, piece: usize) {
        let at = self.place[by.task as usize];
        let stream = (at >> 32) as usize;
        self.readers[piece] |= 1 << stream;
        self.read_at[piece * self.streams + stream] = at & 0xffff_ffff;
    }

    /// The task writes `piece` of resource `by.resource`, which takes its storage unless it is live.
    pub(super) const fn write(&mut self, by: &Toucher<'_>, piece: usize) -> Result<(), Violation> {
        if self.writer[piece] & 1 == 1 {
            if let Some(other) = self.pending(by.clock, piece) {
                return Err(self.clash(by, piece, other));
            }
        } else {
            tri!(self.take(by, piece));
        }
        self.writer[piece] = (by.task as u64 + 1) << 1 | 1;
        self.readers[piece] = 0;
        Ok(())
    }

    /// `piece` takes over its bytes from whatever held them, which must be over.
    const fn take(&mut self, by: &Toucher<'_>, piece: usize) -> Result<(), Violation> {
        let border = piece + by.resource as usize;
        let (lo, hi) = (self.rank[border] as usize, self.rank[border + 1] as usize);
        let mut at = lo;
        if !self.starts.contains(lo) {
            let before = self.starts.floor(lo);
            let range = self.held[before];
            self.held[before] = (lo as u64) << 32 | range & 0xffff_ffff;
            self.held[lo] = range;
            self.starts.insert(lo);
        }
        while at < hi {
            let range = self.held[at];
            let end = (range >> 32) as usize;
            let holder = (range & 0xffff_ffff) as usize;
            if holder > 0 {
                if let Some(other) = self.pending(by.clock, holder - 1) {
                    return Err(self.clash(by, holder - 1, other));
                }
                self.writer[holder - 1] &= !1;
            }
            if at != lo {
                self.starts.remove(at);
            }
            if end > hi {
                self.held[hi] = range;
                self.starts.insert(hi);
            }
            at = end;
        }
        self.held[lo] = (hi as u64) << 32 | (piece as u64 + 1);
        Ok(())
    }

    /// A task that uses `piece` and has not completed in `clock`.
    const fn pending(&self, clock: &[u64], piece: usize) -> Option<u32> {
        let writer = self.writer[piece] >> 1;
        if writer > 0 && !covers(clock, self.place[writer as usize - 1]) {
            return Some(writer as u32 - 1);
        }
        let mut left = self.readers[piece];
        while left != 0 {
            let stream = left.trailing_zeros() as usize;
            let tick = self.read_at[piece * self.streams + stream];
            if tick > clock[stream] {
                return Some(self.task_at(place(stream, tick)));
            }
            left &= left - 1;
        }
        None
    }

    /// `other` uses `piece` and nothing orders it before the writer `by`.
    const fn clash(&self, by: &Toucher<'_>, piece: usize, other: u32) -> Violation {
        let (task, resource) = (by.task, by.resource);
        let mut previous = 0;
        while self.first[previous + 1] as usize <= piece {
            previous += 1;
        }
        let previous = previous as u32;
        if other == task {
            Violation::Overlap {
                task,
                resource,
                other: previous,
            }
        } else if previous == resource {
            Violation::Race {
                task,
                resource,
                other,
            }
        } else {
            Violation::EarlyReuse {
                task,
                resource,
                previous,
                other,
            }
        }
    }

    const fn task_at(&self, place: u64) -> u32 {
        let mut t = 0;
        while t + 1 < self.place.len() && self.place[t] != place {
            t += 1;
        }
        t as u32
    }
}
