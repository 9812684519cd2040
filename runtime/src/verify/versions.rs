//! The first walk: the source in statement order, to find the version each access must see.

use super::Violation;
use super::cut::Cuts;
use crate::table::{Class, Mode, Source};

/// Sets `expect` for each piece of each access that reads, and `version` for each piece at the end.
/// A version is the task that wrote last, counted from 1; 0 is none.
pub(super) const fn walk(
    source: &Source<'_>,
    cuts: &Cuts<'_>,
    expect: &mut [u64],
    version: &mut [u64],
) -> Result<(), Violation> {
    let mut t = 0;
    while t < source.tasks.len() {
        let span = source.tasks[t].accesses;
        let (begin, end) = (span.start as usize, (span.start + span.len) as usize);
        // What a task reads is as it was before the task, whatever the order of its arguments.
        let mut a = begin;
        while a < end {
            let access = &source.accesses[a];
            if !matches!(access.mode, Mode::Overwrite) {
                let (mut p, last) = pieces(cuts.range[a]);
                let mut at = cuts.seen[a] as usize;
                while p < last {
                    if version[p] == 0 {
                        let (task, resource) = (t as u32, access.resource);
                        return Err(Violation::Unwritten { task, resource });
                    }
                    expect[at] = version[p];
                    at += 1;
                    p += 1;
                }
            }
            a += 1;
        }
        let mut a = begin;
        while a < end {
            if !matches!(source.accesses[a].mode, Mode::Read) {
                let (mut p, last) = pieces(cuts.range[a]);
                while p < last {
                    version[p] = t as u64 + 1;
                    p += 1;
                }
            }
            a += 1;
        }
        t += 1;
    }
    let mut r = 0;
    while r < source.resources.len() {
        if matches!(source.resources[r].class, Class::Output) {
            let mut p = cuts.first[r] as usize;
            while p < cuts.first[r + 1] as usize {
                if version[p] == 0 {
                    return Err(Violation::OutputUnwritten { resource: r as u32 });
                }
                p += 1;
            }
        }
        r += 1;
    }
    Ok(())
}

/// First piece and one past the last, from a word of [`Cuts::range`].
pub(super) const fn pieces(range: u64) -> (usize, usize) {
    ((range >> 32) as usize, (range & 0xffff_ffff) as usize)
}
