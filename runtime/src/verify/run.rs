//! The second walk: the program in issue order.

use super::clocks::Clocks;
use super::cut::Cuts;
use super::shadow::{Shadow, TICK, Write};
use super::versions::LOW;
use super::{Table, Violation};
use crate::table::{
    Access, Class, Form, HostOp, Kernel, Mode, Op, Program, Rows, Source, TaskKind,
};

/// What both walks share.
pub(super) struct Run<'r, 'w> {
    pub(super) source: &'r Source<'r>,
    pub(super) program: &'r Program<'r>,
    pub(super) cuts: &'r Cuts<'w>,
    pub(super) shadow: Shadow<'w>,
    pub(super) clocks: Clocks<'w>,
    /// Per piece of each reading access, the version it must see.
    pub(super) expect: &'w [u64],
    /// Per piece, the version at the end.
    pub(super) version: &'w [u64],
    /// Per task, the last of the orders that end at it, counted from 1.
    pub(super) last_order: &'w mut [u64],
    /// Per order, the one before it that ends at the same task, counted from 1.
    pub(super) more_orders: &'w mut [u64],
    /// Per resource, whether the host has read it.
    pub(super) collected: &'w mut [u64],
    /// Whether an op waits for the previous run.
    pub(super) waits_prev: bool,
}

impl Run<'_, '_> {
    /// Checks one run, its collection and the gates of the next run on its instance.
    pub(super) const fn check(&mut self) -> Result<(), Violation> {
        if !self.source.orders.is_empty() {
            tri!(self.link_orders());
        }
        let launched = tri!(self.issue());
        // None was issued twice, so fewer than all means that one was not issued.
        if launched < self.source.tasks.len() {
            let mut t = 0;
            while self.shadow.place[t] != 0 {
                t += 1;
            }
            return Err(Violation::NotIssued { task: t as u32 });
        }
        tri!(self.gates());
        self.collect()
    }

    const fn link_orders(&mut self) -> Result<(), Violation> {
        let mut i = 0;
        let (count, tasks) = (self.source.orders.len(), self.source.tasks.len());
        while i < count {
            let (before, after) = self.source.orders[i];
            if before as usize >= tasks || after as usize >= tasks {
                return Err(Violation::Dangling {
                    table: Table::Orders,
                    entry: i as u32,
                });
            }
            self.more_orders[i] = self.last_order[after as usize];
            self.last_order[after as usize] = i as u64 + 1;
            i += 1;
        }
        Ok(())
    }

