//! The second walk: the program in issue order.

use super::clocks::Clocks;
use super::cut::Cuts;
use super::shadow::{Shadow, Toucher, covers, place};
use super::versions::pieces;
use super::{Table, Violation};
use crate::table::{Class, Form, HostOp, Kernel, Mode, Op, Program, Rows, Source, TaskKind};

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
}

impl Run<'_, '_> {
    /// Checks one run, its collection and the gates of the next run on its instance.
    pub(super) const fn check(&mut self) -> Result<(), Violation> {
        tri!(self.link_orders());
        tri!(self.issue());
        let mut t = 0;
        while t < self.source.tasks.len() {
            if self.shadow.placed(t) == 0 {
                return Err(Violation::NotIssued { task: t as u32 });
            }
            t += 1;
        }
        tri!(self.gates());
        self.collect()
    }

    const fn link_orders(&mut self) -> Result<(), Violation> {
        let mut i = 0;
        while i < self.source.orders.len() {
            let (before, after) = self.source.orders[i];
            let tasks = self.source.tasks.len();
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

    const fn issue(&mut self) -> Result<(), Violation> {
        let mut begun = false;
        let mut i = 0;
        while i < self.program.issue.len() {
            let op = i as u32;
            match self.program.issue[i] {
                Op::Gate { event } => {
                    tri!(self.there(0, Some(event), op));
                    if begun {
                        return Err(Violation::LateGate { op });
                    }
                }
                Op::Launch { task, stream, form } => {
                    tri!(self.there(stream, None, op));
                    if task as usize >= self.source.tasks.len() {
                        return Err(Violation::Dangling {
                            table: Table::Issue,
                            entry: op,
                        });
                    }
                    tri!(self.launch(task, stream as usize, form));
                }
                Op::Record { event, stream } => {
                    tri!(self.there(stream, Some(event), op));
                    if self.clocks.recorded(event as usize) {
                        return Err(Violation::RecordedTwice { op, event });
                    }
                    self.clocks.store(event as usize, stream as usize);
                }
                Op::Wait { stream, event } => {
                    tri!(self.there(stream, Some(event), op));
                    if !self.clocks.recorded(event as usize) {
                        return Err(Violation::WaitBeforeRecord { op, event });
                    }
                    self.clocks.join(stream as usize, event as usize);
                }
                // The previous run has nothing in this arena, so there is nothing to join. With
                // one instance its event is this one's, and stands only until it is recorded anew.
                Op::WaitPrev { stream, event } => {
                    tri!(self.there(stream, Some(event), op));
                    if self.program.ring == 1 && self.clocks.recorded(event as usize) {
                        return Err(Violation::Overtaken { op, event });
                    }
                }
            }
            begun |= !matches!(self.program.issue[i], Op::Gate { .. });
            i += 1;
        }
        Ok(())
    }

    /// Stream and event of an op are there.
    const fn there(&self, stream: u8, event: Option<u32>, op: u32) -> Result<(), Violation> {
        let known = match event {
            Some(event) => event < self.program.events,
            None => true,
        };
        if stream >= self.program.streams || !known {
            return Err(Violation::Dangling {
                table: Table::Issue,
                entry: op,
            });
        }
        Ok(())
    }

    const fn launch(&mut self, task: u32, stream: usize, form: Form) -> Result<(), Violation> {
        let id = task as usize;
        if self.shadow.placed(id) != 0 {
            return Err(Violation::IssuedTwice { task });
        }
        // Its own tick is not in its clock yet, so a task clashes with its own accesses too.
        self.shadow
            .launch(id, place(stream, self.clocks.next_tick(stream)));
        let clock = self.clocks.of(stream);
        let mut order = self.last_order[id];
        while order != 0 {
            let (before, after) = self.source.orders[order as usize - 1];
            let at = self.shadow.placed(before as usize);
            if at == 0 || !covers(clock, at) {
                return Err(Violation::Unordered { before, after });
            }
            order = self.more_orders[order as usize - 1];
        }
        let operand = match form {
            Form::Apart => usize::MAX,
            Form::InPlace => tri!(self.operand(task)),
        };
        let span = self.source.tasks[id].accesses;
        let (begin, end) = (span.start as usize, (span.start + span.len) as usize);
        let mut a = begin;
        while a < end {
            let access = &self.source.accesses[a];
            if !matches!(access.mode, Mode::Overwrite) {
                let by = Toucher {
                    task,
                    resource: access.resource,
                    clock,
                };
                // The operand of an in-place launch is read where the result is written.
                let mark = matches!(access.mode, Mode::Read) && a != operand;
                let (mut p, last) = pieces(self.cuts.range[a]);
                let mut seen = self.cuts.seen[a] as usize;
                while p < last {
                    tri!(self.shadow.see(&by, p, self.expect[seen]));
                    if mark {
                        self.shadow.read(&by, p);
                    }
                    seen += 1;
                    p += 1;
                }
            }
            a += 1;
        }
        let mut a = begin;
        while a < end {
            let access = &self.source.accesses[a];
            if !matches!(access.mode, Mode::Read) {
                let by = Toucher {
                    task,
                    resource: access.resource,
                    clock,
                };
                let (mut p, last) = pieces(self.cuts.range[a]);
                while p < last {
                    // Only another write of this task can have taken it since it was seen.
                    if matches!(access.mode, Mode::ReadWrite) && self.shadow.version(p).is_none() {
                        let (resource, other) = (access.resource, access.resource);
                        return Err(Violation::Overlap {
                            task,
                            resource,
                            other,
                        });
                    }
                    tri!(self.shadow.write(&by, p));
                    p += 1;
                }
            }
            a += 1;
        }
        self.clocks.tick(stream);
        Ok(())
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
        while i < self.program.issue.len() {
            match self.program.issue[i] {
                Op::Gate { event } => {
                    tri!(self.clocks.host_join(event as usize));
                }
                Op::WaitPrev { event, .. } if !self.clocks.recorded(event as usize) => {
                    return Err(Violation::NeverRecorded { event });
                }
                _ => {}
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
        while i < self.program.collect.len() {
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
        while r < self.source.resources.len() {
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
            let Some(found) = self.shadow.version(p) else {
                return Err(Violation::OutputLost { resource });
            };
            let writer = found as u32 - 1;
            if found != self.version[p] {
                let expected = self.version[p] as u32 - 1;
                return Err(Violation::OutputVersion {
                    resource,
                    expected,
                    found: writer,
                });
            }
            if !self.clocks.host_covers(self.shadow.placed(writer as usize)) {
                return Err(Violation::OutputRace { resource, writer });
            }
            p += 1;
        }
        Ok(())
    }
}
