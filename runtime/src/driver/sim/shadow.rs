//! What is known of each byte: who wrote it last, who has read it since, whether it may be used.

mod access;

pub(super) use access::{Access, Fate, Mark, Owner};

use std::collections::BTreeMap;

use super::super::Protection;
use super::clock::Clock;
use super::reach::Reach;
use super::report::Report;
use crate::table::Mode;

#[derive(Clone, Debug)]
struct Segment {
    end: usize,
    reach: Reach,
    written: bool,
    /// Memory of the host, which this driver did not make.
    foreign: bool,
    owner: Option<Owner>,
    write: Option<Mark>,
    /// Since that write.
    reads: Vec<Mark>,
}

impl Segment {
    fn foreign(end: usize) -> Self {
        Self {
            end,
            reach: Reach::all(Protection::ReadWrite),
            written: true,
            foreign: true,
            owner: None,
            write: None,
            reads: Vec::new(),
        }
    }

    /// The first of its marks that an access in `mode` is not ordered after.
    fn conflict(&self, clock: &Clock, mode: Mode, forgive_gone: bool) -> Option<&Mark> {
        let reads = self.reads.iter().filter(|_| mode != Mode::Read);
        self.write
            .iter()
            .chain(reads)
            .find(|m| !m.known_to(clock) && !(m.gone() && (forgive_gone || self.foreign)))
    }
}

/// The shadow of all memory.
#[derive(Debug, Default)]
pub(super) struct Shadow {
    /// By first address; apart.
    segments: BTreeMap<usize, Segment>,
    pub(super) reports: Vec<Report>,
}

impl Shadow {
    pub(super) fn report(&mut self, report: Report) {
        if !self.reports.contains(&report) {
            self.reports.push(report);
        }
    }

    fn cut(&mut self, at: usize) {
        let Some((_, segment)) = self.segments.range_mut(..at).next_back() else {
            return;
        };
        if segment.end > at {
            let upper = segment.clone();
            segment.end = at;
            self.segments.insert(at, upper);
        }
    }

    /// Makes segments that begin and end with the range and fill it.
    fn cover(&mut self, start: usize, end: usize) {
        self.cut(start);
        self.cut(end);
        let mut at = start;
        let mut gaps = Vec::new();
        for (&from, segment) in self.segments.range(start..end) {
            if at < from {
                gaps.push((at, from));
            }
            at = segment.end;
        }
        if at < end {
            gaps.push((at, end));
        }
        for (from, to) in gaps {
            self.segments.insert(from, Segment::foreign(to));
        }
    }

    /// Judges the accesses of one step and notes them. Returns whether the memory can be touched.
    /// The accesses of one step are apart where one of them writes, except an operand and a result
    /// that are one range `in_place`.
    pub(super) fn step(
        &mut self,
        clock: &Clock,
        mark: &Mark,
        accesses: &[Access],
        in_place: bool,
    ) -> bool {
        let site = mark.site;
        let mut usable = true;
        let mut found = Vec::new();
        for (i, a) in accesses.iter().enumerate() {
            for b in &accesses[i + 1..] {
                let one_range = a.start == b.start && a.bytes == b.bytes;
                let writes = a.mode != Mode::Read || b.mode != Mode::Read;
                if writes && a.overlaps(b) && !(in_place && one_range) {
                    usable = false;
                    found.push(Report::Race {
                        first: site,
                        second: site,
                        address: a.start.max(b.start),
                    });
                }
            }
        }
        for access in accesses.iter().filter(|a| a.bytes > 0) {
            let end = access.start + access.bytes;
            self.cover(access.start, end);
            for (&address, segment) in self.segments.range(access.start..end) {
                let there = !(access.strict && segment.foreign);
                if !there || !segment.reach.allows(access.via, access.mode != Mode::Read) {
                    usable = false;
                    let since = segment.write.as_ref().map(|m| m.site);
                    found.push(Report::Released {
                        site,
                        since,
                        address,
                    });
                    continue;
                }
                if let Some(first) = segment.conflict(clock, access.mode, false) {
                    found.push(Report::Race {
                        first: first.site,
                        second: site,
                        address,
                    });
                }
                if access.mode == Mode::Overwrite {
                    continue;
                }
                if !segment.written {
                    found.push(Report::Unwritten { site, address });
                } else if let (Some(want), Some(have)) = (access.owner, segment.owner)
                    && want != have
                {
                    found.push(Report::Stale {
                        site,
                        resource: want.resource,
                        found: have.resource,
                        address,
                    });
                }
            }
        }
        for report in found {
            self.report(report);
        }
        if usable {
            // Reads first: an in-place result takes the bytes over from its operand.
            for writes in [false, true] {
                for access in accesses.iter().filter(|a| (a.mode != Mode::Read) == writes) {
                    self.note(mark, access);
                }
            }
        }
        usable
    }

    fn note(&mut self, mark: &Mark, access: &Access) {
        if access.bytes == 0 {
            return;
        }
        let end = access.start + access.bytes;
        for (_, segment) in self.segments.range_mut(access.start..end) {
            if access.mode == Mode::Read {
                segment.reads.push(mark.clone());
            } else {
                segment.write = Some(mark.clone());
                segment.reads.clear();
                segment.written = true;
                segment.owner = access.owner;
            }
        }
    }

    /// Bytes change hands: mapped, unmapped, allocated or freed. All that was done with them must
    /// be known to `clock`; `by_drop` also trusts the last count of an executable.
    pub(super) fn transfer(
        &mut self,
        clock: &Clock,
        mark: &Mark,
        (start, bytes): (usize, usize),
        fate: Fate,
        by_drop: bool,
    ) {
        if bytes == 0 {
            return;
        }
        let end = start + bytes;
        self.cover(start, end);
        let mut found = Vec::new();
        for (&address, segment) in self.segments.range(start..end) {
            if let Some(first) = segment.conflict(clock, Mode::Overwrite, by_drop)
                && !segment.foreign
            {
                found.push(Report::Race {
                    first: first.site,
                    second: mark.site,
                    address,
                });
            }
        }
        for report in found {
            self.report(report);
        }
        let gone: Vec<usize> = self.segments.range(start..end).map(|(&at, _)| at).collect();
        for at in gone {
            self.segments.remove(&at);
        }
        let segment = Segment {
            end,
            reach: fate.reach,
            written: fate.written,
            foreign: false,
            owner: None,
            write: Some(mark.clone()),
            reads: Vec::new(),
        };
        self.segments.insert(start, segment);
    }

    /// Changes who may touch bytes, and nothing else: one device, or all. Says whether anybody
    /// may touch them then.
    pub(super) fn protect(
        &mut self,
        (start, bytes): (usize, usize),
        device: Option<usize>,
        to: Protection,
    ) -> bool {
        let end = start + bytes;
        self.cover(start, end);
        let mut any = false;
        for (_, segment) in self.segments.range_mut(start..end) {
            match device {
                Some(device) => segment.reach.admit(device, to),
                None => segment.reach = Reach::all(to),
            }
            any |= segment.reach.any();
        }
        any
    }
}
