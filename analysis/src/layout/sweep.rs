//! Offsets for large sets: one pass in issue order over free blocks.
//!
//! A block remembers the join of its previous occupants: the maximal tasks that must be over before
//! it is used again. A later occupant takes it only if all of those precede all of its own first
//! tasks; that the pass has gone by a task proves nothing. Neighbours that merge keep both joins.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::ranges::{Part, Range};
use crate::frontier::Frontiers;
use crate::model::TaskId;
use crate::order::Precedence;
use crate::order::bits::BitRows;

/// Beyond about this number free blocks are merged with their neighbours even where joins differ.
const BLOCKS: usize = 256;

/// A free block.
#[derive(Clone, Debug)]
struct Block {
    bytes: u64,
    /// Maximal tasks of the previous occupants, sorted.
    join: Vec<TaskId>,
}

struct Pass<'a> {
    order: &'a Precedence,
    free: BTreeMap<u64, Block>,
    top: u64,
    /// Free blocks beyond this number are merged next.
    limit: usize,
}

/// Offsets and where they end. Of two ranges that must stay apart the smaller shares with nobody, and
/// neither do ranges of which several have one offset.
pub(super) fn offsets(part: &Part, order: &Precedence, live: &Frontiers) -> (Vec<u64>, u64) {
    let ranges = &part.ranges;
    let mut private = vec![false; ranges.len()];
    for &(i, j) in &part.apart {
        let smaller = if ranges[i].bytes < ranges[j].bytes {
            i
        } else {
            j
        };
        private[smaller] = true;
    }
    // The first of each group takes the room of all.
    let mut groups: BTreeMap<usize, (usize, u64, usize)> = BTreeMap::new();
    for (at, range) in ranges.iter().enumerate() {
        let group = groups.entry(range.group).or_insert((at, 0, 0));
        (group.1, group.2) = (group.1.max(range.bytes), group.2 + 1);
    }
    for &(first, _, count) in groups.values() {
        private[first] |= count > 1;
    }
    let of = |r: &Range| (live.of(r.chain[0]), live.of(r.chain[r.chain.len() - 1]));
    let end = |r: &Range| {
        let last = of(r).1.last.last().filter(|_| !of(r).1.host);
        last.map_or(u32::MAX, |&t| order.position(t) + 1)
    };
    let start = |r: &Range| of(r).0.first.first().map_or(0, |&t| order.position(t));
    let mut pass = Pass {
        order,
        free: BTreeMap::new(),
        top: 0,
        limit: BLOCKS,
    };
    let mut offsets = vec![0; ranges.len()];
    let mut ending: BinaryHeap<Reverse<(u32, usize)>> = BinaryHeap::new();
    for (at, range) in ranges.iter().enumerate() {
        let (first, bytes, _) = groups[&range.group];
        if first != at {
            offsets[at] = offsets[first];
            continue;
        }
        // What may still be in use at this position cannot be wholly before it.
        while let Some(&Reverse((end, done))) = ending.peek() {
            if end > start(range) {
                break;
            }
            ending.pop();
            let join = pass.maximal(of(&ranges[done]).1.last.clone());
            pass.release(offsets[done], ranges[done].bytes, join);
        }
        if private[at] {
            offsets[at] = pass.top;
            pass.top = pass.top.saturating_add(bytes);
            continue;
        }
        offsets[at] = pass.take(bytes, &of(range).0.first);
        if end(range) != u32::MAX {
            ending.push(Reverse((end(range), at)));
        }
    }
    (offsets, pass.top)
}

impl Pass<'_> {
    /// The maximal ones of `tasks`, sorted.
    fn maximal(&self, mut tasks: Vec<TaskId>) -> Vec<TaskId> {
        if tasks.len() < 2 {
            return tasks;
        }
        tasks.sort_by_key(|&t| Reverse(self.order.position(t)));
        let mut covered = BitRows::new(1, self.order.tasks());
        tasks.retain(|&t| {
            let keep = !covered.get(0, t.0 as usize);
            if keep {
                covered.set(0, t.0 as usize);
                covered.join_words(0, self.order.ancestors(t));
            }
            keep
        });
        tasks.sort_unstable();
        tasks
    }

    fn over_before(&self, join: &[TaskId], first: &[TaskId]) -> bool {
        join.iter()
            .all(|&l| first.iter().all(|&f| self.order.precedes(l, f)))
    }

    /// Storage for what starts with `first`: the smallest run of usable neighbours that has room, or
    /// else the end of the arena, from the last usable block on.
    fn take(&mut self, bytes: u64, first: &[TaskId]) -> u64 {
        let mut best: Option<(u64, u64)> = None;
        let mut run: Option<(u64, u64)> = None;
        for (&offset, block) in &self.free {
            let end = offset + block.bytes;
            let usable = self.over_before(&block.join, first);
            run = match run {
                Some((from, to)) if usable && to == offset => Some((from, end)),
                _ if usable => Some((offset, end)),
                _ => None,
            };
            if let Some((from, to)) = run {
                let room = to - from;
                // A longer run from the same place replaces a shorter one only by fitting better.
                if room >= bytes && best.is_none_or(|(_, r)| room < r) {
                    best = Some((from, room));
                }
            }
        }
        if let Some((from, _)) = best {
            self.carve(from, from + bytes);
            return from;
        }
        let from = match run {
            Some((from, to)) if to == self.top => from,
            _ => self.top,
        };
        self.carve(from, self.top);
        self.top = from.saturating_add(bytes);
        from
    }

    /// Takes `from..to` out of the free blocks; what is left of the last keeps its join.
    fn carve(&mut self, from: u64, to: u64) {
        let mut at = from;
        while at < to {
            let Some(block) = self.free.remove(&at) else {
                return;
            };
            let end = at + block.bytes;
            if end > to {
                let rest = Block {
                    bytes: end - to,
                    join: block.join,
                };
                self.free.insert(to, rest);
            }
            at = end;
        }
    }

    fn release(&mut self, mut offset: u64, mut bytes: u64, join: Vec<TaskId>) {
        // Neighbours with the very same join are one block.
        if let Some((&before, block)) = self.free.range(..offset).next_back()
            && before + block.bytes == offset
            && block.join == join
        {
            bytes += block.bytes;
            offset = before;
            self.free.remove(&before);
        }
        if let Some(block) = self.free.get(&(offset + bytes))
            && block.join == join
        {
            let next = offset + bytes;
            bytes += block.bytes;
            self.free.remove(&next);
        }
        self.free.insert(offset, Block { bytes, join });
        if self.free.len() > self.limit {
            self.coalesce();
        }
    }

    /// Merges all neighbours. A merged block waits for both.
    fn coalesce(&mut self) {
        let mut merged: Vec<(u64, Block)> = Vec::new();
        for (offset, block) in std::mem::take(&mut self.free) {
            match merged.last_mut() {
                Some((from, last)) if *from + last.bytes == offset => {
                    last.bytes += block.bytes;
                    last.join.extend(block.join);
                }
                _ => merged.push((offset, block)),
            }
        }
        for (_, block) in &mut merged {
            block.join = self.maximal(std::mem::take(&mut block.join));
        }
        self.free = merged.into_iter().collect();
        // What lies apart cannot be merged: try again only when there is much more.
        self.limit = BLOCKS.max(2 * self.free.len());
    }
}
