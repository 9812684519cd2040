//! The ops of one run, in issue order.

use super::run::Run;
use super::shadow::TICK;
use super::versions::LOW;
use super::{Table, Violation, in_place};
use crate::table::{Access, Form, Mode, Op, Resource};

/// Walks the ops and returns the number of launches.
///
/// One function over plain slices: for each call rustc's evaluator pays a frame as large as the
/// function called, and a slice behind a field costs it twice a local one.
pub(super) const fn issue(run: &mut Run<'_, '_>) -> Result<usize, Violation> {
    let (source, program, cuts) = (run.source, run.program, run.cuts);
    let (accesses, tasks, resources) = (source.accesses, source.tasks, source.resources);
    let (ops, count, known) = (program.issue, program.issue.len(), source.tasks.len());
    let (ranges, first_seen, expected) = (cuts.range, cuts.seen, run.expect);
    let streams = run.clocks.streams;
    let writer = &mut *run.shadow.writer;
    let readers = &mut *run.shadow.readers;
    let read_at = &mut *run.shadow.read_at;
    let places = &mut *run.shadow.place;
    let ranks = &*run.shadow.ranks;
    let spans = &mut *run.shadow.held;
    let kept = &mut *run.held;
    let starts = &mut run.shadow.starts;
    let now = &mut *run.clocks.now;
    let record = &mut *run.clocks.record;
    let stored = &mut *run.clocks.stored;
    let (mut launched, mut gates, mut records) = (0, 0, 0);

    let mut i = 0;
    while i < count {
        let op = i as u32;
        let dangling = match ops[i] {
            Op::Gate { event } => event >= program.events,
            Op::Launch { task, stream, .. } => stream >= program.streams || task as usize >= known,
            Op::Acquire { resource } | Op::Release { resource } => {
                resource as usize >= resources.len()
            }
            Op::Record { event, stream }
            | Op::Wait { stream, event }
            | Op::WaitPrev { stream, event } => {
                stream >= program.streams || event >= program.events
            }
        };
        if dangling {
            let table = Table::Issue;
            return Err(Violation::Dangling { table, entry: op });
        }
        match ops[i] {
            Op::Launch { task, stream, form } => {
                let (id, stream) = (task as usize, stream as usize);
                if places[id] != 0 {
                    return Err(Violation::IssuedTwice { task });
                }
                let at = stream * streams;
                // Its own tick is not in its clock yet, so a task clashes with its own accesses.
                let tick = now[at + stream] + 1;
                places[id] = (stream as u64) << 32 | tick;
                let mut order = run.last_order[id];
                while order != 0 {
                    let (before, after) = source.orders[order as usize - 1];
                    let place = places[before as usize];
                    if place == 0 || now[at + (place >> 32) as usize] < place & TICK {
                        return Err(Violation::Unordered { before, after });
                    }
                    order = run.more_orders[order as usize - 1];
                }
                let operand = match form {
                    Form::Apart => usize::MAX,
                    Form::InPlace => tri!(in_place::operand(source, program, cuts, task)),
                };
                let span = tasks[id].accesses;
                let (mut a, end) = (span.start as usize, (span.start + span.len) as usize);
                while a < end {
                    let Access { resource, mode, .. } = accesses[a];
                    let range = ranges[a];
                    let (mut piece, last) = ((range >> 32) as usize, (range & LOW) as usize);
                    let mut seen = first_seen[a] as usize;
                    // Refuses what still uses a piece, which is to be written or taken over.
                    macro_rules! must_be_over {
                        ($piece:expr) => {
                            let used = $piece;
                            let task_before = writer[used] >> 1;
                            let mut pending = 0;
                            if task_before > 0 {
                                pending = places[task_before as usize - 1];
                                if now[at + (pending >> 32) as usize] >= pending & TICK {
                                    pending = 0;
                                }
                            }
                            let (mut left, mut s) = (readers[used], 0);
                            while left != 0 {
                                if left & 1 == 1 && now[at + s] < read_at[used * streams + s] {
                                    pending = (s as u64) << 32 | read_at[used * streams + s];
                                }
                                left >>= 1;
                                s += 1;
                            }
                            if pending != 0 {
                                let previous = owner(cuts.first, used);
                                return Err(clash(task, resource, previous, places, pending));
                            }
                        };
                    }
                    while piece < last {
                        if !matches!(mode, Mode::Overwrite) {
                            let (found, expect) = (writer[piece], expected[seen]);
                            let place = places[expect as usize - 1];
                            if found != expect << 1 | 1
                                || now[at + (place >> 32) as usize] < place & TICK
                            {
                                return Err(unseen(task, resource, found, expect));
                            }
                            seen += 1;
                        }
                        if matches!(mode, Mode::Read) {
                            // The operand of an in-place launch is read where its result is written.
                            if a != operand {
                                readers[piece] |= 1 << stream;
                                read_at[piece * streams + stream] = tick;
                            }
                            piece += 1;
                            continue;
                        }
                        if writer[piece] & 1 == 1 {
                            must_be_over!(piece);
                        } else {
                            // The first write takes the bytes over from whatever holds them.
                            let border = piece + resource as usize;
                            let (lo, hi) = (ranks[border] as usize, ranks[border + 1] as usize);
                            if spans[lo] == 0 {
                                let before = starts.floor(lo);
                                spans[lo] = spans[before];
                                spans[before] = (lo as u64) << 32 | spans[before] & TICK;
                                starts.insert(lo);
                            }
                            let mut from = lo;
                            while from < hi {
                                let range = spans[from];
                                let (end, holder) = ((range >> 32) as usize, range & TICK);
                                if holder > 0 {
                                    let holder = holder as usize - 1;
                                    must_be_over!(holder);
                                    writer[holder] &= !1;
                                }
                                if from != lo {
                                    spans[from] = 0;
                                    starts.remove(from);
                                }
                                if end > hi {
                                    spans[hi] = range;
                                    starts.insert(hi);
                                }
                                from = end;
                            }
                            spans[lo] = (hi as u64) << 32 | (piece as u64 + 1);
                        }
                        writer[piece] = (task as u64 + 1) << 1 | 1;
                        readers[piece] = 0;
                        piece += 1;
                    }
                    a += 1;
                }
                now[at + stream] = tick;
                launched += 1;
            }
            Op::Record { event, stream } => {
                if record[event as usize] != 0 {
                    return Err(Violation::RecordedTwice { op, event });
                }
                let (from, to) = (stream as usize * streams, records as usize * streams);
                let mut s = 0;
                while s < streams {
                    stored[to + s] = now[from + s];
                    s += 1;
                }
                records += 1;
                record[event as usize] = records;
            }
            Op::Wait { stream, event } => {
                if record[event as usize] == 0 {
                    return Err(Violation::WaitBeforeRecord { op, event });
                }
                let from = (record[event as usize] as usize - 1) * streams;
                let to = stream as usize * streams;
                let mut s = 0;
                while s < streams {
                    let tick = stored[from + s];
                    if tick > now[to + s] {
                        now[to + s] = tick;
                    }
                    s += 1;
                }
            }
            Op::Acquire { resource } => {
                tri!(persistent(resources, resource));
                if kept[resource as usize] != 0 {
                    return Err(Violation::Acquire { resource });
                }
                kept[resource as usize] = 1;
                let mut piece = cuts.first[resource as usize] as usize;
                while piece < cuts.first[resource as usize + 1] as usize {
                    if writer[piece] != 0 {
                        return Err(Violation::Acquire { resource });
                    }
                    writer[piece] = (known as u64 + 1) << 1 | 1;
                    piece += 1;
                }
            }
            Op::Release { resource } => {
                tri!(persistent(resources, resource));
                if kept[resource as usize] != 1 {
                    return Err(Violation::Release { resource });
                }
                kept[resource as usize] = 2;
                let mut piece = cuts.first[resource as usize] as usize;
                while piece < cuts.first[resource as usize + 1] as usize {
                    let found = writer[piece] >> 1;
                    if found != run.version[piece] {
                        let expected = run.version[piece] as u32 - 1;
                        let found = found as u32 - 1;
                        return Err(Violation::ReleasedVersion {
                            resource,
                            expected,
                            found,
                        });
                    }
                    writer[piece] &= !1;
                    piece += 1;
                }
            }
            Op::Gate { .. } => {
                if gates != i {
                    return Err(Violation::LateGate { op });
                }
                gates += 1;
            }
            // The previous run has nothing in this arena, so there is nothing to join. With one
            // instance its event is this one's, and stands only until it is recorded anew.
            Op::WaitPrev { event, .. } => {
                if program.ring == 1 && record[event as usize] != 0 {
                    return Err(Violation::Overtaken { op, event });
                }
                run.waits_prev = true;
            }
        }
        i += 1;
    }
    Ok(launched)
}

