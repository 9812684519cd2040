//! Vector clocks of one run: per stream, and per event as it was recorded.

use super::Violation;
use super::shadow::TICK;

/// Clocks. Tick `n` of a stream stands for its first `n` launches.
pub(super) struct Clocks<'w> {
    pub(super) streams: usize,
    /// Per stream, its clock.
    pub(super) now: &'w mut [u64],
    /// Per event, which record it has, counted from 1.
    pub(super) record: &'w mut [u64],
    /// Per record, the clock it stored.
    pub(super) stored: &'w mut [u64],
    /// The host's clock while it is asked for.
    host: &'w mut [u64],
}

impl<'w> Clocks<'w> {
    /// Words for that many streams, events and records.
    pub(super) const fn words(streams: usize, events: usize, records: usize) -> usize {
        streams * (streams + 1) + events + records * streams
    }

    /// Nothing has happened. `words` are zero and as many as [`Self::words`] says.
    pub(super) const fn new(streams: usize, events: usize, words: &'w mut [u64]) -> Self {
        let (now, rest) = words.split_at_mut(streams * streams);
        let (host, rest) = rest.split_at_mut(streams);
        let (record, stored) = rest.split_at_mut(events);
        Self {
            streams,
            now,
            record,
            stored,
            host,
        }
    }

    /// The host has waited for nothing of this run.
    pub(super) const fn host_forget(&mut self) {
        let mut l = 0;
        while l < self.streams {
            self.host[l] = 0;
            l += 1;
        }
    }

    /// The host joins what `event` stored.
    pub(super) const fn host_join(&mut self, event: usize) -> Result<(), Violation> {
        if self.record[event] == 0 {
            return Err(Violation::NeverRecorded {
                event: event as u32,
            });
        }
        let from = (self.record[event] as usize - 1) * self.streams;
        let mut l = 0;
        while l < self.streams {
            if self.stored[from + l] > self.host[l] {
                self.host[l] = self.stored[from + l];
            }
            l += 1;
        }
        Ok(())
    }

    /// Whether the host has seen what happened at `place` complete.
    pub(super) const fn host_covers(&self, place: u64) -> bool {
        self.host[(place >> 32) as usize] >= place & TICK
    }

    /// The first stream that the host has not seen complete.
    pub(super) const fn host_misses(&self) -> Option<u8> {
        let mut l = 0;
        while l < self.streams {
            if self.host[l] < self.now[l * self.streams + l] {
                return Some(l as u8);
            }
            l += 1;
        }
        None
    }
}