    /// Walks the ops and returns the number of launches. One function, since rustc's evaluator
    /// pays for each call with a frame as large as the function called.
    const fn issue(&mut self) -> Result<usize, Violation> {
        let (issue, count) = (self.program.issue, self.program.issue.len());
        let (streams, events) = (self.program.streams, self.program.events);
        let tasks = self.source.tasks.len();
        let (mut launched, mut gates) = (0, 0);
        let mut i = 0;
        while i < count {
            let op = i as u32;
            let dangling = match issue[i] {
                Op::Gate { event } => event >= events,
                Op::Launch { task, stream, .. } => stream >= streams || task as usize >= tasks,
                Op::Record { event, stream }
                | Op::Wait { stream, event }
                | Op::WaitPrev { stream, event } => stream >= streams || event >= events,
            };
            if dangling {
                return Err(Violation::Dangling {
                    table: Table::Issue,
                    entry: op,
                });
            }
            match issue[i] {
                Op::Gate { .. } => {
                    if gates != i {
                        return Err(Violation::LateGate { op });
                    }
                    gates += 1;
                }
                Op::Launch { task, stream, form } => {
                    let (id, stream) = (task as usize, stream as usize);
                    if self.shadow.place[id] != 0 {
                        return Err(Violation::IssuedTwice { task });
                    }
                    let at = stream * self.shadow.streams;
                    // Its own tick is not in its clock yet, so a task clashes with its own accesses too.
                    let tick = self.clocks.now[at + stream] + 1;
                    self.shadow.place[id] = (stream as u64) << 32 | tick;
                    let mut order = self.last_order[id];
                    while order != 0 {
                        let (before, after) = self.source.orders[order as usize - 1];
                        let place = self.shadow.place[before as usize];
                        if place == 0 || self.clocks.now[at + (place >> 32) as usize] < place & TICK
                        {
                            return Err(Violation::Unordered { before, after });
                        }
                        order = self.more_orders[order as usize - 1];
                    }
                    let operand = match form {
                        Form::Apart => usize::MAX,
                        Form::InPlace => tri!(self.operand(task)),
                    };
                    let accesses = self.source.accesses;
                    let span = self.source.tasks[id].accesses;
                    let (mut a, end) = (span.start as usize, (span.start + span.len) as usize);
                    while a < end {
                        let Access { resource, mode, .. } = accesses[a];
                        let (reads, writes) = (
                            !matches!(mode, Mode::Overwrite),
                            !matches!(mode, Mode::Read),
                        );
                        let range = self.cuts.range[a];
                        let (mut piece, last) = ((range >> 32) as usize, (range & LOW) as usize);
                        let mut seen = self.cuts.seen[a] as usize;
                        while piece < last {
                            if reads {
                                let (writer, expect) =
                                    (self.shadow.writer[piece], self.expect[seen]);
                                let place = self.shadow.place[expect as usize - 1];
                                if writer != expect << 1 | 1
                                    || self.clocks.now[at + (place >> 32) as usize] < place & TICK
                                {
                                    return Err(unseen(task, resource, writer, expect));
                                }
                                seen += 1;
                            }
                            if writes {
                                let write = Write {
                                    task,
                                    resource,
                                    piece,
                                    clocks: self.clocks.now,
                                    at,
                                };
                                if self.shadow.writer[piece] & 1 == 0 {
                                    tri!(self.shadow.take(&write));
                                } else if let Some(other) = self.shadow.pending(&write, piece) {
                                    return Err(self.shadow.clash(&write, piece, other));
                                }
                                self.shadow.writer[piece] = (task as u64 + 1) << 1 | 1;
                                self.shadow.readers[piece] = 0;
                            } else if a != operand {
                                // The operand of an in-place launch is read where the result is written.
                                self.shadow.readers[piece] |= 1 << stream;
                                self.shadow.read_at[piece * self.shadow.streams + stream] = tick;
                            }
                            piece += 1;
                        }
                        a += 1;
                    }
                    self.clocks.now[at + stream] = tick;
                    launched += 1;
                }
                Op::Record { event, stream } => {
                    if self.clocks.record[event as usize] != 0 {
                        return Err(Violation::RecordedTwice { op, event });
                    }
                    self.clocks.store(event as usize, stream as usize);
                }
                Op::Wait { stream, event } => {
                    if self.clocks.record[event as usize] == 0 {
                        return Err(Violation::WaitBeforeRecord { op, event });
                    }
                    self.clocks.join(stream as usize, event as usize);
                }
                // The previous run has nothing in this arena, so there is nothing to join. With
                // one instance its event is this one's, and stands only until it is recorded anew.
                Op::WaitPrev { event, .. } => {
                    if self.program.ring == 1 && self.clocks.record[event as usize] != 0 {
                        return Err(Violation::Overtaken { op, event });
                    }
                    self.waits_prev = true;
                }
            }
            i += 1;
        }
        Ok(launched)
    }

    /// The access that an in-place launch updates into its result, the last access.
    const fn operand(&self, task: u32) -> Result<usize, Violation> {
        let refused = Err(Violation::InPlace { task });
        let span = self.source.tasks[task as usize].accesses;
        let TaskKind::Kernel(kernel) = self.source.tasks[task as usize].kind else {
            return refused;
        };
        let Kernel {
            in_place: Some(index),
            ..
        } = self.source.kernels[kernel as usize]
        else {
            return refused;
        };
        if index as u32 + 1 >= span.len {
            return refused;
        }
        let (a, b) = (
            span.start as usize + index as usize,
            (span.start + span.len - 1) as usize,
        );
        let (operand, result) = (&self.source.accesses[a], &self.source.accesses[b]);
        let (x, y) = (operand.resource as usize, result.resource as usize);
        let from = &self.source.resources[x];
        // An input may stay in the caller's memory, which is not ours to write.
        if !matches!((operand.mode, result.mode), (Mode::Read, Mode::Overwrite))
            || matches!(from.class, Class::Input)
            || from.elem as u8 != self.source.resources[y].elem as u8
            || x == y
            || !self.same_bytes(a, b)
        {
            return refused;
        }
        Ok(a)
    }

    /// Whether two accesses are one range of the arena.
    const fn same_bytes(&self, a: usize, b: usize) -> bool {
        let (from_a, len_a) = self.bytes_of(a);
        let (from_b, len_b) = self.bytes_of(b);
        from_a == from_b && len_a == len_b
    }