/// The content of `resource` outlives runs.
const fn persistent(resources: &[Resource<'_>], resource: u32) -> Result<(), Violation> {
    if resources[resource as usize].class.persists() {
        return Ok(());
    }
    Err(Violation::NotPersistent { resource })
}

/// The resource of a piece.
const fn owner(first: &[u64], piece: usize) -> u32 {
    let mut r = 0;
    while first[r + 1] as usize <= piece {
        r += 1;
    }
    r as u32
}

/// `task` writes `resource` where `previous` is still used at `pending`, which nothing orders
/// before it.
const fn clash(task: u32, resource: u32, previous: u32, places: &[u64], pending: u64) -> Violation {
    let mut other = 0;
    while places[other] != pending {
        other += 1;
    }
    let other = other as u32;
    if other == task {
        let other = previous;
        Violation::Overlap {
            task,
            resource,
            other,
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

/// Why `task` may not read a piece that `found` says who wrote last: a task counted from 1, and in
/// the low bit whether the piece is live. It should see version `expect`.
const fn unseen(task: u32, resource: u32, found: u64, expect: u64) -> Violation {
    let (writer, expected) = ((found >> 1) as u32, expect as u32 - 1);
    if found & 1 == 0 {
        Violation::Absent { task, resource }
    } else if writer == task + 1 {
        let other = resource;
        Violation::Overlap {
            task,
            resource,
            other,
        }
    } else if writer as u64 != expect {
        let found = writer - 1;
        Violation::WrongVersion {
            task,
            resource,
            expected,
            found,
        }
    } else {
        let other = expected;
        Violation::Race {
            task,
            resource,
            other,
        }
    }
}
