//! Who owns each byte of the arena, who wrote it last and who has read it since.
//!
//! State is kept per piece of a resource; the arena is a map from ranges to the piece that holds
//! them. A piece is live while it holds all of its bytes. Only a piece's first write walks the
//! map, and each walk removes the ranges it takes over, so the cost is linear in the writes. The
//! walk itself is the program's, in `issue`.

use super::cut::Cuts;
use super::sort::{rank, rank_words};
use super::starts::Starts;
use crate::table::{SLOT_ALIGN, Slot};

/// The shadow of one instance's arena, and of the store behind it.
pub(super) struct Shadow<'w> {
    /// Per piece: the task that wrote last, counted from 1, and in the low bit whether it is live.
    pub(super) writer: &'w mut [u64],
    /// Per piece: the streams that have read it since.
    pub(super) readers: &'w mut [u64],
    /// Per piece and stream: tick of the last of those reads.
    pub(super) read_at: &'w mut [u64],
    /// Per task: stream in the high half, tick on it in the low half; 0 before its launch. The
    /// last entry stays 0: what a run acquires is over before anything of the run.
    pub(super) place: &'w mut [u64],
    /// Per piece border: a number in the order of the borders in the arena, below [`room`].
    pub(super) ranks: &'w mut [u64],
    /// Per rank that starts a range: rank of its end, and in the low half the piece that holds it,
    /// counted from 1. 0 where no range starts.
    pub(super) held: &'w mut [u64],
    /// The ranks that start a range.
    pub(super) starts: Starts<'w>,
}

/// Ranks that the map has room for.
const fn room(borders: usize) -> usize {
    4 * borders + 64
}

/// Low half of a place: the tick. Also that of a held range: the piece.
pub(super) const TICK: u64 = 0xffff_ffff;

impl<'w> Shadow<'w> {
    /// Words for that many pieces, resources, tasks and streams.
    pub(super) const fn words(
        pieces: usize,
        resources: usize,
        tasks: usize,
        streams: usize,
    ) -> usize {
        let borders = pieces + resources;
        let held = room(borders) + Starts::words(room(borders));
        pieces * (2 + streams) + borders + held + tasks + 1 + borders + rank_words(borders)
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
        let (place, rest) = rest.split_at_mut(tasks + 1);
        let (ranks, rest) = rest.split_at_mut(borders);
        let (held, rest) = rest.split_at_mut(room(borders));
        let (starts, rest) = rest.split_at_mut(Starts::words(room(borders)));
        // Ends of whole resources may be rounded up: slots start at multiples of that, so no two
        // that were apart overlap then, and there are fewer bits to sort by.
        let whole = cuts.start.len() == resources;
        let round = if whole { SLOT_ALIGN - 1 } else { 0 };
        // Piece `p` of resource `r` lies between borders `p + r` and `p + r + 1`.
        let (mut any, mut all) = (0, u64::MAX);
        let mut border = 0;
        let mut r = 0;
        while r < resources {
            let offset = slots[r].offset;
            let mut p = cuts.first[r] as usize;
            let last = cuts.first[r + 1] as usize;
            while p < last {
                let key = offset + cuts.start[p];
                any |= key;
                all &= key;
                ranks[border] = key;
                border += 1;
                p += 1;
            }
            let key = (offset + cuts.bytes[r] + round) & !round;
            any |= key;
            all &= key;
            ranks[border] = key;
            border += 1;
            r += 1;
        }
        // Where borders lie close, what is left of them without the bits that they share will do.
        let differing = any & !all;
        let (mut shift, mut keep) = (0, 0);
        if differing != 0 {
            shift = differing.trailing_zeros();
            keep = u64::MAX >> differing.leading_zeros();
        }
        let mut end = (keep >> shift) as usize;
        if end < room(borders) {
            let mut i = 0;
            while i < borders {
                ranks[i] = (ranks[i] & keep) >> shift;
                i += 1;
            }
        } else {
            let (keys, rest) = rest.split_at_mut(borders);
            keys.copy_from_slice(ranks);
            rank(keys, ranks, rest);
            end = borders;
        }
        let mut starts = Starts::new(starts, room(borders));
        starts.insert(0);
        held[0] = (end as u64 + 1) << 32;
        Self {
            writer,
            readers,
            read_at,
            place,
            ranks,
            held,
            starts,
        }
    }
}
