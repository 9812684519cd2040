//! The second walk: one run of the program, what the host does then, and the next run's gates.

use super::clocks::Clocks;
use super::cut::Cuts;
use super::issue::issue;
use super::shadow::Shadow;
use super::{Table, Violation};
use crate::table::{Class, HostOp, Op, Program, Source};

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
    /// Per resource, whether the host has read it; of one that outlives runs, 1 where it is
    /// acquired, 2 where it is released.
    pub(super) held: &'w mut [u64],
    /// Whether an op waits for the previous run.
    pub(super) waits_prev: bool,
}

impl Run<'_, '_> {
    /// Checks one run, its collection and the gates of the next run on its instance.
    pub(super) const fn check(&mut self) -> Result<(), Violation> {
        if !self.source.orders.is_empty() {
            tri!(self.link_orders());
        }
        let launched = tri!(issue(self));
        // None was issued twice, so fewer than all means that one was not issued.
        if launched < self.source.tasks.len() {
            let mut t = 0;
            while self.shadow.place[t] != 0 {
                t += 1;
            }
            return Err(Violation::NotIssued { task: t as u32 });
        }
        tri!(self.released());
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

    /// Each resource that outlives runs was acquired and released, and nothing touched it since.
    const fn released(&self) -> Result<(), Violation> {
        let mut r = 0;
        let count = self.source.resources.len();
        while r < count {
            if self.source.resources[r].class.persists() {
                let resource = r as u32;
                if self.held[r] == 0 {
                    return Err(Violation::Acquire { resource });
                }
                let mut p = self.cuts.first[r] as usize;
                while p < self.cuts.first[r + 1] as usize {
                    if self.shadow.writer[p] & 1 == 1 {
                        return Err(Violation::Release { resource });
                    }
                    p += 1;
                }
                if self.held[r] != 2 {
                    return Err(Violation::Release { resource });
                }
            }
            r += 1;
        }
        Ok(())
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
            if output && self.held[r] == 0 {
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
        if self.held[r] != 0 {
            return Err(Violation::CollectedTwice { resource });
        }
        self.held[r] = 1;
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
