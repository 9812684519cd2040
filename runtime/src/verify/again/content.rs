//! Whether what is made again, and what reads it, finds the content that the graph as it was written
//! has there.

use super::super::Violation;
use super::super::cut::Cuts;
use super::super::in_place::range;
use super::super::versions::{LOW, begin};
use crate::table::{Mode, Source};

/// The source in statement order.
pub(super) struct Walk<'r, 'w> {
    pub(super) source: &'r Source<'r>,
    pub(super) cuts: &'r Cuts<'w>,
    pub(super) expect: &'r [u64],
    /// Of each repetition its original, counted from 1.
    pub(super) original: &'r [u64],
    /// Of each copy what it is a copy of, counted from 1.
    pub(super) copied: &'r [u64],
}

/// Versions of a part of a resource, from one of its pieces on.
#[derive(Clone, Copy)]
struct Part<'v> {
    resource: usize,
    piece: usize,
    /// Those of this piece and the ones behind it.
    versions: &'v [u64],
}

impl Walk<'_, '_> {
    /// Holds each read against what it is to see; `now` is the version of each piece so far.
    pub(super) const fn check(&self, now: &mut [u64]) -> Result<(), Violation> {
        let (source, cuts) = (self.source, self.cuts);
        let count = source.tasks.len();
        begin(source, cuts, now);
        let mut t = 0;
        while t < count {
            let span = source.tasks[t].accesses;
            let (first, end) = (span.start as usize, (span.start + span.len) as usize);
            let mut a = first;
            while a < end {
                if !matches!(source.accesses[a].mode, Mode::Overwrite) {
                    tri!(self.read(t, a, now));
                }
                a += 1;
            }
            let mut a = first;
            while a < end {
                let (resource, mode) = (source.accesses[a].resource, source.accesses[a].mode);
                if !matches!(mode, Mode::Read) {
                    if self.original[t] == 0 && self.copied[resource as usize] != 0 {
                        let task = t as u32;
                        return Err(Violation::NotOwn { task, resource });
                    }
                    let mut p = (cuts.range[a] >> 32) as usize;
                    while p < (cuts.range[a] & LOW) as usize {
                        now[p] = t as u64 + 1;
                        p += 1;
                    }
                }
                a += 1;
            }
            t += 1;
        }
        Ok(())
    }

    const fn read(&self, t: usize, a: usize, now: &[u64]) -> Result<(), Violation> {
        let (task, resource) = (t as u32, self.source.accesses[a].resource);
        let (original, copied) = (self.original[t], self.copied[resource as usize]);
        if original != 0 {
            let first = self.source.tasks[original as usize - 1].accesses.start as usize;
            let b = first + (a - self.source.tasks[t].accesses.start as usize);
            if !self.same(a, self.seen(a), self.seen(b)) {
                let of = original as u32 - 1;
                return Err(Violation::ReadsOther { task, of, resource });
            }
        } else if copied != 0 {
            let of = copied as usize - 1;
            let (from, len) = range(self.source, self.cuts, a);
            let there = from + len <= self.cuts.bytes[of];
            if len > 0 && (!there || !self.same(a, self.seen(a), self.at(of, from, now))) {
                let of = of as u32;
                return Err(Violation::NotCopy { task, resource, of });
            }
        }
        Ok(())
    }

    /// What access `a` is to see.
    const fn seen(&self, a: usize) -> Part<'_> {
        Part {
            resource: self.source.accesses[a].resource as usize,
            piece: (self.cuts.range[a] >> 32) as usize,
            versions: self.expect.split_at(self.cuts.seen[a] as usize).1,
        }
    }

    /// What `resource` has from byte `from` on.
    const fn at<'v>(&self, resource: usize, from: u64, now: &'v [u64]) -> Part<'v> {
        let mut lo = self.cuts.first[resource] as usize;
        let mut hi = self.cuts.first[resource + 1] as usize;
        while hi - lo > 1 {
            let middle = lo + (hi - lo) / 2;
            if self.cuts.start[middle] <= from {
                lo = middle;
            } else {
                hi = middle;
            }
        }
        Part {
            resource,
            piece: lo,
            versions: now.split_at(lo).1,
        }
    }

    /// Both parts have the same content in as many bytes as access `a` has, byte by byte of
    /// resources of which one is a copy of the other, or both are copies of one, or which are one.
    const fn same(&self, a: usize, mut x: Part<'_>, mut y: Part<'_>) -> bool {
        let (mut at, len) = range(self.source, self.cuts, a);
        let end = at + len;
        if len > 0 && self.root(x.resource) != self.root(y.resource) {
            return false;
        }
        let (mut i, mut j) = (0, 0);
        while at < end {
            if self.content(x.versions[i]) != self.content(y.versions[j]) {
                return false;
            }
            let (ends_x, ends_y) = (self.end(x), self.end(y));
            at = if ends_x < ends_y { ends_x } else { ends_y };
            if ends_x == at {
                x.piece += 1;
                i += 1;
            }
            if ends_y == at {
                y.piece += 1;
                j += 1;
            }
        }
        true
    }

    /// One past the last byte of a piece.
    const fn end(&self, part: Part<'_>) -> u64 {
        let next = part.piece + 1;
        if next < self.cuts.first[part.resource + 1] as usize {
            self.cuts.start[next]
        } else {
            self.cuts.bytes[part.resource]
        }
    }

    /// What a resource is a copy of, or else itself.
    const fn root(&self, resource: usize) -> usize {
        match self.copied[resource] {
            0 => resource,
            of => of as usize - 1,
        }
    }

    /// The version of which one has the content: that of the original.
    const fn content(&self, version: u64) -> u64 {
        if version == 0 || version as usize > self.original.len() {
            return version;
        }
        match self.original[version as usize - 1] {
            0 => version,
            of => of,
        }
    }
}