    /// First byte in the arena and length of an access.
    const fn bytes_of(&self, a: usize) -> (u64, u64) {
        let r = self.source.accesses[a].resource as usize;
        let (offset, bytes) = (self.program.slots[r].offset, self.cuts.bytes[r]);
        match self.source.accesses[a].rows {
            Rows::Span(lo, hi) if bytes > 0 => {
                let rows = self.cuts.values[self.source.resources[r].shape[0] as usize];
                let (lo, hi) = (self.cuts.values[lo as usize], self.cuts.values[hi as usize]);
                (offset + lo * (bytes / rows), (hi - lo) * (bytes / rows))
            }
            _ => (offset, bytes),
        }
    }

    /// Behind the gates everything that ran on the instance has completed, and every event that
    /// is waited for across runs is recorded.
    const fn gates(&mut self) -> Result<(), Violation> {
        self.clocks.host_forget();
        let mut i = 0;
        let count = self.program.issue.len();
        while i < count {
            match self.program.issue[i] {
                Op::Gate { event } => {
                    tri!(self.clocks.host_join(event as usize));
                }
                Op::WaitPrev { event, .. } if self.clocks.record[event as usize] == 0 => {
                    return Err(Violation::NeverRecorded { event });
                }
                _ if self.waits_prev => {}
                _ => break,
            }
            i += 1;
        }
        match self.clocks.host_misses() {
            Some(stream) => Err(Violation::StillRunning { stream }),
            None => Ok(()),
        }
    }

    /// Each output is read once, whole, in its last version, after its own waits alone.
    const fn collect(&mut self) -> Result<(), Violation> {
        self.clocks.host_forget();
        let mut i = 0;
        let count = self.program.collect.len();
        while i < count {
            match self.program.collect[i] {
                HostOp::Wait { event } => {
                    if event >= self.program.events {
                        return Err(Violation::Dangling {
                            table: Table::Collect,
                            entry: i as u32,
                        });
                    }
                    tri!(self.clocks.host_join(event as usize));
                }
                HostOp::Read { resource } => {
                    if resource as usize >= self.source.resources.len() {
                        return Err(Violation::Dangling {
                            table: Table::Collect,
                            entry: i as u32,
                        });
                    }
                    tri!(self.host_read(resource));
                    // The caller may ask for one output only: waits for another one count for
                    // nothing.
                    self.clocks.host_forget();
                }
            }
            i += 1;
        }
        let mut r = 0;
        let count = self.source.resources.len();
        while r < count {
            let output = matches!(self.source.resources[r].class, Class::Output);
            if output && self.collected[r] == 0 {
                return Err(Violation::NotCollected { resource: r as u32 });
            }
            r += 1;
        }
        Ok(())
    }

    const fn host_read(&mut self, resource: u32) -> Result<(), Violation> {
        let r = resource as usize;
        if !matches!(self.source.resources[r].class, Class::Output) {
            return Err(Violation::NotOutput { resource });
        }
        if self.collected[r] != 0 {
            return Err(Violation::CollectedTwice { resource });
        }
        self.collected[r] = 1;
        let mut p = self.cuts.first[r] as usize;
        while p < self.cuts.first[r + 1] as usize {
            if self.shadow.writer[p] & 1 == 0 {
                return Err(Violation::OutputLost { resource });
            }
            let found = self.shadow.writer[p] >> 1;
            let writer = found as u32 - 1;
            if found != self.version[p] {
                let expected = self.version[p] as u32 - 1;
                return Err(Violation::OutputVersion {
                    resource,
                    expected,
                    found: writer,
                });
            }
            if !self.clocks.host_covers(self.shadow.place[writer as usize]) {
                return Err(Violation::OutputRace { resource, writer });
            }
            p += 1;
        }
        Ok(())
    }
}

/// Why a task may not read a piece that `writer` wrote last: a task counted from 1, and in the low
/// bit whether the piece is live. Version `expect` is what it should see.
const fn unseen(task: u32, resource: u32, writer: u64, expect: u64) -> Violation {
    let (found, expected) = ((writer >> 1) as u32, expect as u32 - 1);
    if writer & 1 == 0 {
        Violation::Absent { task, resource }
    } else if found == task + 1 {
        let other = resource;
        Violation::Overlap {
            task,
            resource,
            other,
        }
    } else if found as u64 != expect {
        let found = found - 1;
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
