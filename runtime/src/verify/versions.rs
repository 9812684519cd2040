//! The first walk: the source in statement order, to find the version each access must see.

use super::Violation;
use super::cut::Cuts;
use crate::table::{Access, Class, Mode, Source, TaskKind};

/// Bit of a version that something has read, where holds are behind writes.
const READ: u64 = 1 << 63;

/// Low half of a word of [`Cuts::range`]: one past the last piece.
pub(super) const LOW: u64 = 0xffff_ffff;

/// Sets the version of each piece that is there before the run.
pub(super) const fn begin(source: &Source<'_>, cuts: &Cuts<'_>, version: &mut [u64]) {
    let before = source.tasks.len() as u64 + 1;
    let mut r = 0;
    while r < source.resources.len() {
        if source.resources[r].class.persists() {
            let mut p = cuts.first[r] as usize;
            while p < cuts.first[r + 1] as usize {
                version[p] = before;
                p += 1;
            }
        }
        r += 1;
    }
}

/// Sets `expect` for each piece of each access that reads, and `version` for each piece at the end.
/// A version is the task that wrote last, counted from 1; 0 is none, and what was there before the
/// run counts as written by a task behind the last.
pub(super) const fn walk(
    source: &Source<'_>,
    cuts: &Cuts<'_>,
    expect: &mut [u64],
    version: &mut [u64],
) -> Result<(), Violation> {
    let (tasks, accesses) = (source.tasks, source.accesses);
    let count = tasks.len();
    // Few graphs have any, and the others are walked without looking for what they need.
    let unfinished = has_unfinished(source);
    begin(source, cuts, version);
    let mut t = 0;
    while t < count {
        let span = tasks[t].accesses;
        let (mut a, end) = (span.start as usize, (span.start + span.len) as usize);
        // Accesses one by one: the second walk refuses a task that writes what it also reads.
        while a < end {
            let Access { resource, mode, .. } = accesses[a];
            let range = cuts.range[a];
            let (mut p, last) = ((range >> 32) as usize, (range & LOW) as usize);
            let mut at = cuts.seen[a] as usize;
            while p < last {
                if !matches!(mode, Mode::Overwrite) {
                    if version[p] == 0 {
                        let task = t as u32;
                        return Err(Violation::Unwritten { task, resource });
                    }
                    let found = version[p] & !READ;
                    if let TaskKind::Hold { since } = tasks[t].kind {
                        let hold = t as u32;
                        if matches!(mode, Mode::Read) {
                            if found > since as u64 + 1 && found <= count as u64 {
                                return Err(Violation::Retained {
                                    hold,
                                    resource,
                                    task: found as u32 - 1,
                                });
                            }
                        } else if version[p] != since as u64 + 1 {
                            return Err(Violation::Unfinished { hold, resource });
                        }
                    }
                    if unfinished {
                        version[p] |= READ;
                    }
                    expect[at] = found;
                    at += 1;
                }
                if !matches!(mode, Mode::Read) {
                    version[p] = t as u64 + 1;
                }
                p += 1;
            }
            a += 1;
        }
        t += 1;
    }
    if unfinished {
        let mut p = 0;
        while p < version.len() {
            version[p] &= !READ;
            p += 1;
        }
    }
    let count = source.resources.len();
    let mut r = 0;
    while r < count {
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

/// Some hold is behind a write.
const fn has_unfinished(source: &Source<'_>) -> bool {
    let mut t = 0;
    while t < source.tasks.len() {
        if matches!(source.tasks[t].kind, TaskKind::Hold { .. }) {
            let span = source.tasks[t].accesses;
            let (mut a, end) = (span.start as usize, (span.start + span.len) as usize);
            while a < end {
                if !matches!(source.accesses[a].mode, Mode::Read) {
                    return true;
                }
                a += 1;
            }
        }
        t += 1;
    }
    false
}
