//! Offsets for large sets: one pass in issue order over free blocks.
//!
//! A block remembers the join of its previous occupants: the maximal tasks that must be over before
//! it is used again. A later occupant takes it only if all of those precede all of its own first
//! tasks; that the pass has gone by a task proves nothing. Neighbours that merge keep both joins.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::groups::Group;
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

/// Offsets and the arena. Of two groups that must stay apart the smaller shares with nobody.
pub(super) fn offsets(
    groups: &[Group],
    order: &Precedence,
    live: &Frontiers,
    apart: &[(usize, usize)],
) -> (Vec<u64>, u64) {
    let mut private = vec![false; groups.len()];
    for &(i, j) in apart {
        let smaller = if groups[i].bytes < groups[j].bytes {
            i
        } else {
            j
        };
        private[smaller] = true;
    }
    let spans: Vec<(u32, u32)> = groups.iter().map(|g| g.interval(order, live)).collect();
    let mut sequence: Vec<usize> = (0..groups.len()).collect();
    sequence.sort_by_key(|&i| (spans[i].0, Reverse(groups[i].bytes), spans[i].1, i));
    let mut pass = Pass {
        order,
        free: BTreeMap::new(),
        top: 0,
        limit: BLOCKS,
    };
    let mut offsets = vec![0; groups.len()];
    let mut ending: BinaryHeap<Reverse<(u32, usize)>> = BinaryHeap::new();
    for g in sequence {
        // What may still be in use at this position cannot be wholly before it.
        while let Some(&Reverse((end, done))) = ending.peek() {
            if end > spans[g].0 {
                break;
            }
            ending.pop();
            let join = pass.maximal(tails(&groups[done], live));
            pass.release(offsets[done], groups[done].bytes, join);
        }
        if private[g] {
            offsets[g] = pass.top;
            pass.top = pass.top.saturating_add(groups[g].bytes);
            continue;
        }
        offsets[g] = pass.take(groups[g].bytes, &heads(&groups[g], live));
        if spans[g].1 <= order.tasks() as u32 && groups[g].bytes > 0 {
            ending.push(Reverse((spans[g].1, g)));
        }
    }
    (offsets, pass.top)
}

fn heads(group: &Group, live: &Frontiers) -> Vec<TaskId> {
    let of = |c: &Vec<crate::model::ResourceId>| live.of(c[0]).first.clone();
    group.chains.iter().flat_map(of).collect()
}

fn tails(group: &Group, live: &Frontiers) -> Vec<TaskId> {
    let of = |c: &Vec<crate::model::ResourceId>| live.of(c[c.len() - 1]).last.clone();
    group.chains.iter().flat_map(of).collect()
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
        if bytes == 0 {
            return 0;
        }
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
